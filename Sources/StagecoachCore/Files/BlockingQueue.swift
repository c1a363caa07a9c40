package import Dispatch
import Synchronization

/// Runs blocking calls outside the cooperative thread pool, whose threads must not block.
package struct BlockingQueue: Sendable {
  /// The queue for file system calls, which may run concurrently.
  package static let files = BlockingQueue(label: "stagecoach.files", attributes: .concurrent)

  private let queue: DispatchQueue

  /// Creates a serial queue, or a concurrent one if the attributes say so.
  package init(label: String, attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: label, attributes: attributes)
  }

  /// Runs a blocking call and suspends the task until it returns.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let handover = Handover()
    let result = await withCheckedContinuation { continuation in
      queue.async {
        let result = Swift.Result { try work() }
        handover.pass()
        continuation.resume(returning: result)
      }
    }
    handover.pass()
    return try result.get()
  }

  /// Runs a blocking call, after those that were given to a serial queue before, without waiting for it.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// Shows the thread sanitizer that what is written before a continuation is resumed is read after that: the runtime does
/// not tell it where the continuation is resumed before its task waits. One side passes before it resumes, the other when
/// it goes on.
private final class Handover: Sendable {
  private let lock = Mutex(())

  func pass() { lock.withLock { _ in } }
}
