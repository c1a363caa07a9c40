import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct UnfinishedDownloadTests {
  private let directory: ScratchDirectory
  private let origin = RangeOrigin(count: 100_000)

  init() throws {
    directory = try ScratchDirectory()
  }

  private func content(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { Array($0) }
  }

  /// Copies what is there while a download executes, which is what the end of its process would leave.
  private func killed(after count: Int, in folder: String) async throws {
    let work = try ScratchDirectory()
    let held = origin.hold(after: count)
    let client = try origin.client()
    let transfer = client.download(.get("film.mp4"), to: .file(work.path + "/film.mp4"))
    transfer.start()
    await held.wait()
    // It is in use.
    #expect(try await client.unfinishedDownloads(in: work.path) == [])
    for name in try FileManager.default.contentsOfDirectory(atPath: work.path) {
      try FileManager.default.copyItem(atPath: "\(work.path)/\(name)", toPath: "\(folder)/\(name)")
    }
    transfer.cancel()
    await transfer.reaches(.finished)
  }

  @Test func anotherProcessGoesOn() async throws {
    try await killed(after: 30_000, in: directory.path)
    let client = try origin.client()
    let found = try await client.unfinishedDownloads(in: directory.path)
    let path = directory.path + "/film.mp4"
    #expect(found.map(\.path) == [path])
    #expect(found.map(\.url) == ["http://origin.test/film.mp4"])
    #expect(found.map(\.bytes) == [30_000])
    #expect(found.map(\.total) == [100_000])
    let transfer = client.download(continuing: try #require(found.first))
    #expect(transfer.state == .ready)
    #expect(try await transfer.value() == SavedFile(path: path, size: 100_000))
    #expect(content(path) == origin.content)
    #expect(origin.ranges == [nil, "bytes=30000-"])
    #expect(try await client.unfinishedDownloads(in: directory.path) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["film.mp4"])
  }

  @Test func aSnapshotOfADownloadGoesOnInAnotherProcess() async throws {
    let work = try ScratchDirectory()
    let held = origin.hold(after: 30_000)
    var serializer = FileResponseSerializer(.path(work.path + "/film.mp4"), existing: .overwrite)
    serializer.permissions = 0o600
    serializer.accepts = Acceptance(mediaTypes: [.any], statuses: [200..<201, 206..<207])
    let transfer = try origin.client().download(.get("film.mp4"), to: serializer, parts: 3)
    transfer.start()
    await held.wait()
    let data = try transfer.snapshot().encoded
    transfer.pause()
    // Until its file is closed, it is in use.
    var client = try origin.client()
    while try await client.unfinishedDownloads(in: work.path).isEmpty { await Task.yield() }
    client = try origin.client()
    let snapshot = try TransferSnapshot(decoding: data)
    #expect(snapshot.isDownload)
    #expect(snapshot.state == .executing)
    #expect(snapshot.work == (try transfer.snapshot().work))
    let restored = try client.restoreDownload(snapshot)
    #expect(restored.state == .ready)
    #expect(try await restored.value().size == 100_000)
    #expect(content(work.path + "/film.mp4") == origin.content)
    #expect(origin.ranges == [nil, "bytes=30000-"])
    let finished = try client.restoreDownload(TransferSnapshot(decoding: restored.snapshot().encoded))
    #expect(try await finished.value() == SavedFile(path: work.path + "/film.mp4", size: 100_000))
  }

  @Test func pausedAndFailedDownloadsAreListed() async throws {
    origin.cut(after: 20_000)
    let client = try origin.client()
    _ = try? await client.download(.get("b"), to: .file(directory.path + "/b")).value()
    origin.change { $0.tag = nil }
    origin.cut(after: 10_000)
    _ = try? await client.download(.get("a"), to: .file(directory.path + "/a")).value()
    // Without a validator nothing is kept.
    let found = try await client.unfinishedDownloads(in: directory.path)
    #expect(found.map(\.path) == [directory.path + "/b"])
    #expect(found.map(\.bytes) == [20_000])
  }

  @Test func whatCannotBeTrustedIsSkipped() async throws {
    func journal(_ url: String, method: String = "GET", content: String = "null") -> String {
      """
      {"version":1,"method":"\(method)","url":"\(url)","boot":"\(MachineBoot.identifier)","content":\(content)}
      """
    }
    func write(_ name: String, _ text: String, partial: [UInt8] = [1, 2, 3]) throws {
      _ = try directory.file("\(name).part", partial)
      _ = try directory.file("\(name).part.json", Array(text.utf8))
    }
    let spans =
      #"{"validator":{"etag":"\"v\""},"total":9,"spans":[{"start":0,"next":2,"end":9}]}"#
    try write("good", journal("http://h/good", content: spans))
    try write("bare", journal("http://h/bare"))
    try write("garbage", "{")
    try write("empty", "")
    try write("large", journal("http://h/" + String(repeating: "a", count: 300_000)))
    try write("post", journal("http://h/", method: "POST"))
    try write("password", journal("http://u:p@h/"))
    try write("relative", journal("/etc/passwd"))
    try write("file", journal("file:///etc/passwd"))
    try write(
      "negative",
      journal("http://h/", content: #"{"spans":[{"start":0,"next":-9223372036854775808}]}"#)
    )
    let injected = spans.replacingOccurrences(of: #"v\""#, with: #"v\r\n\""#)
    #expect(injected != spans)
    try write("injected", journal("http://h/", content: injected))
    _ = try directory.file("alone.part.json", Array(journal("http://h/").utf8))
    _ = try directory.file(".part.json", Array(journal("http://h/").utf8))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/link.part",
      withDestinationPath: directory.path + "/good.part"
    )
    _ = try directory.file("link.part.json", Array(journal("http://h/").utf8))
    _ = try directory.file("linked.part", [1])
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/linked.part.json",
      withDestinationPath: directory.path + "/good.part.json"
    )
    try FileManager.default.createDirectory(
      atPath: directory.path + "/folder.part.json",
      withIntermediateDirectories: false
    )
    #expect(mkfifo(directory.path + "/pipe.part", 0o600) == 0)
    _ = try directory.file("pipe.part.json", Array(journal("http://h/").utf8))
    let found = try await origin.client().unfinishedDownloads(in: directory.path)
    #expect(found.map(\.url) == ["http://h/bare", "http://h/good"])
    #expect(found.map(\.bytes) == [0, 3])
    #expect(found.map(\.total) == [nil, 9])
  }

  @Test func aFolderThatCannotBeReadIsATypedError() async throws {
    let client = try origin.client()
    let error = await #expect(throws: ExchangeError.self) {
      try await client.unfinishedDownloads(in: directory.path + "/none")
    }
    #expect(error?.kind == .file)
  }
}
