import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

/// Checksums, and parts that are fetched at the same time.
extension DownloadTests {
  @Test func refusesAWrongChecksum() async throws {
    let origin = RangeOrigin(count: 5000)
    var hash = SHA256()
    hash.update(Bytes(origin.content))
    let right = try #require(Checksum(.sha256, hash.digest()))
    let wrong = try #require(Checksum(.md5, [UInt8](repeating: 7, count: 16)))
    let client = try origin.client()
    let error = await #expect(throws: ExchangeError.self) {
      try await client.download(.get("film.mp4"), to: .file(path), checksum: wrong).value()
    }
    guard case .stageFailure(let failure as ChecksumFailure)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.expected == wrong)
    #expect(failure.actual.algorithm == .md5)
    #expect(try names == [])
    _ = try await client.download(.get("film.mp4"), to: .file(path), checksum: right).value()
    #expect(content(path) == origin.content)
  }

  @Test func theDigestOfTheServerIsChecked() async throws {
    let origin = RangeOrigin(count: 5000)
    func field(_ bytes: [UInt8]) -> String {
      var hash = SHA256()
      hash.update(Bytes(bytes))
      return "sha-256=:\(Data(hash.digest()).base64EncodedString()):"
    }
    let whole = field(origin.content)
    origin.change { $0.fields = [HTTPField.Name("Repr-Digest")!: whole] }
    // Over the whole, also if it came in two parts.
    try await interrupt(origin, after: 2000)
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    #expect(content(path) == origin.content)
    origin.change { $0.content[4000] ^= 1 }
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite)).value()
    }
    #expect(error?.kind.description == "checksum.mismatch")
    #expect(try names == ["film.mp4"])

    // Content-Digest is of one reply; its bytes are not kept if they are wrong.
    let other = RangeOrigin(count: 5000)
    try await interrupt(other, after: 2000)
    let digest = field([1])
    other.change { $0.fields = [HTTPField.Name("Content-Digest")!: digest] }
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: ExchangeError.self) {
      try await other.client().download(.get("film.mp4"), to: .file(path)).value()
    }
    other.change { $0.fields = [:] }
    _ = try await other.client().download(.get("film.mp4"), to: .file(path)).value()
    #expect(other.ranges == [nil, "bytes=2000-", "bytes=2000-"])
    #expect(content(path) == other.content)
  }

  @Test func downloadsPartsConcurrently() async throws {
    let count = 5 << 20
    let origin = RangeOrigin(count: count, chunkSize: 64 << 10)
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path), parts: 4).value()
    #expect(content(path) == origin.content)
    let size = count / 4
    #expect(
      Set(origin.ranges) == [
        nil, "bytes=\(size)-\(2 * size - 1)", "bytes=\(2 * size)-\(3 * size - 1)", "bytes=\(3 * size)-",
      ]
    )
  }

  @Test func partsGoOnAfterAFailure() async throws {
    let count = 5 << 20
    let origin = RangeOrigin(count: count, chunkSize: 64 << 10)
    // The first reply, and one of the parts.
    origin.cut(after: count, 700_000)
    await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path), parts: 4).value()
    }
    #expect(try names == ["film.mp4.part", "film.mp4.part.json"])
    let before = origin.requests.count
    // A later download may fetch the parts one after the other.
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path), parts: 1).value()
    #expect(content(path) == origin.content)
    #expect(origin.requests.count > before)
    #expect(origin.requests[before...].allSatisfy { $0.fields[.range] != nil })
  }

  @Test func partsOfTwoVersionsAreNeverMixed() async throws {
    let count = 4 << 20
    let origin = RangeOrigin(count: count, chunkSize: 64 << 10)
    let held = origin.hold(after: 500_000)
    let download = try origin.client().download(.get("film.mp4"), to: .file(path), parts: 4)
    download.start()
    await held.wait()
    download.pause()
    origin.change {
      $0.content = RangeOrigin.content(count, seed: 9)
      $0.tag = "\"v2\""
    }
    download.resume()
    _ = try await download.value()
    #expect(content(path) == origin.content)
  }

  /// Throws or answers with a refusal instead of the first requests for a range.
  private struct Refusing: Middleware {
    enum Refusal { case status(HTTPResponse.Status), kind(ExchangeError.Kind) }

    let refusal: Refusal
    let count: Int
    let refused = Counter()

    func handle(_ request: Request, next: Next) async throws -> Response {
      guard request.fields.contains(.range), refused.add() <= count else { return try await next(request) }
      switch refusal {
      case .status(let status): return Response(status, fields: [.retryAfter: "0"])
      case .kind(let kind): throw ExchangeError(kind, "too many connections")
      }
    }
  }

  /// Where a server limits connections, the parts that it refuses wait for one.
  @Test func refusedPartsWaitForAConnection() async throws {
    let refusals: [Refusing.Refusal] = [
      .status(.serviceUnavailable), .status(.tooManyRequests), .status(.forbidden), .kind(.connectionRefused),
      .kind(.connectionReset), .kind(.timeout(.connect)),
    ]
    for refusal in refusals {
      let count = 8 << 20
      let origin = RangeOrigin(count: count, chunkSize: 64 << 10)
      let client = try origin.client(stages: [Refusing(refusal: refusal, count: 7)])
      _ = try await client.download(.get("film.mp4"), to: .file(path, existing: .overwrite), parts: 8).value()
      #expect(content(path) == origin.content, "\(refusal)")
      // Each byte came once.
      #expect(origin.ranges.count == 8, "\(refusal)")
    }
  }

  @Test func aServerThatRefusesEveryPartIsGivenUp() async throws {
    let origin = RangeOrigin(count: 4 << 20, chunkSize: 64 << 10)
    let client = try origin.client(stages: [Refusing(refusal: .status(.serviceUnavailable), count: .max)])
    let error = await #expect(throws: ExchangeError.self) {
      try await client.download(.get("film.mp4"), to: .file(path), parts: 4).value()
    }
    #expect(error?.kind == .status)
    #expect(try names == ["film.mp4.part", "film.mp4.part.json"])
  }

  /// The server says that it takes ranges, and sends the whole.
  @Test func partsThatAreNotServedAreFetchedAsOne() async throws {
    let count = 4 << 20
    let origin = RangeOrigin(count: count, chunkSize: 64 << 10)
    origin.change {
      $0.takesRanges = false
      $0.fields = [.acceptRanges: "bytes"]
    }
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path), parts: 4).value()
    #expect(content(path) == origin.content)
    #expect(try names == ["film.mp4"])
  }
}
