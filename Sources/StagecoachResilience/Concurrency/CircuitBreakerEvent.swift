public import StagecoachCore

/// An event of ``CircuitBreaker``.
@nonexhaustive
public enum CircuitBreakerEvent: StageEvent {
  /// The reason that a circuit opened.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// This many of the recent calls failed.
    case failures(Int, of: Int)
    /// This many consecutive connections were refused.
    case refusedConnections(Int)
    /// A probe failed.
    case probeFailed
  }

  /// The circuit of an origin opened: no request is sent for this time.
  case opened(TargetURI.Origin, for: Duration, Reason)
  /// The time has passed, and one request at a time is let through.
  case halfOpened(TargetURI.Origin)
  /// The circuit of the origin closed.
  case closed(TargetURI.Origin)
  /// A request was refused; the next one may be let through after this time.
  case rejected(TargetURI.Origin, retryAfter: Duration)

  /// A description on one line.
  public var description: String {
    switch self {
    case .opened(let origin, let duration, let reason):
      "circuit of \(origin) opened for \(Format.duration(duration)): \(reason.text)"
    case .halfOpened(let origin): "circuit of \(origin) half open: one request at a time passes"
    case .closed(let origin): "circuit of \(origin) closed"
    case .rejected(let origin, let duration):
      "circuit of \(origin) is open: request refused, retry in \(Format.duration(duration))"
    }
  }
}

extension CircuitBreakerEvent.Reason {
  fileprivate var text: String {
    switch self {
    case .failures(let failures, let calls): "\(failures) of \(calls) calls failed"
    case .refusedConnections(let count): "\(count) consecutive connections were refused"
    case .probeFailed: "the probe failed"
    }
  }
}
