import HTTPTypes

/// Sends a request again when its failure is likely to pass, where that is safe.
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
/// Three facts decide (RFC 9110 9.2.2): whether a byte of the request may have reached the server, whether
/// the request is idempotent, and whether its body can be sent again. What surely was not sent is repeated
/// whatever its method; what may have been is repeated if it is idempotent, as GET and PUT are, or carries an
/// `Idempotency-Key`. Which failures and statuses count, how long to wait and how often to try is the
/// ``RetryPolicy``, for one request alone in `options.retryPolicy`.
///
/// Nothing is sent again once the ``RetryBudget`` of the origin is used up, so that retries do not finish off a server
/// that struggles; nor if the wait would end too close to the deadline of the exchange
/// (``RequestOptions/totalTimeout``). The last answer or failure is then passed on as it is: a 503 is returned, not
/// thrown. Cancelling the task ends a wait at once. A response that is left is in the history of the one that is
/// returned.
///
/// A response counts as soon as its head is there. A body that fails later is not repeated, since part of it
/// has been handed on.
///
/// Every decision is an event, ``RetryEvent``.
public struct Retry: Middleware {
  /// When to send again, unless the request says otherwise.
  public let policy: RetryPolicy

  /// What bounds the retries of all requests of this stage, by origin.
  public let budget: RetryBudget

  /// Whether the policy asks for nothing before an attempt has failed.
  private let isSimple: Bool

  /// A stage.
  ///
  /// - Parameters:
  ///   - policy: When to send again.
  ///   - budget: Bounds the retries; give several stages the same to have them share it.
  public init(_ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget = RetryBudget()) {
    self.policy = policy
    self.budget = budget
    isSimple = policy.isSimple
  }

  /// Sends the request, and again as the policy says.
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

  // What follows stays out of `handle`: every request in flight holds its frame.

  /// Counts the request.
  ///
  /// - Returns: Whether its first attempt is nothing but a call of the next stage.
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
