import ArgumentParser
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachAsyncHTTPClient

/// A large file sent as a part of a form, against the same file sent as it is.
///
/// The file is sparse, so that neither the disk nor its cache takes part.
struct MultipartRows {
  let quick: Bool
  let url: String

  /// What is sent.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case multipart
    case file

    func request(_ path: String) throws -> Request {
      var request = Request.post("upload")
      switch self {
      case .multipart:
        let parts = [MultipartBody.Part.text("a film", name: "title"), try .file(path, name: "film")]
        try RequestContent.multipart(.form(parts)).apply(to: &request)
      case .file: request.body = try .file(path)
      }
      return request
    }
  }

  private static let peerName = "the bare file"

  func run() async throws -> [Row] {
    let size = 2048
    let path = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID())").path
    guard FileManager.default.createFile(atPath: path, contents: nil), truncate(path, off_t(size << 20)) == 0
    else { throw CocoaError(.fileWriteUnknown) }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await rates(path, size: size) + growth(path, size: size)
  }

  private func rates(_ path: String, size: Int) async throws -> [Row] {
    let client = try Client(over: AsyncHTTPClientTransport(), base: url)
    let costs = try await interleaved(rounds: quick ? 3 : 9, units: 1) {
      try await Self.send(.multipart, path, by: client)
    } peer: {
      try await Self.send(.file, path, by: client)
    }
    await client.pipeline.shutdown()
    return [
      Row("multipart/2GB/rate", unit: "MiB/s", peerName: Self.peerName, costs) { Double(size) / $0.wall },
      Row("multipart/2GB/cpu", unit: "ms", peerName: Self.peerName, costs) { $0.cpu * 1e3 },
    ]
  }

  private static func send(_ kind: Kind, _ path: String, by client: Client) async throws {
    _ = try await client.value(for: kind.request(path), as: .data)
  }

  /// How much the peak of resident memory grows, each in a process of its own.
  private func growth(_ path: String, size: Int) throws -> [Row] {
    let values = try Kind.allCases.map { kind in
      median(
        try (0..<(quick ? 1 : 3)).map { _ in
          let text = try runAgain(["--growth", kind.rawValue, "--path", path, "--url", url])
          guard let growth = Double(text) else { throw CocoaError(.formatting) }
          return growth
        }
      )
    }
    return [
      Row(
        name: "multipart/2GB/peak-memory-growth",
        unit: "MiB",
        ours: values[0],
        peer: values[1],
        peerName: Self.peerName,
        // Less than 64 KiB is noise, and nothing to divide by.
        ratio: values[0] / max(values[1], 1.0 / 16)
      )
    ]
  }

  /// How much one transfer in this process adds to its peak, which a small one has reached before.
  static func growth(of kind: Kind, path: String, url: String) async throws -> Double {
    let client = try Client(over: AsyncHTTPClientTransport(), base: url)
    _ = try await client.post("upload", .multipart(.form([.text("small", name: "a")])), as: .data)
    let before = peakResidentMemory()
    try await send(kind, path, by: client)
    await client.pipeline.shutdown()
    return peakResidentMemory() - before
  }
}
