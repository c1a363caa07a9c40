import Synchronization

/// One wait of a task for what another one brings. It ends once: with a value, a failure, or the cancellation of the task.
///
/// The code that lets tasks wait keeps their waiters in a list of its own, and ends them outside of its lock:
///
/// ```swift
/// import Synchronization
///
/// /// A door that opens once.
/// final class Door: Sendable {
///   private let state = Mutex((isOpen: false, waiters: [Waiter<Void>]()))
///
///   func open() {
///     let waiters = state.withLock { state in
///       state.isOpen = true
///       defer { state.waiters = [] }
///       return state.waiters
///     }
///     for waiter in waiters { waiter.end() }
///   }
///
///   func pass() async throws {
///     let waiter = Waiter<Void>()
///     let isOpen = state.withLock { state in
///       if !state.isOpen { state.waiters.append(waiter) }
///       return state.isOpen
///     }
///     guard !isOpen else { return }
///     try await waiter.value { self.state.withLock { $0.waiters.removeAll { $0 === waiter } } }
///   }
/// }
/// ```
public final class Waiter<Value: Sendable>: Sendable {
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

  /// Creates a wait.
  public init() {}

  /// Waits for the end. Called once.
  ///
  /// - Parameter leave: Called if the cancellation of the task ends the wait, so that the waiter leaves its list.
  /// - Throws: The failure; `CancellationError` as soon as the task is cancelled.
  public func value(onCancel leave: @Sendable () -> Void = {}) async throws -> Value {
    try await withTaskCancellationHandler {
      try await outcome().get()
    } onCancel: {
      if end(with: .failure(CancellationError())) { leave() }
    }
  }

  /// Waits for the end, whether the task is cancelled or not. Called once.
  public func outcome() async -> Result<Value, any Error> {
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
  public func end(with outcome: Result<Value, any Error>) -> Bool {
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
  public func end() -> Bool { end(with: .success(())) }
}
