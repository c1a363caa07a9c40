import HTTPTypes
import StagecoachCore

/// One request on its way through ``Retry``, from its first attempt, or behind it.
struct RetryRun {
  /// The outcome of an attempt, unless its task was cancelled.
  enum Outcome: Sendable {
    case response(Response)
    case failure(ExchangeError)

    /// The outcome of an attempt that threw; throws what is not for this stage to judge.
    init(_ error: any Error) throws {
      guard let error = error as? ExchangeError else { throw error }
      self = .failure(error)
    }
  }

  /// The minimum time before the deadline when an attempt starts.
  private static let leastTime = Duration.milliseconds(50)

  let policy: RetryPolicy
  let budget: RetryBudget
  let next: Next
  /// The request as it is sent, or was sent last.
  var request: Request
  /// Which attempt it is: by ``Request/attempt`` another stage above may have counted before.
  var attempt = 1
  /// Whether a second request may still be sent at the same time.
  var mayHedge = true
  private var memory = RetryMemory()
  private var history: [Response.Hop] = []
  /// The end of the current attempt, relative to the start of the exchange.
  private var arrival: Duration?
  /// The reason that no attempt follows the last response, although the policy repeats its status.
  private var refusal: String?

  init(_ request: Request, _ policy: RetryPolicy, _ budget: RetryBudget, _ next: Next) {
    self.policy = policy
    self.budget = budget
    self.next = next
    self.request = request
    if policy.addsIdempotencyKey { self.request.addIdempotencyKey() }
  }

  var time: any TimeSource { request.clock }

  private var random: any RandomSource { request.randomNumberGenerator }

  /// Makes all attempts.
  mutating func begin() async throws -> Response {
    try await goOn(after: try await tryOnce())
  }

  /// Makes the attempts that follow one.
  mutating func goOn(after first: Outcome) async throws -> Response {
    var outcome = first
    while let delay = await decide(on: outcome) {
      let failure = facts(outcome)
      await leave(outcome, since: arrival)
      try await wait(delay, after: failure)
      advance()
      if failure?.isOfKeptConnection == true { leaveConnection() }
      outcome = try await tryOnce()
    }
    switch outcome {
    case .failure(let error): throw error
    case .response(var response):
      if !history.isEmpty { response.history = history + response.history }
      if let refusal { response.remark = "Retry did not send the request again: \(refusal)" }
      return response
    }
  }

  /// The facts about an attempt that the policy has something to say about; nil if it has not.
  func facts(_ outcome: Outcome) -> FailedAttempt? {
    switch outcome {
    case .failure(let error):
      return FailedAttempt(request, attempt: attempt, error: error, response: nil)
    case .response(let response):
      let code = response.status.code
      // What the cache has answered it would answer again.
      guard response.source != .cache, response.source != .stale else { return nil }
      guard code >= 400, policy.statuses.contains(code) || code == 413 || policy.decide != nil else {
        return nil
      }
      let facts = FailedAttempt(request, attempt: attempt, error: nil, response: response.head)
      return policy.decide != nil || policy.repeats(code, facts) ? facts : nil
    }
  }

  /// Returns the delay before the next attempt; `nil` if there is none.
  private mutating func decide(on outcome: Outcome) async -> Duration? {
    guard var failure = facts(outcome) else { return nil }
    arrival = request.exchange?.elapsed
    if failure.isPushBack { mayHedge = false }
    var verdict = policy.verdict(on: failure, after: memory, random: random)
    if let decide = policy.decide {
      failure.proposal = verdict.decision
      let decision = await decide(failure)
      verdict = policy.verdict(verdict, overruledBy: decision, failure)
    }
    let remaining = request.deadline.map { $0 - time.now }
    if case .retry(let delay, _) = verdict, let remaining, remaining < delay + Self.leastTime {
      verdict = .refuse(.deadline(remaining: max(.zero, remaining)))
    }
    switch verdict {
    case .refuse(.permanent) where failure.error == nil:
      // A response like any other.
      return nil
    case .refuse(let reason):
      request.emit(RetryEvent.refused(failure.cause, reason))
      refusal = reason.advice
      return nil
    case .retry(let delay, let isFree):
      guard isFree || budget.withdraw(for: request) else {
        request.emit(RetryEvent.budgetEmpty)
        refusal = "the budget of the origin is used up"
        return nil
      }
      memory.note(failure)
      request.exchange?.withState(Exchange.answerBefore) { before in
        before = ("\(failure.cause)", failure.error)
      }
      request.emit(RetryEvent.decided(failure.cause, delay: delay))
      return delay
    }
  }

  /// Lets go of a response, and keeps it in the history.
  ///
  /// - Parameters:
  ///   - arrival: When it came, from the start of the exchange.
  ///   - isHurried: Whether its connection is rather closed than its body waited for.
  mutating func leave(_ outcome: Outcome, since arrival: Duration?, isHurried: Bool = false) async {
    guard case .response(let response) = outcome else { return }
    history += response.history + [response.hop(to: request, at: arrival)]
    if isHurried { response.body.cancel() } else { await response.body.discard() }
  }

  mutating func advance() {
    attempt += 1
    request.attempt += 1
    request.begin()
  }

  /// Makes the next attempts use new connections, if the transport supports that.
  private mutating func leaveConnection() {
    guard next.capabilities.contains(.newConnections) else { return }
    request.options.networkUse = request.options.networkUse ?? NetworkUse()
    request.options.networkUse?.newConnection = true
  }

  /// Makes an attempt, or two at the same time.
  private mutating func tryOnce() async throws -> Outcome {
    if let hedging = policy.hedging, mayHedge, attempt < policy.attempts, request.isSafe,
      request.body.isReplayable
    {
      return try await hedge(after: hedging.delay)
    }
    return try await Self.send(request, next, within: policy.attemptTimeout)
  }

  static func send(_ request: Request, _ next: Next, within limit: Duration?) async throws -> Outcome {
    do {
      guard let limit else { return .response(try await next(request)) }
      let time: any TimeSource = request.clock
      let response = try await withDeadline(time.now.advanced(by: limit), on: time) {
        try await next(request)
      } orThrow: {
        ExchangeError.timeout(.attempt, after: limit)
      }
      return .response(response)
    } catch {
      return try Outcome(error)
    }
  }

  /// Waits before an attempt.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  private func wait(_ delay: Duration, after failure: FailedAttempt?) async throws {
    let network = failure?.isOfConnection == true ? policy.offlineWait : nil
    // Watched from here on, so that the state is known when the delay is over.
    let statuses = network?.monitor.statuses
    if delay > .zero { try await time.sleep(until: time.now.advanced(by: delay)) }
    try Task.checkCancellation()
    if let network, let statuses { try await wait(for: network, statuses) }
  }

  @inline(never)
  private func wait(for network: RetryPolicy.OfflineWait, _ statuses: AsyncStream<NetworkStatus>) async throws
  {
    guard network.monitor.status == .offline else { return }
    var limit = network.limit
    if let deadline = request.deadline { limit = min(limit, deadline - time.now - Self.leastTime) }
    guard limit > .zero else { return }
    request.emit(RetryEvent.waitingForNetwork(upTo: limit))
    try? await withDeadline(time.now.advanced(by: limit), on: time) {
      // Statuses of the time before may still be in the stream: the present one counts.
      for await _ in statuses where network.monitor.status != .offline { return }
    } orThrow: {
      CancellationError()
    }
    try Task.checkCancellation()
  }
}
