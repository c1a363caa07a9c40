public import StagecoachCore

/// A failure or delay between a client and its peer.
///
/// The caller sees what a transport reports in that case: the same kinds of `ExchangeError`, at the same point in
/// time, on the clock of the exchange.
///
/// `Retry` above sees faults before the head of the response: ``refuse``, ``unresolved``, ``tls(_:)``,
/// ``resetBeforeHead``, ``garbage``, ``stallBeforeHead`` and ``status(_:retryAfter:)``. By default it retries the
/// first two whatever the method, ``resetBeforeHead`` and ``stallBeforeHead`` if the request is idempotent, the
/// statuses of its policy likewise, and neither ``tls(_:)`` nor ``garbage``. ``latency(_:jitter:)`` only affects its
/// `attemptTimeout` and its hedging. The other faults affect the body, which Retry has passed on by then: the reader
/// of the body sees them.
@nonexhaustive
public enum Fault: Sendable, Hashable {
  /// The connection is refused: `connectionRefused`, and nothing is sent.
  case refuse
  /// The host name cannot be resolved: `nameResolution`, and nothing is sent.
  case unresolved
  /// The TLS handshake fails, and nothing is sent.
  case tls(ExchangeError.TLSFailure)
  /// The request is sent, and the connection is reset instead of a response: `connectionReset`.
  case resetBeforeHead
  /// The connection is reset after this many bytes of the response body: `connectionReset`, for the reader of the
  /// body.
  case reset(afterBytes: Int)
  /// The connection is closed after this many bytes of the response body: `incompleteBody`, for the reader of the
  /// body.
  case truncate(afterBytes: Int)
  /// The response is not HTTP: `protocolViolation`.
  case garbage
  /// The head never arrives; ends with `headTimeout`.
  case stallBeforeHead
  /// The body stalls after this many bytes; ends with `idleTimeout`.
  case stall(afterBytes: Int)
  /// Sending is delayed by this time, plus or minus a part of the jitter.
  case latency(Duration, jitter: Duration = .zero)
  /// The response body arrives at this rate at most; at least 1.
  case bandwidth(bytesPerSecond: Int)
  /// The end of the response body is delayed by this time after its last byte.
  case slowClose(Duration)
  /// The peer is not contacted: the response has this status and `Retry-After`, in seconds.
  case status(Int, retryAfter: Int? = nil)
}
