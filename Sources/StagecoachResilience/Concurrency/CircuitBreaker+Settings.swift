public import StagecoachCore

extension CircuitBreaker {
  /// The conditions under which a circuit opens, and the times that it stays open.
  ///
  /// ```swift
  /// var settings = CircuitBreaker.Settings()
  /// settings.minimumCalls = 10
  /// settings.openDuration = .seconds(2)
  /// let stage = CircuitBreaker(settings)
  /// ```
  public struct Settings: Sendable, Hashable {
    /// The period over which calls are counted, in tenths; 10 s by default, at least 10 ms.
    public var window: Duration = .seconds(10) {
      didSet { window = max(window, .milliseconds(10)) }
    }
    /// The minimum number of calls in the window before failures open the circuit; 20 by default.
    public var minimumCalls = 20
    /// The ratio of failed calls that opens the circuit; 0.5 by default.
    public var failureRatio = 0.5
    /// The number of consecutive refused connections that opens the circuit, whatever the window contains; 5 by
    /// default.
    public var refusedConnections = 5
    /// The initial time that the circuit stays open; 5 s by default. Each failed probe doubles it.
    public var openDuration: Duration = .seconds(5)
    /// The maximum time that the circuit stays open, to which up to a tenth is added at random; 60 s by default.
    public var maximumOpenDuration: Duration = .seconds(60)
    /// The number of consecutive successful probes that closes the circuit; 3 by default.
    public var goodProbes = 3
    /// The suggested wait for a request that is refused because a probe is in progress; 1 s by default.
    public var probeWait: Duration = .seconds(1)

    /// Creates the default settings.
    public init() {}

    /// Returns the time that the circuit stays open.
    ///
    /// - Parameters:
    ///   - openings: The number of times that it opened since it was last closed.
    ///   - jitter: From 0 to 1: up to a tenth is added, so that clients do not all return at the same time.
    func openDuration(after openings: Int, jitter: Double) -> Duration {
      var duration = max(.zero, openDuration)
      for _ in 0..<min(openings, 64) where duration < maximumOpenDuration { duration *= 2 }
      return min(duration, max(.zero, maximumOpenDuration)) * (1 + jitter / 10)
    }
  }

  /// The state of a circuit.
  @nonexhaustive
  public enum State: Sendable, Hashable {
    /// All requests pass.
    case closed
    /// No request passes before this instant, on the clock of the client; the first one after it is a probe.
    case open(until: ContinuousClock.Instant)
    /// One request at a time passes, as a probe.
    case halfOpen
  }
}

extension RequestOptions {
  static let usesCircuitBreaker = RequestOption<Bool>(
    "usesCircuitBreaker",
    default: true,
    distinguishes: false
  )

  /// Whether the request is subject to the circuit breaker, and counted by it; `true` by default.
  public var usesCircuitBreaker: Bool {
    get { self[Self.usesCircuitBreaker] }
    set { self[Self.usesCircuitBreaker] = newValue }
  }
}
