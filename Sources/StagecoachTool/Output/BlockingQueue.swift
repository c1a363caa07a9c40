#if Tool
  import Dispatch

  /// Runs blocking calls one after the other on a thread outside the cooperative pool.
  struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    init(label: String) {
      queue = DispatchQueue(label: label)
    }

    /// Runs a blocking call and waits for it without holding a thread.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result { try work() }) }
      }
    }
  }
#endif
