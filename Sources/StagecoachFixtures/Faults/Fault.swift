public import Stagecoach

/// Something that goes wrong, or slowly, between a client and its peer.
///
/// What a caller sees is what a transport reports in that case: the same kinds of `ExchangeError`, the
/// same point in time, on the clock of the exchange.
@nonexhaustive
public enum Fault: Sendable, Hashable {
  /// Nobody listens: `connectionRefused`, and nothing is sent.
  case refuse
  /// The host has no address: `nameResolution`, and nothing is sent.
  case unresolved
  /// The TLS handshake fails for a reason, and nothing is sent.
  case tls(ExchangeError.TLSFailure)
  /// The request is sent, and the connection reset instead of an answer.
  case resetBeforeHead
  /// The connection is reset after so many bytes of the response body.
  case reset(afterBytes: Int)
  /// The response body ends after so many bytes, as if that were all: `incompleteBody`.
  case truncate(afterBytes: Int)
  /// The answer is no HTTP: `protocolViolation`.
  case garbage
  /// The head never comes; ends with `headTimeout`.
  case stallBeforeHead
  /// The body never goes on after so many bytes; ends with `idleTimeout`.
  case stall(afterBytes: Int)
  /// Sending waits so long, give or take a part of the jitter.
  case latency(Duration, jitter: Duration = .zero)
  /// The response body comes at most so many bytes a second; at least 1.
  case bandwidth(bytesPerSecond: Int)
  /// The end of the response body comes so much later than its last byte.
  case slowClose(Duration)
  /// The peer is not asked: it answers with this status and `Retry-After`, in seconds.
  case status(Int, retryAfter: Int? = nil)
}
