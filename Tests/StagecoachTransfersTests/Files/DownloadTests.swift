import Foundation
import HTTPTypes
import StagecoachContentCoding
import StagecoachCore
import StagecoachSerializers
import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct DownloadTests {
  let directory: ScratchDirectory
  let path: String

  init() throws {
    directory = try ScratchDirectory()
    path = directory.path + "/film.mp4"
  }

  func content(_ path: String) -> [UInt8]? {
    // `FileManager.contents(atPath:)` leaks if a file is empty.
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    return Array((try? file.readToEnd()) ?? Data())
  }
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  /// Downloads until the transfer fails.
  func interrupt(_ origin: RangeOrigin, after count: Int, parts: Int = 1) async throws {
    origin.cut(after: count)
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(
        .get("film.mp4"),
        to: .file(path, existing: .overwrite),
        parts: parts
      ).value()
    }
    #expect(error?.kind == .connectionReset)
  }

  @Test func aFileAppearsWhenItIsComplete() async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let download = try origin.client().download(.get("film.mp4"), to: .file(path))
    #expect(try names == [])
    download.start()
    await held.wait()
    #expect(try names == ["film.mp4.part", "film.mp4.part.json"])
    download.pause()
    download.resume()
    #expect(try await download.value() == SavedFile(path: path, size: 5000))
    #expect(content(path) == origin.content)
    #expect(try names == ["film.mp4"])
    #expect(origin.ranges == [nil, "bytes=2000-"])
    #expect(origin.requests.allSatisfy { $0.fields[.acceptEncoding] == "identity" })
  }

  @Test func aLaterDownloadGoesOn() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    #expect(content(path + ".part")?.count == 2000)
    let file = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    #expect(file.size == 5000)
    #expect(content(path) == origin.content)
    #expect(origin.ranges == [nil, "bytes=2000-"])
    #expect(origin.sent == 5000)
    #expect(try names == ["film.mp4"])
  }

  @Test func aChangedFileIsDownloadedFromTheStart() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    origin.change {
      $0.content = RangeOrigin.content(4000, seed: 2)
      $0.tag = "\"v2\""
    }
    let monitor = EventRecorder()
    let download = try origin.client(.init(monitors: [monitor])).download(.get("film.mp4"), to: .file(path))
    _ = try await download.value()
    #expect(content(path) == origin.content)
    #expect(origin.ranges == [nil, "bytes=2000-"])
    #expect(download.progress.restarts == 1)
    #expect(download.progress.received.bytes == 4000)
  }

  /// Replies that do not fit, after which the content comes in one version.
  @Test func aPartThatDoesNotFitIsDownloadedFromTheStart() async throws {
    let replies: [(String, @Sendable ([UInt8]) -> Response)] = [
      (
        "another start",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 0-4999/5000", .eTag: "\"v1\""],
            body: .bytes(Bytes($0))
          )
        }
      ),
      (
        "no range",
        { Response(.partialContent, fields: [.eTag: "\"v1\""], body: .bytes(Bytes(Array($0[2000...])))) }
      ),
      (
        "a coding",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 2000-4999/5000", .eTag: "\"v1\"", .contentEncoding: "gzip"],
            body: .bytes(Bytes(Array($0[2000...])))
          )
        }
      ),
      (
        "another length",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 2000-4999/5001", .eTag: "\"v1\""],
            body: .bytes(Bytes(Array($0[2000...])))
          )
        }
      ),
      (
        "no tag",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 2000-4999/5000"],
            body: .bytes(Bytes(Array($0[2000...])))
          )
        }
      ),
      (
        "another tag",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 2000-4999/5000", .eTag: "\"v2\""],
            body: .bytes(Bytes(Array($0[2000...])))
          )
        }
      ),
      ("416", { _ in Response(.rangeNotSatisfiable, fields: [.contentRange: "bytes */1000"]) }),
      ("412", { _ in Response(.preconditionFailed, body: .bytes("no")) }),
    ]
    for stages in [[], [Validation(), ContentDecoding()]] as [[any Middleware]] {
      for (name, reply) in replies {
        let origin = RangeOrigin(count: 5000)
        try await interrupt(origin, after: 2000)
        let content = origin.content
        origin.answer { $0.fields.contains(.range) ? reply(content) : nil }
        let download = try origin.client(stages: stages).download(
          .get("film.mp4"),
          to: .file(path, existing: .overwrite)
        )
        _ = try await download.value()
        #expect(self.content(path) == content, "\(name)")
        #expect(origin.ranges == [nil, "bytes=2000-", nil], "\(name)")
        #expect(download.progress.restarts == 1, "\(name)")
      }
    }
  }

  @Test func aFileOfWhichNothingIsMissingIsCompletedByTheServersWord() async throws {
    for stages in [[], [Validation()]] as [[any Middleware]] {
      let origin = RangeOrigin(count: 5000)
      // As if the process had been killed between the last byte and the renaming.
      try await interrupt(origin, after: 5000)
      _ = try await origin.client(stages: stages).download(
        .get("film.mp4"),
        to: .file(path, existing: .overwrite)
      ).value()
      #expect(content(path) == origin.content)
      #expect(origin.ranges == [nil, "bytes=5000-"])
    }
  }

  /// A server that sends next to nothing for a range is asked for all of it.
  @Test func tinyPiecesAreFollowedByTheWhole() async throws {
    let origin = RangeOrigin(count: 50_000)
    try await interrupt(origin, after: 2000)
    let content = origin.content
    origin.answer { request in
      guard let range = request.fields[.range], let start = Int(range.dropFirst(6).dropLast()) else {
        return nil
      }
      return Response(
        .partialContent,
        fields: [.contentRange: "bytes \(start)-\(start + 15)/50000", .eTag: "\"v1\""],
        body: .bytes(Bytes(Array(content[start..<start + 16])))
      )
    }
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    #expect(self.content(path) == content)
    #expect(origin.requests.count == 1 + 32 + 1)
    #expect(try names == ["film.mp4"])
  }

  @Test func aServerThatSendsTheRestInPiecesIsAskedAgain() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    let content = origin.content
    origin.answer { request in
      guard let range = request.fields[.range], let start = Int(range.dropFirst(6).dropLast()) else {
        return nil
      }
      let end = min(start + 700, 5000)
      return Response(
        .partialContent,
        fields: [.contentRange: "bytes \(start)-\(end - 1)/5000", .eTag: "\"v1\""],
        body: .bytes(Bytes(Array(content[start..<end])))
      )
    }
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    #expect(self.content(path) == content)
    #expect(origin.requests.count == 6)
  }

  @Test func contentThatChangesAllTheTimeIsGivenUp() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    // Each time it breaks off, and the rest is of another version.
    origin.answer { request in
      request.fields.contains(.range)
        ? Response(.preconditionFailed)
        : Response(
          .ok,
          fields: [.eTag: "\"v\""],
          body: Response.Body(source: ScriptedSource(chunks: ["x"]), length: 2)
        )
    }
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    }
    #expect(error?.kind == .protocolViolation)
    #expect(origin.requests.count <= 8)
    #expect(content(path) == nil)
  }

  /// A file is what the server published, whatever coding it declares for it.
  @Test(arguments: ["gzip", "x-gzip", "br"])
  func codedContentIsStoredAsItComesAndGoesOn(coding: String) async throws {
    let coded = GzipSample.member(of: RangeOrigin.content(5000, seed: 1))
    let origin = RangeOrigin(RangeOrigin.Resource(content: coded, fields: [.contentEncoding: coding]))
    let client = try origin.client(stages: [Validation(), ContentDecoding()])
    origin.cut(after: 2000)
    await #expect(throws: ExchangeError.self) {
      try await client.download(.get("film.mp4"), to: .file(path)).value()
    }
    let file = try await client.download(.get("film.mp4"), to: .file(path)).value()
    #expect(content(path) == coded)
    #expect(file.size == Int64(coded.count))
    #expect(origin.ranges == [nil, "bytes=2000-"])
    #expect(origin.requests.allSatisfy { $0.fields[.acceptEncoding] == "identity" })
  }

  @Test func anotherURLIsDownloadedFromTheStart() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    _ = try await origin.client().download(.get("other.mp4"), to: .file(path)).value()
    #expect(content(path) == origin.content)
    #expect(origin.ranges == [nil, nil])
  }

  @Test func aRefusedResponseIsNotSavedAndKeepsTheBytes() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    for stages in [[], [Validation()]] as [[any Middleware]] {
      origin.answer { _ in Response(.notFound, body: .bytes("no such film")) }
      let error = await #expect(throws: ExchangeError.self) {
        try await origin.client(stages: stages).download(.get("film.mp4"), to: .file(path)).value()
      }
      #expect(error?.kind == .status)
      #expect(content(path) == nil)
      #expect(content(path + ".part")?.count == 2000)
    }
    origin.answer(nil)
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    #expect(content(path) == origin.content)
  }
}
