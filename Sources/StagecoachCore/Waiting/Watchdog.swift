import Synchronization

/// Watches many deadlines with a single sleeping task.
///
/// Adding or removing a watch costs a lock and an array slot, and moving its deadline an atomic store; a timer or a
/// sleeping task per request would cost ten times as much. The task ends with the deadline that it sleeps for, or with
/// the watchdog, so a watchdog needs no shutdown.
public final class Watchdog: Sendable {
  /// A deadline that can be moved while it is watched.
  public final class Watch: Sendable {
    private let deadline: Atomic<Int64>
    fileprivate let index = Atomic<Int>(-1)
    private let expire: @Sendable () -> Void

    fileprivate init(deadline: Int64, expire: @escaping @Sendable () -> Void) {
      self.deadline = Atomic(deadline)
      self.expire = expire
    }

    fileprivate var current: Int64 { deadline.load(ordering: .sequentiallyConsistent) }

    /// Clears the deadline until the next move.
    fileprivate func rest() {
      deadline.store(.max, ordering: .relaxed)
    }

    /// Sequentially consistent with ``Watchdog/wakes``: either the sweep sees the new deadline, or the caller that
    /// moves it sees that the sweep is over.
    fileprivate func move(to instant: Int64) {
      deadline.store(instant, ordering: .sequentiallyConsistent)
    }

    /// Fires the watch once if its deadline has passed, and clears the deadline.
    fileprivate func fire(ifDue now: Int64) {
      let due = current
      guard due <= now,
        deadline.compareExchange(expected: due, desired: .max, ordering: .relaxed).exchanged
      else { return }
      expire()
    }
  }

  private struct State {
    var watches: [Watch] = []
    var sleeper: Task<Void, Never>?
  }

  private let time: any TimeSource
  private let epoch: ContinuousClock.Instant
  private let state = Mutex(State())
  /// The instant at which the sleeper wakes; written under the lock, read without it.
  private let wakes = Atomic<Int64>(.max)

  /// Creates a watchdog without watches.
  public init(clock: any TimeSource) {
    time = clock
    epoch = clock.now
  }

  deinit {
    state.withLock { $0.sleeper?.cancel() }
  }

  /// The offset from the epoch of this watchdog, in units of 2^30 attoseconds. A unit is about a nanosecond, and a
  /// shift computes it where nanoseconds take a 128-bit division. Offsets end after 313 years.
  private func offset(_ duration: Duration) -> Int64 {
    let sum = (time.now - epoch).attoseconds.addingReportingOverflow(duration.attoseconds)
    guard !sum.overflow else { return duration < .zero ? .min : .max }
    return Int64(clamping: sum.partialValue >> Self.unit)
  }

  private static let unit = 30

  /// Watches a deadline.
  ///
  /// - Parameters:
  ///   - duration: The time from now; `nil` for no deadline until ``move(_:to:)``.
  ///   - expire: Called once each time a deadline passes, on a task of the watchdog.
  public func watch(for duration: Duration?, expire: @escaping @Sendable () -> Void) -> Watch {
    let deadline = duration.map(offset) ?? .max
    let watch = Watch(deadline: deadline, expire: expire)
    state.withLock { state in
      watch.index.store(state.watches.count, ordering: .relaxed)
      state.watches.append(watch)
      schedule(&state, for: deadline)
    }
    return watch
  }

  /// Moves a deadline; `nil` clears it.
  public func move(_ watch: Watch, to duration: Duration?) {
    guard let duration else { return watch.rest() }
    let deadline = offset(duration)
    watch.move(to: deadline)
    // Most deadlines move later, and then the sleeper finds the new one when it wakes.
    if deadline < wakes.load(ordering: .sequentiallyConsistent) {
      state.withLock { schedule(&$0, for: deadline) }
    }
  }

  /// Ends a watch. Its closure does not start after this returns; a closure that is already running continues.
  public func remove(_ watch: Watch) {
    watch.rest()
    state.withLock { state in
      let index = watch.index.exchange(-1, ordering: .relaxed)
      guard index >= 0, let last = state.watches.popLast() else { return }
      guard last !== watch else { return }
      state.watches[index] = last
      last.index.store(index, ordering: .relaxed)
    }
  }

  private func schedule(_ state: inout State, for deadline: Int64) {
    guard deadline < wakes.load(ordering: .relaxed) else { return }
    wakes.store(deadline, ordering: .relaxed)
    state.sleeper?.cancel()
    let instant = epoch.advanced(by: Duration(attoseconds: Int128(deadline) << Self.unit))
    state.sleeper = time.timer(at: instant) { [weak self] in self?.sweep(at: deadline) }
  }

  private func sweep(at wake: Int64) {
    let watches = state.withLock { state -> [Watch] in
      guard wakes.load(ordering: .relaxed) == wake else { return [] }
      wakes.store(.max, ordering: .sequentiallyConsistent)
      state.sleeper = nil
      return state.watches
    }
    let now = offset(.zero)
    for watch in watches { watch.fire(ifDue: now) }
    state.withLock { state in
      let next = state.watches.reduce(Int64.max) { min($0, $1.current) }
      if next < .max { schedule(&state, for: next) }
    }
  }
}
