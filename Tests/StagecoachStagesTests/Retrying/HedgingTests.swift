import HTTPTypes
import Stagecoach
import StagecoachResilience
import TestSupport
import Testing

/// Hedging as in 5.5 of http.md.
@Suite(.timeLimit(.minutes(1))) struct HedgingTests {
  private static let request = Request.get("http://h/")

  private static var policy: RetryPolicy {
    var policy = RetryPolicy()
    policy.hedging = RetryPolicy.Hedging(after: .seconds(1))
    policy.delay = .zero
    return policy
  }

  /// Sends, and moves the clock to where the second request is due.
  private static func outcome(
    _ subject: RetrySubject,
    _ time: ManualTime,
    of request: Request = request
  ) async throws -> Response {
    let call = Task { try await subject.client.send(request) }
    await subject.secondIsDue(time)
    return try await call.value
  }

  @Test("5.5: the second answer wins and the first request is cancelled")
  func theSecondAnswerWinsAndTheFirstRequestIsCancelled() async throws {
    let time = ManualTime()
    let ended = Counter()
    let subject = try RetrySubject(
      Self.policy,
      time: time,
      .closure { _ in
        defer { ended.add() }
        try await sleepUntilCancelled()
        return Response(.ok)
      },
      .status(204)
    )
    #expect(try await Self.outcome(subject, time).status == .noContent)
    #expect(ended.value == 1)
    #expect(subject.transport.requests.map(\.attempt) == [1, 2])
    #expect(subject.events == [.hedged(after: .seconds(1)), .hedgeWon])
  }

  @Test("5.5: the first answer wins and the second request is cancelled")
  func theFirstAnswerWinsAndTheSecondRequestIsCancelled() async throws {
    let time = ManualTime()
    let (ended, second) = (Counter(), Signal())
    let subject = try RetrySubject(
      Self.policy,
      time: time,
      .closure { _ in
        await second.wait()
        return Response(.accepted)
      },
      .closure { _ in
        second.set()
        defer { ended.add() }
        try await sleepUntilCancelled()
        return Response(.ok)
      }
    )
    #expect(try await Self.outcome(subject, time).status == .accepted)
    #expect(ended.value == 1)
    #expect(subject.events == [.hedged(after: .seconds(1))])
  }

  @Test("5.5: a quick answer needs no second request") func aQuickAnswerSendsNoSecondRequest() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(Self.policy, time: time, .status(200))
    #expect(try await subject.outcome() == "200")
    #expect(subject.attempts == 1)
    #expect(subject.events.isEmpty)
  }

  @Test("5.5: the body of an answer that comes too late is cancelled") func cancelsTheBodyOfALateAnswer()
    async throws
  {
    let time = ManualTime()
    let (late, bodyEnded) = (ScriptedSource([.wait]), Counter())
    let subject = try RetrySubject(
      Self.policy,
      time: time,
      .closure { _ in
        // Deaf to cancellation, as an engine may be.
        try? await sleepUntilCancelled()
        var response = Response(.ok, body: Response.Body(source: late))
        response.body.onEnd { _ in bodyEnded.add() }
        return response
      },
      .status(200)
    )
    _ = try await Self.outcome(subject, time)
    #expect(late.cancels == 1)
    #expect(bodyEnded.value == 1)
  }

  @Test("5.5: a first good answer, not a first answer") func waitsForAGoodAnswerPastABadOne() async throws {
    let time = ManualTime()
    let (second, failed) = (Signal(), Signal())
    let subject = try RetrySubject(
      Self.policy,
      time: time,
      .closure { _ in
        await second.wait()
        defer { failed.set() }
        return Response(.badGateway)
      },
      .closure { _ in
        second.set()
        await failed.wait()
        return Response(.ok)
      }
    )
    let response = try await Self.outcome(subject, time)
    // The one that loses is a failed attempt if it ends first.
    #expect(response.status == .ok)
    #expect(subject.events.first == .hedged(after: .seconds(1)))
  }

  @Test("5.5: two failures are two attempts") func twoFailuresCountAsTwoAttempts() async throws {
    let time = ManualTime()
    let second = Signal()
    let subject = try RetrySubject(
      Self.policy,
      time: time,
      .closure { _ in
        await second.wait()
        return Response(.badGateway)
      },
      .closure { _ in
        second.set()
        return Response(.badGateway)
      },
      .status(200)
    )
    let response = try await Self.outcome(subject, time)
    #expect(response.status == .ok)
    #expect(response.history.count == 2)
    #expect(Set(response.history.map(\.start)) == [.zero, .seconds(1)])
    #expect(subject.transport.requests.map(\.attempt) == [1, 2, 3])
  }

  @Test("5.5: push-back stops hedging") func retryAfterStopsHedging() async throws {
    for fields in [[:], [.retryAfter: "0"]] as [HTTPFields] {
      let time = ManualTime()
      let slow = RetrySubject.Answer.closure { _ in
        // A second request would be due, and has the time to be sent.
        time.advance(by: .seconds(5))
        for _ in 0..<20 { await Task.yield() }
        return Response(.ok)
      }
      let status = fields.isEmpty ? 429 : 502
      let subject = try RetrySubject(Self.policy, time: time, share: 0, .status(status, fields), slow)
      #expect(try await subject.outcome() == "200")
      #expect(subject.events == [.decided(.status(status), delay: .zero)])
    }
  }

  @Test("5.5: only safe requests with a body that can be sent twice") func hedgesOnlySafeReplayableRequests()
    async throws
  {
    let once = Request.Body.oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil)
    for request in [Request.post("http://h/"), .put("http://h/"), Request(.get, "http://h/", body: once)] {
      let time = ManualTime()
      let subject = try RetrySubject(
        Self.policy,
        time: time,
        .closure { _ in
          // Nobody sleeps on the clock: no second request is due.
          time.advance(by: .seconds(5))
          await Task.yield()
          return Response(.ok)
        }
      )
      #expect(try await subject.outcome(of: request) == "200")
      #expect(subject.attempts == 1)
    }
    let time = ManualTime()
    let marked = try RetrySubject(Self.policy, time: time, .none, .status(200))
    let request = Request.post("http://h/").with(\.isIdempotent, true)
    #expect(try await Self.outcome(marked, time, of: request).status == .ok)
  }

  @Test("5.5: it counts against the budget") func hedgesCountAgainstTheBudget() async throws {
    let time = ManualTime()
    let moved = Signal()
    let subject = try RetrySubject(
      Self.policy,
      budget: RetryBudget(minimum: 0, share: 0),
      time: time,
      .closure { request in
        await moved.wait()
        return Response(.ok)
      }
    )
    let call = Task { try await subject.client.send(Self.request) }
    await subject.secondIsDue(time)
    while subject.events.isEmpty { await Task.yield() }
    moved.set()
    #expect(try await call.value.status == .ok)
    #expect(subject.attempts == 1)
    #expect(subject.events == [.budgetEmpty])
  }

  @Test func cancellationEndsBoth() async throws {
    let time = ManualTime()
    let (started, ended) = (Signal(), Counter())
    let hanging = RetrySubject.Answer.closure { request in
      if request.attempt == 2 { started.set() }
      defer { ended.add() }
      try await sleepUntilCancelled()
      return Response(.ok)
    }
    let subject = try RetrySubject(Self.policy, time: time, hanging)
    let call = Task { try await subject.client.send(Self.request) }
    await subject.secondIsDue(time)
    await started.wait()
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(ended.value == 2)
  }

  @Test func aHedgeDoesNotJoinTheRequestThatItIsToOvertake() async throws {
    let time = ManualTime()
    let subject = try RetrySubject(Self.policy, time: time, below: [Coalescing()], .none, .status(204))
    let call = Task { try await subject.client.send(Self.request) }
    await subject.secondIsDue(time)
    while subject.attempts < 2, !subject.recorder.words.contains(where: { $0.hasPrefix("concurrency") }) {
      await Task.yield()
    }
    // One that has joined would wait for ever.
    if subject.attempts < 2 { call.cancel() }
    #expect(try await call.value.status == .noContent)
    #expect(subject.transport.requests.map(\.attempt) == [1, 2])
  }

  @Test("5.5: what a server says of when to come back outlives the failure of the other attempt")
  func keepsTheRetryAfterOfTheFirstFailure() async throws {
    let time = ManualTime()
    let (second, answered) = (Signal(), Signal())
    let subject = try RetrySubject(
      Self.policy,
      time: time,
      share: 0,
      .closure { _ in
        await second.wait()
        defer { answered.set() }
        return Response(.tooManyRequests, fields: [.retryAfter: "30"])
      },
      .closure { _ in
        second.set()
        await answered.wait()
        // The answer is the first to be looked at.
        for _ in 0..<40 { await Task.yield() }
        throw ExchangeError(.connectionReset, "reset")
      },
      .status(200)
    )
    let call = Task { try await subject.client.send(Self.request) }
    await subject.secondIsDue(time)
    while subject.events.count < 2 { await Task.yield() }
    try #require(subject.events.last == .decided(.status(429), delay: .seconds(30)))
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(30) - .nanoseconds(1))
    for _ in 0..<20 { await Task.yield() }
    #expect(subject.attempts == 2)
    time.advance(by: .nanoseconds(1))
    #expect(try await call.value.status == .ok)
    #expect(subject.attempts == 3)
  }
}
