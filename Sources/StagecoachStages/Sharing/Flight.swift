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

  private struct State {
    var hasLanded = false
    /// In the order of their arrival.
    var waiting: [Waiter<Landing?>] = []
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
    let waiter = Waiter<Landing?>()
    let waits = state.withLock { state in
      if !state.hasLanded { state.waiting.append(waiter) }
      return !state.hasLanded
    }
    guard waits else { return nil }
    hasJoined()
    let timer = patience.map { patience in
      Task {
        try await patience.clock.sleep(until: patience.end)
        if waiter.end(with: .success(patience.landing)) { leave(waiter) }
      }
    }
    defer { timer?.cancel() }
    return try await waiter.value { leave(waiter) }
  }

  private func leave(_ waiter: Waiter<Landing?>) {
    state.withLock { $0.waiting.removeAll { $0 === waiter } }
  }

  /// Gives the request that has waited longest another outcome than the others, which go on waiting.
  ///
  /// - Returns: `false` if no request waits; then no request can join any more.
  package func handOver(_ landing: Landing) -> Bool {
    while true {
      let oldest = state.withLock { state in
        if state.waiting.isEmpty { state.hasLanded = true }
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      guard let oldest else { return false }
      if oldest.end(with: .success(landing)) { return true }
    }
  }

  /// Ends joining.
  ///
  /// - Returns: The requests that wait, each of which must be given its landing.
  package func land() -> [Waiter<Landing?>] {
    state.withLock { state in
      state.hasLanded = true
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
