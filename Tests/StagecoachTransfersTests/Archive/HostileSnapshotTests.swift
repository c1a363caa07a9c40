import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(15))) struct HostileSnapshotTests {
  private let client: Client
  private let directory: ScratchDirectory

  init() throws {
    client = try Client(Pipeline(over: HandlerTransport { _ in Response(.ok) }) {}, base: "http://test/")
    directory = try ScratchDirectory()
  }

  /// A snapshot of a transfer that was interrupted, of one with a file as content, of a download, of a value and of a
  /// failure.
  private func samples() async throws -> [Data] {
    let origin = RangeOrigin(count: 40, chunkSize: 10)
    let held = origin.hold(after: 20)
    let interrupted = try origin.client().transfer(.get("film").with(\.headTimeout, .seconds(1)), as: .data)
    interrupted.start()
    await held.wait()
    let first = try interrupted.snapshot().encoded
    interrupted.cancel()
    let body = try directory.file("body", [1, 2, 3])
    let upload = client.transfer(.put("a", body: try .file(body, range: 1..<3)), as: .text)
    let download = client.download(
      .get("b"),
      to: .file(in: directory.path),
      checksum: Checksum(.md5, Array(repeating: 1, count: 16)),
      parts: 3
    )
    let value = try origin.client().transfer(.get("film"), as: .data)
    _ = try await value.value()
    origin.cut(after: 10)
    let failed = try origin.client().transfer(.get("film"), as: .data)
    _ = try? await failed.value()
    return [
      first, try upload.snapshot().encoded, try download.snapshot().encoded, try value.snapshot().encoded,
      try failed.snapshot().encoded,
    ]
  }

  /// Decodes and restores: everything that fails has a typed error.
  private func tryAll(_ data: Data) -> Bool {
    do {
      let snapshot = try TransferSnapshot(decoding: data)
      let transfer: any TransferHandle =
        snapshot.isDownload
        ? try client.restoreDownload(snapshot) : try client.restore(snapshot, as: .data)
      _ = transfer.description
      _ = try snapshot.encoded
      return true
    } catch let error as ExchangeError {
      #expect(!error.message.isEmpty)
    } catch {
      Issue.record("an error of another type: \(error)")
    }
    return false
  }

  @Test func changingAnyByteNeverTraps() async throws {
    for sample in try await samples() {
      #expect(tryAll(sample))
      for index in sample.indices {
        for byte in [sample[index] ^ 1, UInt8(ascii: "9"), 0xFF] {
          var copy = sample
          copy[index] = byte
          _ = tryAll(copy)
        }
      }
    }
  }

  @Test func refusesASnapshotCutAnywhere() async throws {
    for sample in try await samples() {
      for count in 0..<sample.count { #expect(!tryAll(sample.prefix(count))) }
    }
  }

  /// All values that differ from a JSON value in one place: a key is missing, or a value is another.
  private static func variants(_ value: Any) -> [Any] {
    let others: [Any] = [
      NSNull(), -1, Int64.max, Int64.min, 1e300, true, "", "\r\n", "\u{0}", [Any](), [String: Any](),
      [1, 2, 3],
    ]
    if let object = value as? [String: Any] {
      return others
        + object.keys.flatMap { key -> [Any] in
          var without = object
          without[key] = nil
          let changed = variants(object[key] ?? NSNull()).map { variant -> Any in
            object.merging([key: variant]) { $1 }
          }
          return [without] + changed
        }
    }
    if let list = value as? [Any] {
      return others
        + list.indices.flatMap { index in
          variants(list[index]).map { variant -> Any in
            var copy = list
            copy[index] = variant
            return copy
          }
        }
    }
    return others
  }

  @Test func droppingKeysAndReplacingValuesNeverTraps() async throws {
    for sample in try await samples() {
      let object = try JSONSerialization.jsonObject(with: sample)
      for variant in Self.variants(object) {
        guard JSONSerialization.isValidJSONObject(variant) else { continue }
        _ = tryAll(try JSONSerialization.data(withJSONObject: variant))
      }
    }
  }

  @Test func whatIsMissingIsNamed() async throws {
    let sample = try await samples()[0]
    var object = try #require(try JSONSerialization.jsonObject(with: sample) as? [String: Any])
    object["version"] = 2
    var data = try JSONSerialization.data(withJSONObject: object)
    var error = #expect(throws: ExchangeError.self) { try TransferSnapshot(decoding: data) }
    #expect(error?.message.contains("its version is 2 (supported: 1)") == true)
    object["version"] = 1
    object["state"] = nil
    data = try JSONSerialization.data(withJSONObject: object)
    error = #expect(throws: ExchangeError.self) { try TransferSnapshot(decoding: data) }
    #expect(error?.message.contains("\"state\" is missing") == true)
    error = #expect(throws: ExchangeError.self) {
      try TransferSnapshot(decoding: sample, limit: sample.count - 1)
    }
    #expect(error?.kind == .limit(.body))
    error = #expect(throws: ExchangeError.self) {
      try TransferSnapshot(decoding: Data(repeating: UInt8(ascii: "["), count: 1_000_000))
    }
    #expect(error?.kind == .serialization)
  }

  @Test func aSnapshotIsRestoredAsWhatItIs() async throws {
    let samples = try await samples()
    let memory = try TransferSnapshot(decoding: samples[0])
    let download = try TransferSnapshot(decoding: samples[2])
    #expect(!memory.isDownload && download.isDownload)
    #expect(throws: ExchangeError.self) { try client.restoreDownload(memory) }
    #expect(throws: ExchangeError.self) { try client.restore(download, as: .data) }
  }
}
