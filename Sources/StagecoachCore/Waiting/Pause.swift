import Synchronization

/// A wait on a clock that can be ended from outside, for sources that are cancelled while they wait.
package final class Pause: Sendable {
  private struct State {
    var isEnded = false
    var task: Task<Void, any Error>?
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits until an instant, for one caller at a time.
  ///
  /// - Throws: `CancellationError` if the pause was ended, or the task is cancelled.
  package func sleep(until instant: ContinuousClock.Instant, on time: any TimeSource) async throws {
    let task = Task { try await time.sleep(until: instant) }
    let isEnded = state.withLock { state in
      state.task = task
      return state.isEnded
    }
    if isEnded { task.cancel() }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Ends the current wait and all later ones.
  package func end() {
    let task = state.withLock { state in
      state.isEnded = true
      return state.task
    }
    task?.cancel()
  }

  /// Whether the pause was ended.
  package var isEnded: Bool { state.withLock { $0.isEnded } }
}
