public import HTTPTypes
public import StagecoachCore

/// A decision of ``Retry``.
@nonexhaustive
public enum RetryEvent: StageEvent, Hashable {
  /// The request is sent again after a delay.
  case decided(RetryCause, delay: Duration)
  /// An error, or a response that the policy would retry, is returned.
  case refused(RetryCause, RetryRefusal)
  /// A second request is sent because the first one takes long.
  case hedged(after: Duration)
  /// The second request was answered first.
  case hedgeWon
  /// There is no network, and the next attempt waits for it.
  case waitingForNetwork(upTo: Duration)
  /// The budget of the origin is used up, so nothing is retried.
  case budgetEmpty
}

/// The outcome of an attempt.
public enum RetryCause: Sendable, Hashable, CustomStringConvertible {
  /// An error of this kind.
  case failure(ExchangeError.Kind)
  /// A response with this status.
  case status(Int)

  /// The kind, or the word "status" and the status.
  public var description: String {
    switch self {
    case .failure(let kind): "\(kind)"
    case .status(let code): "status \(code)"
    }
  }
}

/// The reason that a request is not retried.
@nonexhaustive
public enum RetryRefusal: Sendable, Hashable {
  /// The policy does not retry failures of this kind.
  case permanent
  /// The request may have been processed, and is not idempotent.
  case notIdempotent(HTTPRequest.Method)
  /// The body was opened and cannot be replayed.
  case bodyNotReplayable
  /// The maximum number of attempts was used.
  case attemptsUsed(Int)
  /// The status is retried only once, and came again.
  case repeatedOnce
  /// The server asks to wait longer than the policy allows.
  case retryAfter(Duration, limit: Duration)
  /// The deadline of the exchange leaves no time for the attempt.
  case deadline(remaining: Duration)
  /// The closure of the policy declined.
  case forbidden
}

extension RetryRefusal: CustomStringConvertible {
  /// A description of the reason.
  public var description: String {
    switch self {
    case .permanent: "the failure is permanent"
    case .notIdempotent(let method): "\(method.rawValue) is not idempotent and may have been processed"
    case .bodyNotReplayable: "the body cannot be replayed"
    case .attemptsUsed(let count): "all \(count) attempts were used"
    case .repeatedOnce: "it is retried only once"
    case .retryAfter(let delay, let limit):
      "the server asks to wait for \(Format.duration(delay)) (limit \(Format.duration(limit)))"
    case .deadline(let remaining): "only \(Format.duration(remaining)) of the total timeout are left"
    case .forbidden: "the closure of the policy declined"
    }
  }
}

extension RetryRefusal {
  /// The reason and what can be done about it; `nil` if the policy never retries.
  var advice: String? {
    switch self {
    case .attemptsUsed(1): nil
    case .retryAfter: "\(self): send it later, or raise options.retryPolicy.longestRetryAfter"
    default: description
    }
  }
}

extension RetryEvent {
  /// A description of the decision.
  public var description: String {
    switch self {
    case .decided(let cause, let delay): "retry in \(Format.duration(delay)) after \(cause)"
    case .refused(let cause, let reason): "no retry after \(cause): \(reason)"
    case .hedged(let delay): "second request after \(Format.duration(delay)) without a response"
    case .hedgeWon: "the second request was answered first"
    case .waitingForNetwork(let limit): "no network, waiting for it for at most \(Format.duration(limit))"
    case .budgetEmpty: "no retry: the budget of the origin is used up"
    }
  }
}
