/// When a request is sent again, how often, and how long to wait before; see ``Retry``.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.statuses.insert(500)
/// policy.decide = { failure in
///   failure.request.hop > 0 ? .stop : failure.proposal
/// }
/// request.options.retryPolicy = policy
/// ```
public struct RetryPolicy: Sendable {
  /// How often a request is sent at most, the first time included; 3 by default. 1 never sends again.
  public var attempts = 3

  /// The kinds of failures that are repeated: of name resolution, of the connection, of the phases before the
  /// head of the response, by default; and those of an open ``CircuitBreaker``, when that lets requests pass again.
  public var failures: Set<ExchangeError.Kind> = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody,
    .contentCoding(.truncated), .circuitOpen,
    .timeout(.pool), .timeout(.connect), .timeout(.head), .timeout(.idle), .timeout(.attempt),
  ]

  /// The statuses that are repeated, of 400 and above: 408, 421, 425, 429, 502, 503, 504 by default.
  ///
  /// 421 and 425 are repeated once; 421, of a server that was not the right one to ask, whatever the method.
  /// 413 is repeated as 503 is if it carries a `Retry-After`.
  public var statuses: Set<Int> = [408, 421, 425, 429, 502, 503, 504]

  /// The longest wait after the first failure, doubled with each that follows; 0.5 s by default.
  ///
  /// The wait is anything between nothing and that (full jitter), so that clients do not come back all at
  /// once.
  public var delay: Duration = .milliseconds(500)

  /// What the doubled delay grows to at most; 20 s by default.
  public var longestDelay: Duration = .seconds(20)

  /// The longest `Retry-After` (RFC 9110 10.2.3) that is waited for; 60 s by default. If a server asks for
  /// more, its response is returned.
  ///
  /// Up to a tenth is added to what it asks for, at random, and nothing is taken away.
  public var longestRetryAfter: Duration = .seconds(60)

  /// How long an attempt may take until the head of its response is there; nil, the default, leaves that to
  /// ``RequestOptions/connectTimeout``, ``RequestOptions/headTimeout`` and the other limits of the phases.
  ///
  /// At its end the attempt is cancelled and fails with ``ExchangeError`` of kind `timeout(.attempt)`. A stage below
  /// sees no more than the cancellation: a ``CircuitBreaker`` there does not count it as a failure of the origin, as it
  /// does with ``RequestOptions/headTimeout`` and ``RequestOptions/idleTimeout``.
  public var attemptTimeout: Duration?

  /// Whether a request that is not idempotent, such as POST, is given an `Idempotency-Key`, the same for all
  /// its attempts and redirects at one origin, which makes it repeatable; false by default.
  ///
  /// Only for servers that know the field: others carry out the request twice.
  public var addsIdempotencyKey = false

  /// Sends a second request when the first takes long; nil, the default, does not.
  public var hedging: Hedging?

  /// Waits for the network before an attempt when the connection failed; nil, the default, does not.
  public var offlineWait: OfflineWait?

  /// Has the last word on each failure, and each response of status 400 and above; nil by default.
  ///
  /// It may forbid a retry that the policy proposes, set its delay, or ask for one that the policy does not
  /// propose: for the method or the status. What it cannot do is to exceed ``attempts``, the deadline of the
  /// exchange or the budget, or to send a body twice that exists once. Cancellation is not asked about.
  public var decide: (@Sendable (FailedAttempt) async -> RetryDecision)?

  /// The defaults.
  public init() {}

  /// The defaults with another number of attempts.
  public init(attempts: Int) {
    self.attempts = attempts
  }

  /// A policy that never sends again.
  public static let never = RetryPolicy(attempts: 1)

  /// Sending a second request when the first takes long.
  ///
  /// That is done for safe methods (RFC 9110 9.2.1), and requests whose `options.isIdempotent` is true, with
  /// a body that can be sent again. The first good response wins, and the other request is cancelled. It
  /// counts as an attempt and against the budget, and is not done again once a server has pushed back with
  /// 429, 503 or `Retry-After`.
  public struct Hedging: Sendable, Hashable {
    /// How long the head of the first response is waited for.
    public var delay: Duration

    /// Hedging after a delay, best a little more than nearly all responses take.
    public init(after delay: Duration) {
      self.delay = delay
    }
  }

  /// Waiting for the network.
  public struct OfflineWait: Sendable {
    /// Tells of the network.
    public var monitor: any NetworkMonitor
    /// How long to wait at most; then the attempt is made anyway.
    public var limit: Duration

    /// Waiting while a monitor says `offline`, for 30 s at most unless another limit is given.
    public init(for monitor: any NetworkMonitor, upTo limit: Duration = .seconds(30)) {
      self.monitor = monitor
      self.limit = limit
    }
  }

  /// Whether nothing is to be done before an attempt has failed.
  var isSimple: Bool { attemptTimeout == nil && hedging == nil && !addsIdempotencyKey }
}

extension RequestOptions {
  static let retryPolicy = RequestOption<RetryPolicy?>("retryPolicy", default: nil)

  /// When a request is sent again; nil, the default, leaves that to the policy of the ``Retry`` stage.
  public var retryPolicy: RetryPolicy? {
    get { self[Self.retryPolicy] }
    set { self[Self.retryPolicy] = newValue }
  }
}
