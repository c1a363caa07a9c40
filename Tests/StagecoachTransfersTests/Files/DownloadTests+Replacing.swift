import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachTransfers

/// What is kept, and the replies that are to replace it.
extension DownloadTests {
  private static var page: Bytes { "<title>Log in to go on, please</title>" }

  private static var repliesThatAreNotTheFile: [(String, @Sendable () -> Response)] {
    [
      ("204", { Response(.noContent) }),
      ("204 with the tag", { Response(.noContent, fields: [.eTag: "\"v1\""]) }),
      ("205", { Response(.resetContent) }),
      ("202", { Response(.accepted, fields: [.eTag: "\"v2\""], body: .bytes(page)) }),
      ("203", { Response(.nonAuthoritativeInformation, fields: [.eTag: "\"v2\""], body: .bytes(page)) }),
      ("a page", { Response(.ok, fields: [.contentType: "text/html"], body: .bytes(page)) }),
      (
        "a page of unknown length",
        { Response(.ok, body: Response.Body(source: ScriptedSource(chunks: [page]))) }
      ),
    ]
  }

  @Test(arguments: [false, true])
  func aReplyThatIsNotTheFileKeepsTheBytes(alsoWithoutRange: Bool) async throws {
    for stages in [[], [Validation()]] as [[any Middleware]] {
      for (name, reply) in Self.repliesThatAreNotTheFile {
        let origin = RangeOrigin(count: 5000)
        try await interrupt(origin, after: 2000)
        origin.answer { request in
          // The server does not know the range, and has something else for the whole.
          alsoWithoutRange && request.fields.contains(.range) ? Response(.rangeNotSatisfiable) : reply()
        }
        let error = await #expect(throws: ExchangeError.self, "\(name)") {
          try await origin.client(stages: stages).download(
            .get("film.mp4"),
            to: .file(path, existing: .overwrite)
          ).value()
        }
        #expect(error.map { [.status, .validation].contains($0.kind) } == true, "\(name): \(error as Any)")
        #expect(content(path) == nil, "\(name)")
        #expect(content(path + ".part") == Array(origin.content.prefix(2000)), "\(name)")
        #expect(try names == ["film.mp4.part", "film.mp4.part.json"], "\(name)")
        origin.answer(nil)
        _ = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
        #expect(content(path) == origin.content, "\(name)")
        #expect(origin.ranges.last == "bytes=2000-", "\(name)")
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  @Test func noContentDoesNotReplaceTheFile() async throws {
    let origin = RangeOrigin(count: 5000)
    _ = try directory.file("film.mp4", [1, 2, 3])
    origin.answer { _ in Response(.noContent) }
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite)).value()
    }
    #expect(error?.kind == .status)
    #expect(content(path) == [1, 2, 3])
    #expect(try names == ["film.mp4"])
  }

  /// Breaks a replacement off: 2000 bytes of the first version are kept, and 3000 of the second.
  private func replace(_ origin: RangeOrigin) async throws {
    try await interrupt(origin, after: 2000)
    origin.change {
      $0.content = RangeOrigin.content(5000, seed: 2)
      $0.tag = "\"v2\""
    }
    try await interrupt(origin, after: 3000)
    #expect(try names == ["film.mp4.part", "film.mp4.part.json", "film.mp4.part2", "film.mp4.part2.json"])
    #expect(content(path + ".part") == Array(RangeOrigin.content(5000, seed: 1).prefix(2000)))
    #expect(content(path + ".part2") == Array(origin.content.prefix(3000)))
    #expect(origin.ranges == [nil, "bytes=2000-"])
  }

  @Test func aReplacementThatBreaksOffGoesOn() async throws {
    let origin = RangeOrigin(count: 5000)
    try await replace(origin)
    let client = try origin.client()
    #expect(try await client.unfinishedDownloads(in: directory.path).map(\.bytes) == [3000])
    _ = try await client.download(.get("film.mp4"), to: .file(path)).value()
    #expect(content(path) == origin.content)
    #expect(origin.ranges == [nil, "bytes=2000-", "bytes=3000-"])
    #expect(try names == ["film.mp4"])
  }

  @Test func afterAReplacementThatBreaksOffTheOlderBytesGoOn() async throws {
    for isObstinate in [false, true] {
      let origin = RangeOrigin(count: 5000)
      let first = origin.content
      try await replace(origin)
      origin.change {
        $0.content = first
        $0.tag = "\"v1\""
      }
      if isObstinate {
        // A server that ignores If-Range.
        origin.answer { request in
          guard request.fields[.range] == "bytes=3000-" else { return nil }
          let body = Response.Body.bytes(Bytes(Array(first[3000...])))
          let fields: HTTPFields = [.contentRange: "bytes 3000-4999/5000", .eTag: "\"v1\""]
          return Response(.partialContent, fields: fields, body: body)
        }
      }
      _ = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
      #expect(content(path) == first)
      #expect(origin.ranges == [nil, "bytes=2000-", "bytes=3000-", "bytes=2000-"])
      #expect(try names == ["film.mp4"])
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func discardingRemovesBothVersions() async throws {
    let origin = RangeOrigin(count: 5000)
    try await replace(origin)
    let held = origin.hold(after: 1)
    let download = try origin.client().download(.get("film.mp4"), to: .file(path))
    download.start()
    await held.wait()
    download.cancel(discarding: true)
    await #expect(throws: CancellationError.self) { try await download.value() }
    #expect(try names == [])
  }

  /// A pause while newer content arrives, with what a serializer collects in memory.
  @Test func inMemoryTheNewerContentGoesOn() async throws {
    let origin = RangeOrigin(count: 5000)
    let first = origin.hold(after: 2000)
    let transfer = try origin.client().transfer(.get("film.mp4"), as: .data)
    transfer.start()
    await first.wait()
    transfer.pause()
    origin.change {
      $0.content = RangeOrigin.content(5000, seed: 2)
      $0.tag = "\"v2\""
    }
    let second = origin.hold(after: 1000)
    transfer.resume()
    await second.wait()
    transfer.pause()
    transfer.resume()
    #expect(try await transfer.value().array == origin.content)
    #expect(origin.ranges == [nil, "bytes=2000-", "bytes=1000-"])
  }
}
