import StagecoachCore

/// The circuit of one origin: what its calls came to, and whether more are let through. Without threads or clocks.
struct Circuit: Sendable {
  /// The outcome of a call.
  enum Outcome: Sendable {
    case success
    case failure
    /// Nothing listened at the address.
    case refused
    /// It says nothing of how the origin does.
    case uncounted
  }

  /// The right to make a call.
  struct Permit: Sendable {
    let isProbe: Bool
    /// Which period of which state it was given in: what comes later says nothing of another.
    fileprivate let period: Int
  }

  enum Admission: Sendable {
    case permitted(Permit, halfOpened: Bool)
    case rejected(until: ContinuousClock.Instant)
  }

  enum Transition: Sendable {
    case opened(Duration, CircuitBreakerEvent.Reason)
    case closed
  }

  private enum State {
    case closed
    case open(until: ContinuousClock.Instant)
    case halfOpen(good: Int, isProbing: Bool)
  }

  /// A tenth of the window.
  private struct Slice {
    var number = 0
    var calls = 0
    var failures = 0
  }

  private static let slices = 10

  private var state = State.closed
  private var period = 0
  /// The number of times that the circuit opened since it was last closed by successful probes.
  private var openings = 0
  private var window: [Slice] = []
  /// The start of the window.
  private var epoch = ContinuousClock.Instant.now
  private var refusals = 0

  /// The public state.
  var published: CircuitBreaker.State {
    switch state {
    case .closed: .closed
    case .open(let until): .open(until: until)
    case .halfOpen: .halfOpen
    }
  }

  mutating func admit(at now: ContinuousClock.Instant, _ settings: CircuitBreaker.Settings) -> Admission {
    switch state {
    case .closed: return .permitted(Permit(isProbe: false, period: period), halfOpened: false)
    case .open(let until):
      guard now >= until else { return .rejected(until: until) }
      enter(.halfOpen(good: 0, isProbing: true))
      return .permitted(Permit(isProbe: true, period: period), halfOpened: true)
    case .halfOpen(let good, isProbing: false):
      state = .halfOpen(good: good, isProbing: true)
      return .permitted(Permit(isProbe: true, period: period), halfOpened: false)
    case .halfOpen(_, isProbing: true):
      // It is unknown when the probe ends.
      return .rejected(until: now.advanced(by: settings.probeWait))
    }
  }

  /// Records the outcome of a call.
  ///
  /// - Parameter jitter: Returns a number from 0 to 1; called when the circuit opens.
  mutating func record(
    _ outcome: Outcome,
    of permit: Permit,
    at now: ContinuousClock.Instant,
    jitter: () -> Double,
    _ settings: CircuitBreaker.Settings
  ) -> Transition? {
    guard permit.period == period else { return nil }
    switch state {
    case .closed: return count(outcome, at: now, jitter, settings)
    case .open: return nil
    case .halfOpen(let good, _):
      switch outcome {
      case .uncounted:
        state = .halfOpen(good: good, isProbing: false)
        return nil
      case .failure, .refused: return open(.probeFailed, at: now, jitter, settings)
      case .success:
        guard good + 1 >= settings.goodProbes else {
          state = .halfOpen(good: good + 1, isProbing: false)
          return nil
        }
        openings = 0
        enter(.closed)
        return .closed
      }
    }
  }

  private mutating func count(
    _ outcome: Outcome,
    at now: ContinuousClock.Instant,
    _ jitter: () -> Double,
    _ settings: CircuitBreaker.Settings
  ) -> Transition? {
    guard outcome != .uncounted else { return nil }
    refusals = outcome == .refused ? refusals + 1 : 0
    let (calls, failures) = note(isFailure: outcome != .success, at: now, settings)
    if refusals >= settings.refusedConnections {
      return open(.refusedConnections(refusals), at: now, jitter, settings)
    }
    guard outcome != .success, calls >= settings.minimumCalls,
      Double(failures) >= settings.failureRatio * Double(calls)
    else { return nil }
    return open(.failures(failures, of: calls), at: now, jitter, settings)
  }

  /// Counts a call.
  ///
  /// - Returns: The calls and the failures within the window.
  private mutating func note(
    isFailure: Bool,
    at now: ContinuousClock.Instant,
    _ settings: CircuitBreaker.Settings
  ) -> (calls: Int, failures: Int) {
    if window.isEmpty {
      window = Array(repeating: Slice(), count: Self.slices)
      epoch = now
    }
    let tenths = (now - epoch) / (settings.window / Self.slices)
    let number = Int(exactly: tenths.rounded(.down)) ?? 0
    let index = max(0, number) % Self.slices
    if window[index].number != number { window[index] = Slice(number: number) }
    window[index].calls += 1
    if isFailure { window[index].failures += 1 }
    var (calls, failures) = (0, 0)
    for slice in window where slice.number > number - Self.slices {
      calls += slice.calls
      failures += slice.failures
    }
    return (calls, failures)
  }

  private mutating func open(
    _ reason: CircuitBreakerEvent.Reason,
    at now: ContinuousClock.Instant,
    _ jitter: () -> Double,
    _ settings: CircuitBreaker.Settings
  ) -> Transition {
    let duration = settings.openDuration(after: openings, jitter: jitter())
    openings += 1
    enter(.open(until: now.advanced(by: duration)))
    return .opened(duration, reason)
  }

  private mutating func enter(_ state: State) {
    self.state = state
    period += 1
    refusals = 0
    window = []
  }
}
