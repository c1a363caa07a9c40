import Dispatch
import Synchronization

/// A completion handler, which is called once and then released.
final class CompletionHandler<Value: Sendable>: Sendable {
  private let queue: CallbackQueue
  private let group: DispatchGroup?
  private let handler: Mutex<(@Sendable (Value) -> Void)?>

  init(
    _ queue: CallbackQueue,
    _ group: DispatchGroup?,
    _ handler: @escaping @Sendable (Value) -> Void
  ) {
    group?.enter()
    self.queue = queue
    self.group = group
    self.handler = Mutex(handler)
  }

  deinit {
    // A group that is released before its last member has left ends the process.
    if handler.withLock({ $0 != nil }) { group?.leave() }
  }

  /// Calls the handler on its queue, later, and after that a closure.
  ///
  /// It takes the handler out on the queue, so that everything it captured is released there too.
  func call(_ value: Value, then next: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      run(value)
      group?.leave()
      next()
    }
  }

  private func run(_ value: Value) {
    let taken = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    taken?(value)
  }
}
