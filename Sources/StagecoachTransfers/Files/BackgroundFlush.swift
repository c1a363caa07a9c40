import StagecoachCore
import Synchronization

/// Flushes a file to the disk while more is written to it, so that the network does not wait for the disk. One flush
/// follows the other.
final class BackgroundFlush: Sendable {
  private let queue = BlockingQueue(label: "stagecoach.transfers.flush")
  private let failure = Mutex<(any Error)?>(nil)

  /// Starts a flush once those before it have ended.
  ///
  /// - Throws: The failure of an earlier one, which the system tells only once.
  func start(_ flush: @escaping @Sendable () throws -> Void) throws {
    try check()
    queue.enqueue {
      do { try flush() } catch { self.failure.withLock { $0 = error } }
    }
  }

  /// Waits until all flushes have ended.
  ///
  /// - Throws: The failure of one of them.
  func finish() async throws {
    try await queue.run { try self.check() }
  }

  private func check() throws {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
