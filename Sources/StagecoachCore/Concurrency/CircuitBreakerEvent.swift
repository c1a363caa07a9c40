/// What ``CircuitBreaker`` did.
@nonexhaustive
public enum CircuitBreakerEvent: Sendable, CustomStringConvertible {
  /// Why a circuit was opened.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// So many of the recent calls failed.
    case failures(Int, of: Int)
    /// So many connections in a row were refused.
    case refusedConnections(Int)
    /// A request that was let through to see how the origin does failed.
    case probeFailed
  }

  /// An origin failed too often: it is asked no more for this time.
  case opened(TargetURI.Origin, for: Duration, Reason)
  /// The time is over: one request at a time is let through.
  case halfOpened(TargetURI.Origin)
  /// The origin does well again.
  case closed(TargetURI.Origin)
  /// A request was refused; another may be let through after this time.
  case rejected(TargetURI.Origin, retryAfter: Duration)

  /// A readable line.
  public var description: String {
    switch self {
    case .opened(let origin, let duration, let reason):
      "circuit of \(origin) opened for \(Format.duration(duration)): \(reason.text)"
    case .halfOpened(let origin): "circuit of \(origin) half open: one request goes through"
    case .closed(let origin): "circuit of \(origin) closed"
    case .rejected(let origin, let duration):
      "circuit of \(origin) is open: refused, again in \(Format.duration(duration))"
    }
  }
}

extension CircuitBreakerEvent.Reason {
  fileprivate var text: String {
    switch self {
    case .failures(let failures, let calls): "\(failures) of \(calls) calls failed"
    case .refusedConnections(let count): "\(count) connections in a row were refused"
    case .probeFailed: "the probe failed"
    }
  }
}
