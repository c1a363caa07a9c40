package import StagecoachCore
import Synchronization

/// A request in flight, and the requests that wait for its outcome.
package final class Flight<Landing: Sendable>: Sendable {
  /// The end of the wait of a request, and its outcome then.
  package struct Patience: Sendable {
    let end: ContinuousClock.Instant
    let clock: any TimeSource
    let landing: Landing

    package init(until end: ContinuousClock.Instant, on clock: any TimeSource, then landing: Landing) {
      self.end = end
      self.clock = clock
      self.landing = landing
    }
  }

  /// A request that waits.
  package typealias Waiter = CheckedContinuation<Landing?, any Error>

  private struct State {
    var hasLanded = false
    var next = 0
    var waiting: [Int: Waiter] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits for the outcome.
  ///
  /// - Parameters:
  ///   - patience: How long the request waits; `nil` for as long as the request in flight takes.
  ///   - hasJoined: Called once the request waits.
  /// - Returns: What the request in flight gives this one; `nil` if it is too late to join.
  /// - Throws: The failure of the request in flight; `CancellationError` when the waiting task is cancelled.
  package func join(within patience: Patience? = nil, _ hasJoined: () -> Void) async throws -> Landing? {
    var timer: Task<Void, any Error>?
    defer { timer?.cancel() }
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waits = state.withLock { state in
          if !state.hasLanded { state.waiting[id] = continuation }
          return !state.hasLanded
        }
        guard waits else { return continuation.resume(returning: nil) }
        hasJoined()
        timer = patience.map { patience in
          Task {
            try await patience.clock.sleep(until: patience.end)
            self.leave(id, .success(patience.landing))
          }
        }
        // A task that was cancelled before it waited could not remove itself.
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int, _ result: Result<Landing?, any Error> = .failure(CancellationError())) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(with: result)
  }

  /// Gives the request that has waited longest another outcome than the others, which go on waiting.
  ///
  /// - Returns: `false` if no request waits; then no request can join any more.
  package func handOver(_ landing: Landing) -> Bool {
    let next = state.withLock { state in
      let oldest = state.waiting.keys.min()
      if oldest == nil { state.hasLanded = true }
      return oldest.flatMap { state.waiting.removeValue(forKey: $0) }
    }
    next?.resume(returning: landing)
    return next != nil
  }

  /// Ends joining.
  ///
  /// - Returns: The requests that wait, each of which must be resumed.
  package func land() -> [Waiter] {
    state.withLock { state in
      state.hasLanded = true
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
  }
}
