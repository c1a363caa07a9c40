#if canImport(FoundationNetworking)
  import Foundation

  /// A delegate queue that runs its operations at once, on the engine's own thread. This saves an operation and a
  /// change of thread per call.
  ///
  /// All sessions of a process share that thread. A delegate on it must not call session or task methods that wait for
  /// their queues, because that would deadlock; must not block; and must not run code of users.
  final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Safe: it adds no state to a class that is Sendable.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif
