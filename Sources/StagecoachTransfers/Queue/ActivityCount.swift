import Synchronization

/// A count of what is under way, and the tasks that wait until it is zero.
final class ActivityCount: Sendable {
  private struct State {
    var count = 0
    var nextID = 0
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The waiters whose task was cancelled before they had joined.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Adds to the count, or takes away from it.
  func add(_ difference: Int) {
    let released = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
      state.count += difference
      guard state.count == 0 else { return [] }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in released { waiter.resume() }
  }

  /// Waits until the count is zero.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func waitUntilZero() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in join(id, continuation) }
    } onCancel: {
      cancel(id)
    }
  }

  private func join(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let result = state.withLock { state -> Result<Void, any Error>? in
      if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if state.count == 0 { return .success(()) }
      state.waiters[id] = continuation
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
      state.cancelled.insert(id)
      return nil
    }
    waiter?.resume(throwing: CancellationError())
  }
}
