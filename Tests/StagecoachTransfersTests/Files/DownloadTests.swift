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
  private let directory: ScratchDirectory
  private let path: String

  init() throws {
    directory = try ScratchDirectory()
    path = directory.path + "/film.mp4"
  }

  private func content(_ path: String) -> [UInt8]? {
    // `FileManager.contents(atPath:)` leaks if a file is empty.
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    return Array((try? file.readToEnd()) ?? Data())
  }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  /// Downloads until the transfer fails.
  private func interrupt(_ origin: RangeOrigin, after count: Int, parts: Int = 1) async throws {
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

  @Test func aChangedFileStartsAnew() async throws {
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
  @Test func repliesThatDoNotFit() async throws {
    let replies: [(String, @Sendable ([UInt8]) -> Response)] = [
      (
        "another start",
        { Response(.partialContent, fields: [.contentRange: "bytes 0-4999/5000"], body: .bytes(Bytes($0))) }
      ),
      ("no range", { Response(.partialContent, body: .bytes(Bytes(Array($0[2000...])))) }),
      (
        "a coding",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 2000-4999/5000", .contentEncoding: "gzip"],
            body: .bytes(Bytes(Array($0[2000...])))
          )
        }
      ),
      (
        "another length",
        {
          Response(
            .partialContent,
            fields: [.contentRange: "bytes 2000-4999/5001"],
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
        fields: [.contentRange: "bytes \(start)-\(end - 1)/5000"],
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

  @Test func codedContentIsDecodedAndStartsAnew() async throws {
    let origin = RangeOrigin(count: 5000)
    let content = origin.content
    let coded = GzipSample.member(of: content)
    origin.change {
      $0.content = coded
      $0.fields = [.contentEncoding: "gzip"]
    }
    let stages: [any Middleware] = [Validation(), ContentDecoding()]
    origin.cut(after: 2000)
    await #expect(throws: ExchangeError.self) {
      try await origin.client(stages: stages).download(.get("film.mp4"), to: .file(path)).value()
    }
    #expect(try names == [])
    _ = try await origin.client(stages: stages).download(.get("film.mp4"), to: .file(path)).value()
    #expect(self.content(path) == content)
    #expect(origin.ranges == [nil, nil])
  }

  @Test func existingFiles() async throws {
    let origin = RangeOrigin(count: 500)
    _ = try directory.file("film.mp4", [1, 2, 3])
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    }
    #expect(error?.kind == .file)
    #expect(error?.stage == "FileResponseSerializer")
    #expect(origin.requests.isEmpty)
    #expect(content(path) == [1, 2, 3])
    for number in 1...2 {
      let file = try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .unique))
        .value()
      #expect(file.path == directory.path + "/film (\(number)).mp4")
      #expect(content(file.path) == origin.content)
    }
    let file = try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite))
      .value()
    #expect(file.path == path)
    #expect(content(path) == origin.content)
    #expect(try names == ["film (1).mp4", "film (2).mp4", "film.mp4"])
  }

  /// A file that comes to be while a download runs is not replaced, and the download is kept.
  @Test func aFileThatComesMeanwhile() async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let download = try origin.client().download(.get("film.mp4"), to: .file(path))
    download.start()
    await held.wait()
    _ = try directory.file("film.mp4", [1, 2, 3])
    download.pause()
    download.resume()
    let error = await #expect(throws: ExchangeError.self) { try await download.value() }
    #expect(error?.kind == .file)
    #expect(content(path) == [1, 2, 3])
  }

  @Test func aFolderGetsTheNameOfTheServer() async throws {
    let origin = RangeOrigin(count: 5000)
    origin.change { $0.fields = [.contentDisposition: "attachment; filename=\"../other.mp4\""] }
    let held = origin.hold(after: 2000)
    let download = try origin.client().download(.get("films/film.mp4?x=1"), to: .file(in: directory.path))
    download.start()
    await held.wait()
    #expect(try names == ["film.mp4.part", "film.mp4.part.json"])
    download.pause()
    download.resume()
    #expect(try await download.value().path == directory.path + "/other.mp4")
    #expect(try names == ["other.mp4"])
  }

  @Test func aSecondTransferIsRefused() async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let first = try origin.client().download(.get("film.mp4"), to: .file(path))
    first.start()
    await held.wait()
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    }
    #expect(error?.kind == .file)
    #expect(error?.message.contains("in use by another download") == true)
    first.pause()
    first.resume()
    _ = try await first.value()
    #expect(content(path) == origin.content)
  }

  @Test func aForeignFileIsNotTouched() async throws {
    let origin = RangeOrigin(count: 500)
    _ = try directory.file("film.mp4.part", [1, 2, 3])
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    }
    #expect(error?.message.contains("without the journal") == true)
    #expect(content(path + ".part") == [1, 2, 3])
    // A journal of something else makes it no better, and a link is not followed.
    try FileManager.default.removeItem(atPath: path + ".part")
    try FileManager.default.createSymbolicLink(atPath: path + ".part", withDestinationPath: "/etc/hosts")
    await #expect(throws: ExchangeError.self) {
      try await origin.client().download(.get("film.mp4"), to: .file(path)).value()
    }
    #expect(origin.requests.isEmpty)
  }

  @Test func anotherURLStartsAnew() async throws {
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

  @Test func checksums() async throws {
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

  @Test func partsAtTheSameTime() async throws {
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

  @Test func cancellingKeepsOrDiscardsTheBytes() async throws {
    for isDiscarding in [false, true] {
      let origin = RangeOrigin(count: 5000)
      let held = origin.hold(after: 2000)
      let download = try origin.client().download(.get("film.mp4"), to: .file(path))
      download.start()
      await held.wait()
      download.cancel(discarding: isDiscarding)
      await #expect(throws: CancellationError.self) { try await download.value() }
      #expect(try names == (isDiscarding ? [] : ["film.mp4.part", "film.mp4.part.json"]))
    }
  }

  @Test func limits() async throws {
    let origin = RangeOrigin(count: 5000)
    let request = Request.get("film.mp4").with(\.fileBodyLimit, 4999)
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(request, to: .file(path)).value()
    }
    #expect(error?.kind == .limit(.body))
    #expect(try names == [] || (try names) == ["film.mp4.part", "film.mp4.part.json"])
  }

  @Test func emptyFiles() async throws {
    let origin = RangeOrigin(count: 0)
    #expect(try await origin.client().download(.get("film.mp4"), to: .file(path)).value().size == 0)
    #expect(content(path) == [])
  }

  @Test func whatCannotBecomeAFileIsRefused() async throws {
    let origin = RangeOrigin(count: 10)
    for path in ["/dev/null", directory.path] {
      let error = await #expect(throws: ExchangeError.self) {
        try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite)).value()
      }
      #expect(error?.kind == .file)
    }
    #expect(origin.requests.isEmpty)
  }

  @Test func aLinkIsFollowed() async throws {
    let origin = RangeOrigin(count: 10)
    _ = try directory.file("target", [1])
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.path + "/target")
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite)).value()
    #expect(content(directory.path + "/target") == origin.content)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == directory.path + "/target")
  }

  /// After a crash of the machine what was flushed counts, so it is noted while a download runs.
  @Test func bytesAreFlushedWhileADownloadRuns() async throws {
    let count = 20 << 20
    let origin = RangeOrigin(count: count, chunkSize: 256 << 10)
    let held = origin.hold(after: count - 1)
    let (client, request) = (try origin.client(), Request.get("film.mp4"))
    let store = FileStore(
      .file(path),
      checksum: nil,
      parts: 1,
      request: request,
      base: client.base,
      flushingEvery: 8 << 20
    )
    let download = Transfer(request, clock: SystemTime(), work: ResumableWork(client, request, nil, store))
    download.start()
    await held.wait()
    func journal() -> TransferJournal? { content(path + ".part.json").flatMap { TransferJournal($0) } }
    while journal()?.durable?.count != 16 << 20 { try await Task.sleep(for: .milliseconds(10)) }
    // An earlier start of the machine.
    var later = try #require(journal())
    later.boot = "another"
    #expect(journal()?.kept(for: later, size: Int64(count - 1))?.count == 16 << 20)
    download.pause()
    download.resume()
    _ = try await download.value()
    #expect(content(path) == origin.content)
  }

  @Test func theJournalIsPrivate() async throws {
    let origin = RangeOrigin(count: 5000)
    try await interrupt(origin, after: 2000)
    let attributes = try FileManager.default.attributesOfItem(atPath: path + ".part.json")
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }
}
