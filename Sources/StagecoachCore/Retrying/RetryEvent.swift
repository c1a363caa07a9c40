public import HTTPTypes

/// What ``Retry`` decided.
@nonexhaustive
public enum RetryEvent: Sendable, Hashable {
  /// The request is sent again after a delay.
  case decided(RetryCause, delay: Duration)
  /// A failure, or a response that the policy repeats, is passed on.
  case refused(RetryCause, RetryRefusal)
  /// A second request is sent, since the first has taken so long.
  case hedged(after: Duration)
  /// The second request was answered first.
  case hedgeWon
  /// There is no network, and the next attempt waits for it.
  case waitingForNetwork(upTo: Duration)
  /// The budget of the origin is used up: nothing is sent again.
  case budgetEmpty
}

/// What an attempt ended with.
public enum RetryCause: Sendable, Hashable, CustomStringConvertible {
  /// A failure of this kind.
  case failure(ExchangeError.Kind)
  /// A response of this status.
  case status(Int)

  /// The kind, or the status after a word.
  public var description: String {
    switch self {
    case .failure(let kind): "\(kind)"
    case .status(let code): "status \(code)"
    }
  }
}

/// An attempt that another one followed.
struct RepeatedAttempt: Sendable {
  var cause: RetryCause
  var error: ExchangeError?
}

/// Why a request is not sent again.
@nonexhaustive
public enum RetryRefusal: Sendable, Hashable {
  /// The policy does not repeat failures of this kind.
  case permanent
  /// The request may have been carried out, and doing that twice may matter.
  case notIdempotent(HTTPRequest.Method)
  /// The body exists once and was opened.
  case bodyNotReplayable
  /// It was sent this many times.
  case attemptsUsed(Int)
  /// The status is repeated once, and came again.
  case repeatedOnce
  /// The server asks to wait longer than the policy does.
  case retryAfter(Duration, limit: Duration)
  /// The deadline of the exchange would pass before the attempt could be made.
  case deadline(remaining: Duration)
  /// The closure of the policy forbids it.
  case forbidden
}

extension RetryRefusal: CustomStringConvertible {
  /// Why, for a person.
  public var description: String {
    switch self {
    case .permanent: "it would fail again"
    case .notIdempotent(let method): "\(method.rawValue) is not idempotent and may have been carried out"
    case .bodyNotReplayable: "the body exists once and was sent"
    case .attemptsUsed(let count): "it was sent \(count) times"
    case .repeatedOnce: "it is repeated once, and came again"
    case .retryAfter(let delay, let limit):
      "the server asks to wait for \(Format.duration(delay)), the limit is \(Format.duration(limit))"
    case .deadline(let remaining): "\(Format.duration(remaining)) are left of the total timeout"
    case .forbidden: "the policy's closure forbids it"
    }
  }
}

extension RetryEvent: CustomStringConvertible {
  /// The decision, for a person.
  public var description: String {
    switch self {
    case .decided(let cause, let delay): "retry in \(Format.duration(delay)) after \(cause)"
    case .refused(let cause, let reason): "no retry after \(cause): \(reason)"
    case .hedged(let delay): "second request after \(Format.duration(delay)) without a response"
    case .hedgeWon: "the second request was answered first"
    case .waitingForNetwork(let limit): "no network, waiting for it for \(Format.duration(limit)) at most"
    case .budgetEmpty: "no retry: the budget of the origin is used up"
    }
  }
}
