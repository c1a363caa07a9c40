import HTTPTypes
public import StagecoachCore

/// A stage that retries requests after transient failures, if that is safe.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.attempts = 5
/// let pipeline = Pipeline(over: transport) {
///   Redirects()
///   Retry(policy)
/// }
/// ```
///
/// Three facts decide: whether any byte of the request may have reached the server, whether the request is idempotent,
/// and whether its body can be sent again (RFC 9110 9.2.2). A request that was certainly not sent is retried whatever
/// its method; one that may have been sent is retried if it is idempotent, such as GET and PUT, or has an
/// `Idempotency-Key`. The ``RetryPolicy`` determines the failures and statuses, the delays and the number of attempts;
/// set it for one request with `options.retryPolicy`.
///
/// Nothing is retried once the ``RetryBudget`` of the origin is used up, so that retries do not overload a struggling
/// server, or if the delay would end too close to the deadline of the exchange (``RequestOptions/totalTimeout``). The
/// last response or error is then returned: a 503 is returned, not thrown. Cancelling the task ends a delay at once.
/// Earlier responses are in the history of the returned one.
///
/// A response is final as soon as its head has arrived. A body that fails later is not retried, because part of it has
/// already been passed on.
///
/// Every decision is reported as a ``RetryEvent``.
public struct Retry: Middleware {
  /// The default policy, unless a request overrides it.
  public let policy: RetryPolicy

  /// The limit of the retries of all requests of this stage, by origin.
  public let budget: RetryBudget

  /// Whether the policy asks for nothing before an attempt has failed.
  private let isSimple: Bool

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - policy: The default policy.
  ///   - budget: The limit of retries; several stages can share one.
  public init(_ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget = RetryBudget()) {
    self.policy = policy
    self.budget = budget
    isSimple = policy.isSimple
  }

  /// Sends the request, and retries it according to the policy.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard prepare(request) else { return try await begin(request, next) }
    let response: Response
    do {
      response = try await next(request)
    } catch {
      return try await goOn(request, next, after: try RetryRun.Outcome(error))
    }
    if response.status.code < 400 { return response }
    return try await goOn(request, next, after: .response(response))
  }

  // These functions are not inlined into `handle`: its frame lives as long as its request.

  /// Counts the request.
  ///
  /// - Returns: Whether the first attempt is only a call of the next stage.
  @inline(never)
  private func prepare(_ request: Request) -> Bool {
    budget.count(request)
    guard let own = request.options.retryPolicy else { return isSimple }
    return own.isSimple
  }

  @inline(never)
  private func begin(_ request: Request, _ next: Next) async throws -> Response {
    var run = RetryRun(request, request.options.retryPolicy ?? policy, budget, next)
    return try await run.begin()
  }

  @inline(never)
  private func goOn(_ request: Request, _ next: Next, after outcome: RetryRun.Outcome) async throws
    -> Response
  {
    var run = RetryRun(request, request.options.retryPolicy ?? policy, budget, next)
    return try await run.goOn(after: outcome)
  }
}
