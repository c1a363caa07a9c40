public import StagecoachCore

/// Something that goes wrong, or slowly, between a client and its peer.
///
/// What a caller sees is what a transport reports in that case: the same kinds of `ExchangeError`, the
/// same point in time, on the clock of the exchange.
///
/// `Retry` above sees what happens before the head of the response: ``refuse``, ``unresolved``, ``tls(_:)``,
/// ``resetBeforeHead``, ``garbage``, ``stallBeforeHead`` and ``status(_:retryAfter:)``. By default it repeats the
/// first two whatever the method, ``resetBeforeHead`` and ``stallBeforeHead`` where the request is idempotent, the
/// statuses of its policy likewise, and neither ``tls(_:)`` nor ``garbage``. ``latency(_:jitter:)`` is seen by its
/// `attemptTimeout` and its hedging alone. The other faults are of the body, which Retry has handed on by then: they
/// reach whoever reads it.
@nonexhaustive
public enum Fault: Sendable, Hashable {
  /// Nobody listens: `connectionRefused`, and nothing is sent.
  case refuse
  /// The host has no address: `nameResolution`, and nothing is sent.
  case unresolved
  /// The TLS handshake fails for a reason, and nothing is sent.
  case tls(ExchangeError.TLSFailure)
  /// The request is sent, and the connection reset instead of an answer: `connectionReset`.
  case resetBeforeHead
  /// The connection is reset after so many bytes of the response body: `connectionReset`, for the reader of the body.
  case reset(afterBytes: Int)
  /// The connection is closed after so many bytes of the response body: `incompleteBody`, for the reader of the body.
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
