import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lets one test at a time write a fixture, of all processes of the user.
enum FixtureLock {
  /// Its one thread waits for locks, so that those that write under a lock always find a thread.
  private static let queue = BlockingQueue(label: "stagecoach.fixture-locks")

  static func withLock<Result>(of folder: String, _ body: () async throws -> Result) async throws -> Result {
    let descriptor = try await queue.run { try open(folder) }
    defer { close(descriptor) }
    return try await body()
  }

  private static func open(_ folder: String) throws -> Int32 {
    let name = SHA256.hash(Array(folder.utf8)).hexadecimal.prefix(32)
    let temporary = FileManager.default.temporaryDirectory.path
    let file = "\(temporary)/stagecoach-fixture-\(getuid())-\(name)"
    let descriptor = systemOpen(file)
    guard descriptor >= 0 else { throw ScenarioError(.file, file: file, "the lock cannot be created") }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        throw ScenarioError(.file, file: file, "the lock cannot be taken")
      }
    }
    return descriptor
  }

  private static func systemOpen(_ file: String) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    #elseif canImport(Musl)
      Musl.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    #else
      Darwin.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    #endif
  }
}
