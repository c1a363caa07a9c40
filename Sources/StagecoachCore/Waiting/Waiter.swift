import Synchronization

/// One wait of a task for what another one brings. It ends once: with a value, a failure, or the cancellation of the task.
///
/// Who lets tasks wait keeps their waiters in a list of its own, and ends them outside of its lock:
///
/// ```text
/// let waiter = state.withLock { state -> Waiter<Void>? in
///   guard state.isTaken else { return nil }
///   let waiter = Waiter<Void>()
///   state.waiters.append(waiter)
///   return waiter
/// }
/// try await waiter?.value { state.withLock { $0.waiters.removeAll { $0 === waiter } } }
/// ```
package final class Waiter<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, any Error>

  private enum State {
    /// The task does not wait yet.
    case new
    case waiting(CheckedContinuation<Outcome, Never>)
    case ended(Outcome)
    /// The task has got the outcome.
    case told
  }

  private let state = Mutex(State.new)

  package init() {}

  /// Waits for the end. Called once.
  ///
  /// - Parameter leave: Called if the cancellation of the task ends the wait, so that the waiter leaves its list.
  /// - Throws: The failure; `CancellationError` as soon as the task is cancelled.
  package func value(onCancel leave: @Sendable () -> Void = {}) async throws -> Value {
    try await withTaskCancellationHandler {
      try await outcome().get()
    } onCancel: {
      if end(with: .failure(CancellationError())) { leave() }
    }
  }

  /// Waits for the end, whether the task is cancelled or not. Called once.
  package func outcome() async -> Result<Value, any Error> {
    // What was written before the end is read behind it. The runtime does not tell the thread sanitizer where a
    // continuation is resumed before its task waits; a lock does.
    defer { state.withLock { _ in } }
    return await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Outcome? in
        guard case .ended(let outcome) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .told
        return outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Ends the wait.
  ///
  /// - Returns: Whether it had not ended before: if not, what was brought is somebody else's.
  @discardableResult
  package func end(with outcome: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
      switch state {
      case .new:
        state = .ended(outcome)
        return (true, nil)
      case .waiting(let continuation):
        state = .told
        return (true, continuation)
      case .ended, .told: return (false, nil)
      }
    }
    continuation?.resume(returning: outcome)
    return isFirst
  }
}

extension Waiter where Value == Void {
  /// Ends the wait.
  ///
  /// - Returns: Whether it had not ended before.
  @discardableResult
  package func end() -> Bool { end(with: .success(())) }
}
