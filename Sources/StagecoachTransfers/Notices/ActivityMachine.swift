/// Decides when activity is shown: not for short pieces of work, and not interrupted by short pauses.
struct ActivityMachine: Sendable {
  enum State: Sendable, CaseIterable {
    /// No work.
    case inactive
    /// There was work, but not for long enough.
    case delayingStart
    /// Work.
    case active
    /// No work, but not for long enough.
    case delayingEnd
  }

  private(set) var state = State.inactive
  /// The number of pieces of work that are under way.
  private(set) var count = 0
  /// The end of the current delay; `nil` if there is none.
  private(set) var due: ContinuousClock.Instant?
  private let startDelay: Duration
  private let endDelay: Duration

  init(startDelay: Duration, endDelay: Duration) {
    self.startDelay = startDelay
    self.endDelay = endDelay
  }

  /// Whether activity is shown.
  var isActive: Bool { state == .active || state == .delayingEnd }

  /// A piece of work begins.
  mutating func begin(at now: ContinuousClock.Instant) {
    count += 1
    switch state {
    case .inactive: change(to: .delayingStart, until: now.advanced(by: startDelay))
    case .delayingEnd: change(to: .active)
    case .delayingStart, .active: break
    }
  }

  /// A piece of work ends. One that did not begin is ignored.
  mutating func end(at now: ContinuousClock.Instant) {
    guard count > 0 else { return }
    count -= 1
    // A delay of the start runs to its end, since other work may begin before.
    if count == 0, state == .active { change(to: .delayingEnd, until: now.advanced(by: endDelay)) }
  }

  /// Time has passed.
  mutating func proceed(to now: ContinuousClock.Instant) {
    guard let due, now >= due else { return }
    change(to: state == .delayingStart && count > 0 ? .active : .inactive)
  }

  private mutating func change(to state: State, until due: ContinuousClock.Instant? = nil) {
    self.state = state
    self.due = due
  }
}
