#if canImport(FoundationNetworking)
  import Foundation

  /// A delegate queue that runs what it is given at once, on the engine's own thread, which saves an operation and
  /// a change of thread for each call.
  ///
  /// All sessions of a process share that thread. A delegate that runs on it must call nothing of a session or task
  /// that waits for their queues, since it would wait for itself; must not block; and must run no code of others.
  final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Safe: it adds no state to a class that is Sendable.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif
