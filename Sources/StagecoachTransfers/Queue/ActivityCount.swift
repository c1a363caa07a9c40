import StagecoachCore
import Synchronization

/// A count of what is under way, and the tasks that wait until it is zero.
final class ActivityCount: Sendable {
  private struct State {
    var count = 0
    var waiters: [Waiter<Void>] = []
  }

  private let state = Mutex(State())

  /// Adds to the count, or takes away from it.
  func add(_ difference: Int) {
    let released = state.withLock { state -> [Waiter<Void>] in
      state.count += difference
      guard state.count == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in released { waiter.end() }
  }

  /// Waits until the count is zero.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func waitUntilZero() async throws {
    let waiter = state.withLock { state -> Waiter<Void>? in
      guard state.count != 0 else { return nil }
      let waiter = Waiter<Void>()
      state.waiters.append(waiter)
      return waiter
    }
    try await waiter?.value { state.withLock { $0.waiters.removeAll { $0 === waiter } } }
  }
}
