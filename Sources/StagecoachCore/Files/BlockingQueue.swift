package import Dispatch

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
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }

  /// Runs a blocking call, after those that were given to a serial queue before, without waiting for it.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}
