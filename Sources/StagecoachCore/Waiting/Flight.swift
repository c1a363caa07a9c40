import Synchronization

/// Work that is done once, and those that wait for its outcome.
///
/// Who waits and is cancelled leaves the others alone. Each of them can be given an outcome of its own.
package final class Flight<Landing: Sendable>: Sendable {
  /// The end of a wait, and its outcome then.
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
    var waiting: [Waiter<Landing>] = []
    var tasks: [Task<Void, Never>] = []

    /// Lands it, and returns the tasks to cancel.
    mutating func land() -> [Task<Void, Never>] {
      hasLanded = true
      defer { tasks = [] }
      return tasks
    }
  }

  private let endsAlone: Bool
  private let state = Mutex(State())

  /// - Parameter endsAlone: Whether it lands, and its tasks are cancelled, when the last that waits is cancelled.
  package init(endsAlone: Bool = false) {
    self.endsAlone = endsAlone
  }

  /// Whether it can still be joined.
  package var isOpen: Bool { state.withLock { !$0.hasLanded } }

  /// The number of those that wait.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Starts the tasks that do the work, which are cancelled when it has landed.
  ///
  /// - Parameter start: Called under a lock, if it has not landed.
  package func begin(_ start: () -> [Task<Void, Never>]) {
    state.withLock { if !$0.hasLanded { $0.tasks = start() } }
  }

  /// Gives a waiter its place. Whoever waits then calls ``outcome(_:)``.
  ///
  /// - Returns: `false` if it is too late.
  package func add(_ waiter: Waiter<Landing>) -> Bool {
    state.withLock { state in
      if !state.hasLanded { state.waiting.append(waiter) }
      return !state.hasLanded
    }
  }

  /// Waits for the outcome of a waiter that has a place.
  ///
  /// - Throws: The failure of the work; `CancellationError` when the waiting task is cancelled.
  package func outcome(_ waiter: Waiter<Landing>) async throws -> Landing {
    try await waiter.value { leave(waiter) }
  }

  /// Waits for the outcome.
  ///
  /// - Parameters:
  ///   - patience: How long to wait; `nil` for as long as the work takes.
  ///   - hasJoined: Called once there is a place.
  /// - Returns: The outcome for this one; `nil` if it is too late to join.
  /// - Throws: The failure of the work; `CancellationError` when the waiting task is cancelled.
  package func join(within patience: Patience? = nil, _ hasJoined: () -> Void = {}) async throws -> Landing? {
    let waiter = Waiter<Landing>()
    guard add(waiter) else { return nil }
    hasJoined()
    let timer = patience.map { patience in
      patience.clock.timer(at: patience.end) {
        if waiter.end(with: .success(patience.landing)) { self.leave(waiter) }
      }
    }
    defer { timer?.cancel() }
    return try await outcome(waiter)
  }

  private func leave(_ waiter: Waiter<Landing>) {
    let tasks = state.withLock { state in
      state.waiting.removeAll { $0 === waiter }
      return endsAlone && state.waiting.isEmpty ? state.land() : []
    }
    for task in tasks { task.cancel() }
  }

  /// Gives the one that has waited longest another outcome than the others, which go on waiting.
  ///
  /// - Returns: `false` if nobody waits; then nobody can join any more.
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
  /// - Returns: Those that wait, each of which must be given its outcome.
  package func land() -> [Waiter<Landing>] {
    let (waiters, tasks) = state.withLock { state in
      defer { state.waiting = [] }
      return (state.waiting, state.land())
    }
    for task in tasks { task.cancel() }
    return waiters
  }

  /// Ends joining, with one outcome for all that wait.
  package func land(with outcome: Result<Landing, any Error>) {
    for waiter in land() { waiter.end(with: outcome) }
  }
}
