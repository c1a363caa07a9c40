import Foundation
import Stagecoach
import TestSupport
import Testing

@Suite struct FileWriterTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  @Test func aWriterThatGoesAwayLeavesNothing() async throws {
    do {
      let writer = try await FileWriter.open(directory.path + "/a", existing: .fail)
      try await writer.write("x")
      #expect(try names.count == 1)
    }
    #expect(try names.isEmpty)
  }

  @Test func aWriterDoesItsWorkOnce() async throws {
    let writer = try await FileWriter.open(directory.path + "/a", existing: .fail)
    try await writer.write("x")
    try await writer.commit()
    writer.discard()
    #expect(try names == ["a"])
    await #expect(throws: CancellationError.self) { try await writer.write("y") }
    await #expect(throws: CancellationError.self) { try await writer.commit() }

    let discarded = try await FileWriter.open(directory.path + "/b", existing: .overwrite)
    discarded.discard()
    await #expect(throws: CancellationError.self) { try await discarded.commit() }
    #expect(try names == ["a"])
  }

  @Test func writersOfOneNameDoNotMix() async throws {
    let path = directory.path + "/a"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let writer = try await FileWriter.open(path, existing: .overwrite)
          for _ in 0..<10 { try await writer.write(Bytes([UInt8(number)])) }
          try await writer.commit(isSynced: false)
        }
      }
      try await group.waitForAll()
    }
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(content.count == 10)
    #expect(Set(content).count == 1)
    #expect(try names == ["a"])
  }

  @Test func onlyOneOfManyExclusiveWritersWins() async throws {
    let path = directory.path + "/a"
    let wins = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do {
            let writer = try await FileWriter.open(path, existing: .fail)
            try await writer.commit(isSynced: false)
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    #expect(wins == 1)
    #expect(try names == ["a"])
  }

  @Test func aDanglingLinkIsKept() async throws {
    let (link, target) = (directory.path + "/link", directory.path + "/elsewhere/target")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await FileWriter.open(link, existing: .overwrite, follows: true)
    }
    #expect(error.kind == .file)
    #expect(try names == ["link"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func aPipeWithoutAReaderIsAnError() async throws {
    let path = directory.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await FileWriter.open(path, existing: .overwrite, follows: true)
    }
    #expect(error.kind == .file)
    #expect(try names == ["pipe"])
  }

  /// Writing to a pipe without a reader raises SIGPIPE, which would end the process.
  @Test func aPipeWhoseReaderGoesAwayIsAnError() async throws {
    let path = directory.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    let writer = try await FileWriter.open(path, existing: .overwrite, follows: true)
    try await writer.write("abc")
    close(reader)
    let error = await #expect(throws: ExchangeError.self) { try await writer.write("def") }
    #expect(error?.kind == .file)
  }

  /// As a shell makes it of `>> log`: what is in it stays, and what others write to it too.
  @Test(arguments: ["/dev/fd/", "/proc/self/fd/"])
  func aFileThatIsOpenIsWrittenTo(folder: String) async throws {
    let path = directory.path + "/log"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(write(descriptor, "before ", 7) == 7)
    let writer = try await FileWriter.open("\(folder)\(descriptor)", existing: .overwrite, follows: true)
    try await writer.write("body")
    try await writer.commit()
    #expect(write(descriptor, " after", 6) == 6)
    #expect(try names == ["log"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "before body after")
  }

  @Test(.timeLimit(.minutes(1))) func waitingForAReaderCanBeCancelled() async throws {
    let path = directory.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    let writer = try await FileWriter.open(path, existing: .overwrite, follows: true)
    let task = Task { try await writer.write(Bytes([UInt8](repeating: 0, count: 4 << 20))) }
    var octet: UInt8 = 1
    while read(reader, &octet, 1) != 1 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
