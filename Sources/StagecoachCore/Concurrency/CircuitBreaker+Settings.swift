extension CircuitBreaker {
  /// When a circuit opens, and for how long.
  ///
  /// ```swift
  /// var settings = CircuitBreaker.Settings()
  /// settings.minimumCalls = 10
  /// settings.openDuration = .seconds(2)
  /// let stage = CircuitBreaker(settings)
  /// ```
  public struct Settings: Sendable, Hashable {
    /// How far back calls are counted, by tenths of it; 10 s by default, at least 10 ms.
    public var window: Duration = .seconds(10) {
      didSet { window = max(window, .milliseconds(10)) }
    }
    /// How many calls the window must hold before failures open the circuit; 20 by default.
    public var minimumCalls = 20
    /// Which part of them has to fail; 0.5 by default.
    public var failureRatio = 0.5
    /// How many refused connections in a row open the circuit, whatever the window holds; 5 by default.
    public var refusedConnections = 5
    /// How long the circuit stays open at first; 5 s by default. Each failed probe doubles it.
    public var openDuration: Duration = .seconds(5)
    /// The longest time that it stays open, up to a tenth more by chance; 60 s by default.
    public var maximumOpenDuration: Duration = .seconds(60)
    /// How many good probes in a row close the circuit; 3 by default.
    public var goodProbes = 3
    /// What a request is told to wait for that is refused because a probe is under way; 1 s by default.
    public var probeWait: Duration = .seconds(1)

    /// The defaults.
    public init() {}

    /// How long the circuit stays open.
    ///
    /// - Parameters:
    ///   - openings: How often it was opened since it last did well.
    ///   - jitter: From 0 to 1: up to a tenth is added, so that clients do not come back all at once.
    func openDuration(after openings: Int, jitter: Double) -> Duration {
      var duration = max(.zero, openDuration)
      for _ in 0..<min(openings, 64) where duration < maximumOpenDuration { duration *= 2 }
      return min(duration, max(.zero, maximumOpenDuration)) * (1 + jitter / 10)
    }
  }

  /// Whether requests to an origin are let through.
  @nonexhaustive
  public enum State: Sendable, Hashable {
    /// All are.
    case closed
    /// None is before this instant, on the clock of the client; the first one after it is a probe.
    case open(until: ContinuousClock.Instant)
    /// One at a time is, to see how the origin does.
    case halfOpen
  }
}

extension RequestOptions {
  static let usesCircuitBreaker = RequestOption<Bool>("usesCircuitBreaker", default: true)

  /// Whether a request heeds the circuit breaker, and counts for it; true by default.
  public var usesCircuitBreaker: Bool {
    get { self[Self.usesCircuitBreaker] }
    set { self[Self.usesCircuitBreaker] = newValue }
  }
}
