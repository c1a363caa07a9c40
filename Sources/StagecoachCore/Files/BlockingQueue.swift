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

  /// Runs a blocking call and suspends the task until it has returned, and what it holds is let go.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let job = Job(work)
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: job.run()) }
    }
    job.pass()
    return try result.get()
  }

  /// Runs a blocking call, after those that were given to a serial queue before, without waiting for it.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// Work that is let go before its result is handed over: the block that runs it can outlive the caller's wait.
private final class Job<Value: Sendable>: Sendable {
  private let work: Mutex<@Sendable () throws -> Value>

  init(_ work: @escaping @Sendable () throws -> Value) {
    self.work = Mutex(work)
  }

  func run() -> Result<Value, any Error> {
    work.withLock { work in
      defer { work = { throw CancellationError() } }
      return Result { try work() }
    }
  }

  /// Shows the thread sanitizer that what is written before a continuation is resumed is read after that: the runtime
  /// does not tell it where the continuation is resumed before its task waits.
  func pass() { work.withLock { _ in } }
}
