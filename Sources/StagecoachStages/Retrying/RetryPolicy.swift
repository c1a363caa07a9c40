public import StagecoachCore

/// The policy of ``Retry``: which failures are retried, how often, and after what delay.
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
  /// The maximum number of attempts, including the first one; 3 by default. 1 never retries.
  public var attempts = 3

  /// The kinds of errors that are retried: by default those of name resolution, of the connection, and of the phases
  /// before the response head.
  ///
  /// Also retried is a failure of a stage that is transient (`StageFailure.isTransient`), as that of an open
  /// `CircuitBreaker`, once it lets requests pass again.
  public var failures: Set<ExchangeError.Kind> = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody,
    .contentCoding(.truncated),
    .timeout(.pool), .timeout(.connect), .timeout(.head), .timeout(.idle), .timeout(.attempt),
  ]

  /// The retried statuses of 400 and above: 408, 421, 425, 429, 502, 503, 504 by default.
  ///
  /// 421 and 425 are retried only once; 421, which means that the server is not authoritative, whatever the method.
  /// 413 is retried like 503 if it has a `Retry-After`.
  public var statuses: Set<Int> = [408, 421, 425, 429, 502, 503, 504]

  /// The maximum delay after the first failure, doubled with each further failure; 0.5 s by default.
  ///
  /// The actual delay is random between zero and that maximum (full jitter), so that clients do not all return at
  /// once.
  public var delay: Duration = .milliseconds(500)

  /// The upper limit of the doubled delay; 20 s by default.
  public var longestDelay: Duration = .seconds(20)

  /// The maximum `Retry-After` to wait for; 60 s by default. If a server asks for more, its response is returned (RFC
  /// 9110 10.2.3).
  ///
  /// The delay is the requested one plus a random part of up to a tenth.
  public var longestRetryAfter: Duration = .seconds(60)

  /// The maximum time of an attempt until its response head arrives; `nil`, the default, for
  /// ``RequestOptions/connectTimeout``, ``RequestOptions/headTimeout`` and the other limits of the phases only.
  ///
  /// When it has passed, the attempt is cancelled and fails with ``ExchangeError`` of kind `timeout(.attempt)`. A
  /// stage below only sees the cancellation: a `CircuitBreaker` there does not count it as a failure of the origin, as
  /// it does with ``RequestOptions/headTimeout`` and ``RequestOptions/idleTimeout``.
  public var attemptTimeout: Duration?

  /// Whether to add an `Idempotency-Key` to a request that is not idempotent, such as POST, which makes it retriable;
  /// `false` by default. The key is the same for all its attempts and redirects at one origin.
  ///
  /// Only use it for servers that support the field: others process the request twice.
  public var addsIdempotencyKey = false

  /// The settings for sending a second request when the first takes long; `nil`, the default, to never do that.
  public var hedging: Hedging?

  /// The settings for waiting for the network after the connection failed; `nil`, the default, to never wait.
  public var offlineWait: OfflineWait?

  /// Makes the final decision on each error, and each response with a status of 400 and above; `nil` by default.
  ///
  /// It may decline a retry that the policy proposes, change its delay, or ask for a retry that the policy does not
  /// propose because of the method or the status. It cannot exceed ``attempts``, the deadline of the exchange or the
  /// budget, or send a body again that cannot be replayed. It is not called for cancellation.
  public var decide: (@Sendable (FailedAttempt) async -> RetryDecision)?

  /// Creates the default policy.
  public init() {}

  /// Creates the default policy with another number of attempts.
  public init(attempts: Int) {
    self.attempts = attempts
  }

  /// A policy that never retries.
  public static let never = RetryPolicy(attempts: 1)

  /// The settings of hedging: sending a second request when the first takes long.
  ///
  /// Only used for safe methods (RFC 9110 9.2.1), and requests whose `options.isIdempotent` is true, with a replayable
  /// body. The first good response wins, and the other request is cancelled. The second request counts as an attempt
  /// and against the budget, and is not sent any more after a server has answered with 429, 503 or `Retry-After`.
  public struct Hedging: Sendable, Hashable {
    /// The time to wait for the head of the first response.
    public var delay: Duration

    /// Creates settings with a delay, ideally a little longer than nearly all responses take.
    public init(after delay: Duration) {
      self.delay = delay
    }
  }

  /// The settings of waiting for the network.
  public struct OfflineWait: Sendable {
    /// The network monitor.
    public var monitor: any NetworkMonitor
    /// The maximum time to wait; then the attempt is made anyway.
    public var limit: Duration

    /// Creates settings to wait while a monitor reports `offline`, for at most 30 s by default.
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

  /// The retry policy of this request; `nil`, the default, for the policy of the ``Retry`` stage.
  public var retryPolicy: RetryPolicy? {
    get { self[Self.retryPolicy] }
    set { self[Self.retryPolicy] = newValue }
  }
}
