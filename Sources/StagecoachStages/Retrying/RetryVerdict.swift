import StagecoachCore

/// The verdict of a policy's rules on an attempt, before deadline and budget are checked.
enum RetryVerdict: Hashable {
  /// Sent again after a delay; a free one costs nothing of the budget.
  case retry(after: Duration, isFree: Bool)
  case refuse(RetryRefusal)

  var decision: RetryDecision {
    if case .retry(let delay, _) = self { .retry(after: delay) } else { .stop }
  }
}

/// The relevant decisions on earlier attempts.
struct RetryMemory {
  /// A server that was not the one to ask, and one that does not take early data (RFC 8470).
  private static let repeatedOnce: Set<Int> = [421, 425]

  /// The statuses repeated so far that are repeated once.
  var once: Set<Int> = []
  /// Whether a connection that was closed as it was used again has been made up for.
  var hasRaced = false

  /// Keeps what matters of an attempt that is followed by another.
  mutating func note(_ failure: FailedAttempt) {
    if failure.isReuseRace { hasRaced = true }
    if case .status(let code) = failure.cause, Self.repeatedOnce.contains(code) { once.insert(code) }
  }
}

extension RetryPolicy {
  /// The longest delay that is reckoned with: a hundred years.
  private static let longest = Duration.seconds(RetryAfter.longest)

  /// The verdict on an attempt.
  func verdict(
    on failure: FailedAttempt,
    after memory: RetryMemory,
    random: any RandomSource
  ) -> RetryVerdict {
    switch failure.cause {
    case .failure(let kind):
      guard failures.contains(kind) || kind.isTransientStageFailure else { return .refuse(.permanent) }
    case .status(let code):
      guard repeats(code, failure) else { return .refuse(.permanent) }
      if memory.once.contains(code) { return .refuse(.repeatedOnce) }
    }
    if let refusal = limit(failure) { return .refuse(refusal) }
    guard !failure.mayHaveBeenSent || failure.isIdempotent || failure.cause == .status(421) else {
      return .refuse(.notIdempotent(failure.request.method))
    }
    if failure.isReuseRace, !memory.hasRaced { return .retry(after: .zero, isFree: true) }
    guard let requested = failure.retryAfter else {
      return .retry(after: backOff(after: failure.attempt, random), isFree: false)
    }
    guard requested <= longestRetryAfter else {
      return .refuse(.retryAfter(requested, limit: longestRetryAfter))
    }
    // At least a tenth of our own delay is added, for a server that tells all its clients to return now.
    let jitter = max(requested, min(max(.zero, delay), longestDelay)) * (random.share() / 10)
    return .retry(after: requested + jitter, isFree: false)
  }

  /// Returns the verdict after the decision of the policy's closure.
  func verdict(_ verdict: RetryVerdict, overruledBy decision: RetryDecision, _ failure: FailedAttempt)
    -> RetryVerdict
  {
    switch (decision, verdict) {
    case (.stop, .refuse): return verdict
    case (.stop, .retry): return .refuse(.forbidden)
    case (.retry(let delay), _):
      if let refusal = limit(failure) { return .refuse(refusal) }
      if case .retry(delay, _) = verdict { return verdict }
      return .retry(after: min(max(.zero, delay), Self.longest), isFree: false)
    }
  }

  /// Returns the reason for refusing a retry that cannot be overridden.
  private func limit(_ failure: FailedAttempt) -> RetryRefusal? {
    guard failure.attempt < attempts else { return .attemptsUsed(failure.attempt) }
    return failure.canSendBody ? nil : .bodyNotReplayable
  }

  func repeats(_ code: Int, _ failure: FailedAttempt) -> Bool {
    statuses.contains(code) || code == 413 && failure.retryAfter != nil && statuses.contains(503)
  }

  /// Returns the delay after this many attempts: exponential, with full jitter.
  func backOff(after attempts: Int, _ random: any RandomSource) -> Duration {
    let limit = min(max(.zero, longestDelay), Self.longest)
    let base = min(max(.zero, delay), limit)
    // A shift beyond any delay that is not capped, and short of any overflow.
    let grown = min(base * (1 << min(max(0, attempts - 1), 30)), limit)
    return grown * random.share()
  }
}

extension ExchangeError.Kind {
  /// Whether a stage says of its failure that the request may succeed later.
  fileprivate var isTransientStageFailure: Bool {
    if case .stageFailure(let failure) = self { return failure.isTransient }
    return false
  }
}
