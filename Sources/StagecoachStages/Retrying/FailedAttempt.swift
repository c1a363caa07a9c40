public import HTTPTypes
public import StagecoachCore

/// A failed attempt, with the facts about it and the decision that the policy proposes.
public struct FailedAttempt: Sendable {
  /// The request as it was sent.
  public let request: Request

  /// The number of the attempt, starting at 1.
  public let attempt: Int

  /// The outcome of the attempt.
  public let cause: RetryCause

  /// The error; `nil` if there was a response.
  public let error: ExchangeError?

  /// The head of the response, if there was one.
  public let response: HTTPResponse?

  /// Whether sending the request twice has the same effect as once: according to its method, its `Idempotency-Key`, or
  /// the option of the caller.
  public let isIdempotent: Bool

  /// Whether any byte of the request may have reached the server; `false` only if certainly none has.
  public let mayHaveBeenSent: Bool

  /// Whether the body can be sent now: it is replayable or has not been sent yet.
  public let canSendBody: Bool

  /// The wait that the server asks for; `nil` if it does not.
  public let retryAfter: Duration?

  /// The decision of the policy without the closure.
  public internal(set) var proposal = RetryDecision.stop

  /// The facts about an attempt.
  init(_ request: Request, attempt: Int, error: ExchangeError?, response: HTTPResponse?) {
    self.request = request
    self.attempt = attempt
    self.error = error
    self.response = response ?? error?.response
    isIdempotent = request.isIdempotent
    canSendBody = request.body.isAvailable
    // A failure of a stage below that checked the status.
    if let error, error.kind != .status || self.response == nil {
      cause = .failure(error.kind)
      mayHaveBeenSent = error.requestMayHaveBeenSent ?? !Self.beforeRequest.contains(error.kind)
      retryAfter = error.retryAfter
    } else {
      cause = .status(self.response?.status.code ?? 0)
      mayHaveBeenSent = true
      let now = request.clock.date
      retryAfter = self.response?.headerFields.retryAfter(now: now)
    }
  }

  /// The kinds of failures before the request is sent.
  private static let beforeRequest: Set<ExchangeError.Kind> = [
    .nameResolution, .connectionRefused, .connectionFailed, .proxyRefused, .timeout(.pool),
    .timeout(.connect),
  ]

  /// Whether the connection ended, and not because of this request: the server closed a connection that it had kept
  /// open, at the moment it was used again (RFC 9112 9.3.1), or said that it has not processed the request (RFC 9113
  /// 8.7).
  var isReuseRace: Bool {
    cause == .failure(.connectionReset)
      && (error?.connectionWasReused == true || error?.requestMayHaveBeenSent == false)
  }

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

/// The decision of a policy on a failed attempt.
public enum RetryDecision: Sendable, Hashable {
  /// Return the error or the response.
  case stop
  /// Send the request again after a delay.
  case retry(after: Duration)
}

extension FailedAttempt: CustomStringConvertible, CustomReflectable {
  /// The request without secrets, and the outcome of the attempt.
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
