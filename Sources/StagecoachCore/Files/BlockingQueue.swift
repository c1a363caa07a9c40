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
  package func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let job = Job(work)
    await withCheckedContinuation { continuation in
      queue.async {
        job.run()
        continuation.resume()
      }
    }
    return try job.result()
  }

  /// Runs a blocking call, after those that were given to a serial queue before, without waiting for it.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// Work that is let go before its result is handed over: the block that runs it can outlive the caller's wait.
///
/// The result is passed under its lock, and not by the continuation: the runtime does not tell the thread sanitizer
/// where that is resumed before its task waits.
private final class Job<Value: Sendable, Failure: Error>: Sendable {
  private enum State {
    case work(@Sendable () throws(Failure) -> Value)
    case done(Result<Value, Failure>)
  }

  private let state: Mutex<State>

  init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
    state = Mutex(.work(work))
  }

  func run() {
    state.withLock { state in
      if case .work(let work) = state { state = .done(Result(catching: work)) }
    }
  }

  /// The result; if it has not run yet, it runs here.
  func result() throws(Failure) -> Value {
    try state.withLock { (state) throws(Failure) in
      switch state {
      case .work(let work): try work()
      case .done(let result): try result.get()
      }
    }
  }
}
