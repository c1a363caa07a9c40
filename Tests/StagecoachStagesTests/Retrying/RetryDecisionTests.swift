import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// The closure of a policy, deadlines and cancellation.
@Suite(.timeLimit(.minutes(1))) struct RetryDecisionTests {
  private static let request = Request.get("http://h/")

  private static func policy(
    attempts: Int = 3,
    _ decide: @escaping @Sendable (FailedAttempt) async -> RetryDecision
  ) -> RetryPolicy {
    var policy = RetryPolicy(attempts: attempts)
    policy.decide = decide
    return policy
  }

  @Test func whatTheClosureForbidsIsNotRepeated() async throws {
    let seen = Log<FailedAttempt>()
    let policy = Self.policy { failure in
      seen.add(failure)
      return .stop
    }
    let subject = try RetrySubject(policy, .status(503, [.retryAfter: "2"]), .status(200))
    #expect(try await subject.outcome() == "503")
    #expect(subject.events == [.refused(.status(503), .forbidden)])
    let facts = try #require(seen.all.first)
    #expect(facts.attempt == 1 && facts.cause == .status(503) && facts.error == nil)
    #expect(facts.isIdempotent && facts.mayHaveBeenSent && facts.canSendBody)
    #expect(facts.retryAfter == .seconds(2))
    #expect(facts.proposal == .retry(after: .milliseconds(2100)))
    #expect(facts.response?.status == .serviceUnavailable)
    #expect(facts.request.method == .get)
  }

  @Test func theClosureMayAskForMoreThanThePolicyProposes() async throws {
    let policy = Self.policy { failure in
      #expect(failure.proposal == .stop)
      return .retry(after: .seconds(3))
    }
    for answer in [
      RetrySubject.Answer.status(404), .status(503), .failure(.connectionReset), .failure(.stage),
    ] {
      let subject = try RetrySubject(policy, answer, .status(201))
      #expect(try await subject.outcome(of: .post("http://h/")) == "201")
      #expect(subject.waits == [.seconds(3)])
    }
  }

  @Test func theClosureIsNotAskedAboutSuccess() async throws {
    let policy = Self.policy { _ in
      Issue.record("asked")
      return .retry(after: .zero)
    }
    for code in [200, 204, 304, 399] {
      #expect(try await RetrySubject(policy, .status(code)).outcome() == "\(code)")
    }
  }

  @Test func theClosureCannotExceedTheLimits() async throws {
    let always = Self.policy { _ in .retry(after: .zero) }
    let attempts = try RetrySubject(always, .status(404))
    #expect(try await attempts.outcome() == "404")
    #expect(attempts.attempts == 3)
    #expect(attempts.events.last == .refused(.status(404), .attemptsUsed(3)))
    let budget = try RetrySubject(always, budget: RetryBudget(minimum: 1, share: 0), .status(404))
    #expect(try await budget.outcome() == "404")
    #expect(budget.attempts == 2)
    #expect(budget.events.last == .budgetEmpty)
    let body = try RetrySubject(
      always,
      .closure { request in
        _ = try request.body.makeSource()
        return Response(.notFound)
      }
    )
    let once = Request.Body.oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil)
    #expect(try await body.outcome(of: .post("http://h/", body: once)) == "404")
    #expect(body.events == [.refused(.status(404), .bodyNotReplayable)])
    let deadline = try RetrySubject(
      Self.policy { _ in .retry(after: .seconds(9)) },
      time: ManualTime(),
      .status(404)
    )
    #expect(try await deadline.outcome(of: Self.request.with(\.totalTimeout, .seconds(9))) == "404")
    #expect(deadline.events == [.refused(.status(404), .deadline(remaining: .seconds(9)))])
  }

  /// An attempt needs 50 ms beside the wait (5.5).
  @Test("5.5: no attempt too close to the deadline", arguments: [(299, false), (300, true)])
  func makesNoAttemptTooCloseToTheDeadline(milliseconds: Int, isRepeated: Bool) async throws {
    let time = ManualTime()
    let subject = try RetrySubject(time: time, .failure(.connectionRefused), .status(200))
    let request = Self.request.with(\.totalTimeout, .milliseconds(milliseconds))
    let call = Task { try await subject.outcome(of: request) }
    if isRepeated {
      // The deadline of the client, and the wait.
      await time.sleepers(atLeast: 2)
      time.advance(by: .milliseconds(250))
    }
    #expect(try await call.value == (isRepeated ? "200" : "connectionRefused"))
    #expect(subject.attempts == (isRepeated ? 2 : 1))
    if !isRepeated {
      #expect(
        subject.events == [
          .refused(.failure(.connectionRefused), .deadline(remaining: .milliseconds(milliseconds)))
        ]
      )
    }
  }

  @Test("5.5: the deadline spans all attempts") func theDeadlineSpansAllAttempts() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(time: time, .status(503), .none)
    let call = Task { try await subject.outcome(of: Self.request.with(\.totalTimeout, .seconds(5))) }
    await time.sleepers(atLeast: 2)
    time.advance(by: .milliseconds(250))
    time.advance(by: .milliseconds(4750))
    #expect(try await call.value == "timeout.total")
  }

  /// The limit alone would not tell what went wrong.
  @Test(arguments: [
    (RetrySubject.Answer.status(503), "status 503", false),
    (.failure(.connectionRefused), "connectionRefused", true),
  ])
  func theTimeoutErrorHoldsTheFailureOfTheAttemptBefore(
    first: RetrySubject.Answer,
    cause: String,
    isFailure: Bool
  )
    async throws
  {
    let time = ManualTime()
    let subject = try RetrySubject(time: time, first, .none)
    let call = Task { try await subject.client.send(Self.request.with(\.totalTimeout, .seconds(5))) }
    await time.sleepers(atLeast: 2)
    time.advance(by: .milliseconds(250))
    time.advance(by: .milliseconds(4750))
    let error = try await #require(throws: ExchangeError.self) { try await call.value }
    #expect(error.kind == .timeout(.total))
    #expect(
      error.message == "the exchange did not finish within 5 s; the previous attempt ended with \(cause)"
    )
    #expect((error.underlying as? ExchangeError)?.kind == (isFailure ? .connectionRefused : nil))
  }

  @Test func everyAttemptHasTheDeadlineOfItsRequest() async throws {
    let time = ManualTime()
    let deadlines = Log<ContinuousClock.Instant?>()
    let start = time.now
    let subject = try RetrySubject(
      time: time,
      .closure { request in
        deadlines.add(request.deadline)
        return Response(.ok)
      }
    )
    _ = try await subject.outcome(of: Self.request.with(\.totalTimeout, .seconds(5)))
    _ = try await subject.outcome()
    #expect(deadlines.all == [start.advanced(by: .seconds(5)), nil])
    #expect(Self.request.with(\.totalTimeout, .seconds(5)).deadline == nil)
  }

  @Test func anAttemptThatTakesTooLongIsRepeated() async throws {
    let time = ManualTime()
    var policy = RetryPolicy()
    policy.attemptTimeout = .seconds(2)
    policy.delay = .zero
    let ended = Counter()
    let hanging = RetrySubject.Answer.closure { _ in
      defer { ended.add() }
      try await sleepUntilCancelled()
      return Response(.ok)
    }
    let subject = try RetrySubject(policy, time: time, hanging, .status(200))
    let call = Task { try await subject.outcome() }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(2))
    #expect(try await call.value == "200")
    #expect(ended.value == 1)
    #expect(subject.events == [.decided(.failure(.timeout(.attempt)), delay: .zero)])
    // Nobody knows whether it was carried out.
    let post = try RetrySubject(policy, time: time, hanging)
    let error = Task {
      try await #require(throws: ExchangeError.self) { try await post.client.send(.post("http://h/")) }
    }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(2))
    let failure = try await error.value
    #expect(failure.kind == .timeout(.attempt))
    #expect(failure.limit == ExchangeError.Limit(option: "retryPolicy.attemptTimeout", value: "2 s"))
    #expect(failure.message == "no response to the attempt arrived within 2 s")
    #expect(failure.stage == "Retry")
  }

  @Test func cancellationEndsTheWait() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(time: time, .status(503), .status(200))
    let call = Task { try await subject.client.send(Self.request) }
    await time.sleepers(atLeast: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(subject.attempts == 1)
  }

  @Test func cancellationWithoutAWaitIsSeenToo() async throws {
    let subject = try RetrySubject(
      share: 0,
      .closure { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return Response(.serviceUnavailable)
      }
    )
    let call = Task { try await subject.client.send(Self.request) }
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(subject.attempts == 1)
  }
}
