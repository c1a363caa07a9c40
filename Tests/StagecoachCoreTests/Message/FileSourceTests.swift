import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct FileSourceTests {
  private let directory: ScratchDirectory
  private let path: String
  static let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  init() throws {
    directory = try ScratchDirectory()
    path = try directory.file("file", Self.content)
  }

  @Test(
    arguments: [
      nil, 0..<700_000, 0..<0, 700_000..<700_000, 1..<2, 262_143..<262_145, 5..<699_999, 262_144..<524_288,
    ] as [Range<Int64>?]
  )
  func sendsARangeAgainAndAgain(range: Range<Int64>?) async throws {
    let body = try Request.Body.file(path, range: range)
    let wanted = range.map { Self.content[Int($0.lowerBound)..<Int($0.upperBound)] } ?? Self.content[...]
    #expect(body.length == Int64(wanted.count))
    #expect(body.isReplayable)
    #expect(!body.isEmpty)
    #expect(body.bytes == nil)
    for _ in 1...2 { #expect(try await read(body) == Bytes(wanted)) }
  }

  @Test(arguments: [0..<700_001, 700_001..<700_002, -1..<3, -5..<(-1)] as [Range<Int64>])
  func aRangeBeyondTheFileIsRefused(range: Range<Int64>) throws {
    let error = try #require(throws: ExchangeError.self) { _ = try Request.Body.file(path, range: range) }
    #expect(error.kind == .file)
    #expect(error.message.contains("700000 bytes"))
  }

  @Test func refusesAMissingOrIrregularFile() throws {
    for (path, text) in [
      (directory.path, "is not a regular file"), ("/dev/null", "is not a regular file"),
      (directory.path + "/missing", "No such file"), ("", "No such file"),
    ] {
      let error = try #require(throws: ExchangeError.self) { _ = try Request.Body.file(path) }
      #expect(error.kind == .file)
      #expect(error.message.contains(text))
      #expect(path.isEmpty || error.message.contains(path))
    }
  }

  @Test func aFileThatWentAwayIsSaidWhenItIsOpened() throws {
    let body = try Request.Body.file(path)
    try FileManager.default.removeItem(atPath: path)
    let error = try #require(throws: ExchangeError.self) { _ = try body.makeSource() }
    #expect(error.kind == .file)
    #expect(error.message.contains("cannot open"))
  }

  @Test func aFileThatIsShortenedWhileItIsSentFails() async throws {
    let source = try Request.Body.file(path).makeSource()
    #expect(try await source.next()?.count == 256 * 1024)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 300_000)
    try handle.close()
    #expect(try await source.next()?.count == 300_000 - 256 * 1024)
    let error = try await #require(throws: ExchangeError.self) { _ = try await source.next() }
    #expect(error.kind == .file)
    #expect(error.message.contains("ended after 300000 of 700000 bytes"))
  }

  @Test func aFileThatGrowsSendsWhatWasDeclared() async throws {
    let body = try Request.Body.file(path)
    try Data(Self.content + [1, 2, 3]).write(to: URL(fileURLWithPath: path))
    #expect(try await read(body) == Bytes(Self.content))
  }

  @Test func cancellationStopsReading() async throws {
    let source = try Request.Body.file(path).makeSource()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await source.next()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    source.cancel()
    await #expect(throws: CancellationError.self) { _ = try await source.next() }
  }

  @Test func theEndIsReportedAgainAndAgain() async throws {
    let source = try Request.Body.file(path, range: 0..<1).makeSource()
    #expect(try await source.next()?.count == 1)
    for _ in 1...3 { #expect(try await source.next() == nil) }
  }
}
