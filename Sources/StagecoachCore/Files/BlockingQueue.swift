package import Dispatch

/// Runs blocking calls outside the cooperative pool, whose threads must not wait.
package struct BlockingQueue: Sendable {
  /// For calls on files, which may run at the same time.
  package static let files = BlockingQueue(label: "stagecoach.files", attributes: .concurrent)

  private let queue: DispatchQueue

  /// A queue that runs one call after the other, unless its attributes say otherwise.
  package init(label: String, attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: label, attributes: attributes)
  }

  /// Runs a blocking call and waits for it without holding a thread.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
