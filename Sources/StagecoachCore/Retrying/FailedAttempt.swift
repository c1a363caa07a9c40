public import HTTPTypes

/// What a policy is asked to decide on: an attempt that failed, the facts about it, and what the policy would
/// do.
public struct FailedAttempt: Sendable {
  /// The request as it was sent.
  public let request: Request

  /// Which attempt it was; 1 for the first.
  public let attempt: Int

  /// What it ended with.
  public let cause: RetryCause

  /// The failure; nil if there was a response.
  public let error: ExchangeError?

  /// The head of the response, if there was one.
  public let response: HTTPResponse?

  /// Whether sending the request twice has the effect of sending it once: by its method, its
  /// `Idempotency-Key`, or the word of the caller.
  public let isIdempotent: Bool

  /// Whether a byte of the request may have reached the server; false only if it surely has not.
  public let mayHaveBeenSent: Bool

  /// Whether the body can be sent now: again, or for the first time if it exists once.
  public let canSendBody: Bool

  /// What the server asks to wait; nil if it does not.
  public let retryAfter: Duration?

  /// What the policy would do without the closure.
  public internal(set) var proposal = RetryDecision.stop

  /// The facts about an attempt.
  init(_ request: Request, attempt: Int, error: ExchangeError?, response: HTTPResponse?) {
    self.request = request
    self.attempt = attempt
    self.error = error
    self.response = response ?? error?.response
    isIdempotent = request.isIdempotent
    canSendBody = request.body.isAvailable
    // The failure of a stage below that has judged the status.
    if let error, error.kind != .status || self.response == nil {
      cause = .failure(error.kind)
      mayHaveBeenSent = error.requestMayHaveBeenSent ?? !Self.beforeRequest.contains(error.kind)
      retryAfter = (error.underlying as? CircuitOpen)?.retryAfter
    } else {
      cause = .status(self.response?.status.code ?? 0)
      mayHaveBeenSent = true
      let now = request.time.date
      retryAfter = self.response?.headerFields.retryAfter(now: now)
    }
  }

  /// What fails before a request is written.
  private static let beforeRequest: Set<ExchangeError.Kind> = [
    .nameResolution, .connectionRefused, .connectionFailed, .timeout(.pool), .timeout(.connect),
  ]

  /// Whether the server closed a connection that it had kept open, at the moment it was used again: it has
  /// hardly looked at the request (RFC 9112 9.3.1).
  var isReuseRace: Bool { cause == .failure(.connectionReset) && error?.connectionWasReused == true }

  /// Whether the connection may be the reason: it was stale, or leads to a server that is not the right one to ask
  /// (RFC 9110 15.5.20).
  var isOfKeptConnection: Bool { cause == .status(421) || isReuseRace }

  /// Whether the server is too busy for more requests than it has.
  var isPushBack: Bool { cause == .status(429) || cause == .status(503) || retryAfter != nil }

  /// Whether the network may be the reason.
  var isOfConnection: Bool {
    guard case .failure(let kind) = cause else { return false }
    return kind == .connectionReset || Self.beforeRequest.contains(kind) && kind != .timeout(.pool)
  }
}

/// What a policy decides on an attempt that failed.
public enum RetryDecision: Sendable, Hashable {
  /// The failure, or the response, is passed on.
  case stop
  /// The request is sent again after a delay.
  case retry(after: Duration)
}

extension FailedAttempt: CustomStringConvertible, CustomReflectable {
  /// The request without secrets, and what it ended with.
  public var description: String { "\(request): attempt \(attempt), \(cause)" }

  /// The facts, without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "request": request, "attempt": attempt, "cause": cause, "error": error as Any,
        "response": response.map { Redaction.head($0) } as Any, "isIdempotent": isIdempotent,
        "mayHaveBeenSent": mayHaveBeenSent, "canSendBody": canSendBody, "retryAfter": retryAfter as Any,
        "proposal": proposal,
      ]
    )
  }
}
