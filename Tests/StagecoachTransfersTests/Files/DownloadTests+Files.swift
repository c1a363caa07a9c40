import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

/// Names, links, locks and what is there already.
extension DownloadTests {
  @Test func anExistingFileIsRefusedUnlessReplaced() async throws {
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
  @Test func aFileThatAppearsMeanwhileIsNotReplaced() async throws {
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

  /// A file without a journal is not of a download, whatever its name.
  @Test func discardingKeepsTheFilesOfOthers() async throws {
    _ = try directory.file("film.mp4.part2", [1])
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let download = try origin.client().download(.get("film.mp4"), to: .file(path))
    download.start()
    await held.wait()
    download.cancel(discarding: true)
    await #expect(throws: CancellationError.self) { try await download.value() }
    #expect(content(path + ".part2") == [1])
    #expect(try names == ["film.mp4.part2"])
  }

  @Test func refusesAFileBeyondTheLimit() async throws {
    let origin = RangeOrigin(count: 5000)
    let request = Request.get("film.mp4").with(\.fileBodyLimit, 4999)
    let error = await #expect(throws: ExchangeError.self) {
      try await origin.client().download(request, to: .file(path)).value()
    }
    #expect(error?.kind == .limit(.body))
    #expect(try names == [] || (try names) == ["film.mp4.part", "film.mp4.part.json"])
  }

  @Test func downloadsAnEmptyFile() async throws {
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

  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  /// A file that is private stays so, also while it is written.
  @Test func aReplacedFileKeepsItsPermissions() async throws {
    for bits in [0o600, 0o640, 0o664, 0o755, 0o400] {
      let origin = RangeOrigin(count: 5000)
      _ = try directory.file("film.mp4", [1])
      try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: path)
      try await interrupt(origin, after: 2000)
      // Its group is ours until it is complete.
      #expect(try mode(path + ".part") == bits & 0o700 | 0o600)
      _ = try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite)).value()
      #expect(content(path) == origin.content)
      #expect(try mode(path) == bits)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
  func aReplacedFileKeepsItsOwner() async throws {
    let origin = RangeOrigin(count: 10)
    _ = try directory.file("film.mp4", [1])
    #expect(chown(path, 12_345, 23_456) == 0)
    _ = try await origin.client().download(.get("film.mp4"), to: .file(path, existing: .overwrite)).value()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_uid == 12_345 && status.st_gid == 23_456)
  }

  /// The longest names of a URL leave no room for `.part`.
  @Test(arguments: [239, 240, 241, 243, 250, 255])
  func longNamesLeaveRoomForThePartialFile(length: Int) async throws {
    let origin = RangeOrigin(count: 5000)
    for letter in ["n", "\u{e9}"] {
      let repeated = String(repeating: letter, count: (length - 4) / letter.utf8.count)
      let name = String(repeating: "x", count: length - 4 - repeated.utf8.count) + repeated + ".mp4"
      #expect(name.utf8.count == length)
      let url = try "films/" + #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      origin.cut(after: 2000)
      let client = try origin.client()
      await #expect(throws: ExchangeError.self) {
        try await client.download(.get(url), to: .file(in: directory.path)).value()
      }
      let found = try await client.unfinishedDownloads(in: directory.path)
      #expect(found.map(\.path) == ["\(directory.path)/\(name)"])
      #expect(found.map(\.bytes) == [2000])
      let file = try await client.download(.get(url), to: .file(in: directory.path)).value()
      #expect(file.path == "\(directory.path)/\(name)")
      #expect(content(file.path) == origin.content)
      #expect(origin.ranges.last == "bytes=2000-")
      #expect(try names == [name])
      let second = try await client.download(.get(url), to: .file(in: directory.path, existing: .unique))
        .value()
      #expect(second.path.hasSuffix(" (1).mp4"))
      #expect(content(second.path) == origin.content)
      for name in try names { try FileManager.default.removeItem(atPath: "\(directory.path)/\(name)") }
    }
  }
}
