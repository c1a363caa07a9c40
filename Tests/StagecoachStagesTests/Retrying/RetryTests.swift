import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RetryTests {
  private static let request = Request.get("http://h/")

  @Test func theFirstSuccessIsReturnedAsItIs() async throws {
    let subject = try RetrySubject(.status(200))
    let response = try await subject.client.send(Self.request)
    #expect(response.status == .ok)
    #expect(response.history.isEmpty)
    #expect(subject.attempts == 1)
    #expect(subject.events.isEmpty)
    #expect(subject.transport.requests.map(\.attempt) == [1])
  }

  @Test func theLastAnswerIsReturnedWithItsHistory() async throws {
    let subject = try RetrySubject(.status(503, [.server: "s"]))
    let response = try await subject.client.send(Self.request)
    #expect(response.status == .serviceUnavailable)
    #expect(response.fields[.server] == "s")
    #expect(response.history.map(\.response.status.code) == [503, 503])
    #expect(subject.transport.requests.map(\.attempt) == [1, 2, 3])
    #expect(subject.waits == [.milliseconds(250), .milliseconds(500)])
    #expect(
      subject.events == [
        .decided(.status(503), delay: .milliseconds(250)), .decided(.status(503), delay: .milliseconds(500)),
        .refused(.status(503), .attemptsUsed(3)),
      ]
    )
  }

  @Test func theLastFailureIsThrown() async throws {
    let subject = try RetrySubject(.failure(.connectionReset), .status(502), .failure(.timeout(.head)))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await subject.client.send(Self.request)
    }
    #expect(error.kind == .timeout(.head))
    #expect(error.attempts == 3)
    #expect(error.stage == "HandlerTransport")
  }

  @Test func responsesThatWereLeftAreInTheHistoryWithoutSecrets() async throws {
    let subject = try RetrySubject(
      .failure(.connectionRefused),
      .status(503, [.setCookie: "secret"]),
      .status(200)
    )
    var request = Self.request
    request.fields[.authorization] = "secret"
    let response = try await subject.client.send(request)
    #expect(response.history.count == 1)
    #expect(response.history.first?.response.status == .serviceUnavailable)
    #expect(!"\(response.history)".contains("secret"))
    #expect(response.request?.attempt == 3)
  }

  @Test func fieldsThatAreMarkedAreSecretsInTheHistoryToo() async throws {
    let subject = try RetrySubject(.status(503), .status(200))
    let name = try #require(HTTPField.Name("X-Team-Key"))
    var request = Self.request
    request.fields[name] = "hush"
    request.options.sensitiveFields.insert(name)
    let response = try await subject.client.send(request)
    #expect(response.history.map { $0.request.headerFields[name] } == ["[redacted]"])
    #expect(subject.transport.requests.map { $0.fields[name] } == ["hush", "hush"])
  }

  @Test func theBodyOfALeftResponseIsReadToItsEndOrCancelled() async throws {
    let small = ScriptedSource(chunks: ["gone"])
    let large = ScriptedSource(chunks: [Bytes([UInt8](repeating: 0, count: 20_000)), "more"])
    let last = ScriptedSource(chunks: ["kept"])
    let subject = try RetrySubject(
      time: RetrySubject.HastyTime.Patient(),
      .body(small, status: 503),
      .body(large, status: 503),
      .body(last, status: 503)
    )
    let response = try await subject.client.send(Self.request)
    #expect(small.pulls == 2 && small.cancels == 0)
    #expect(large.pulls == 1 && large.cancels == 1)
    #expect(try await read(response.body) == ["kept"])
  }

  @Test("5.4: full jitter below a doubling, capped delay") func backsOffWithFullJitterUpToTheCap()
    async throws
  {
    let subject = try RetrySubject(
      RetryPolicy(attempts: 10),
      budget: .unlimited,
      share: 0.999_999_9,
      .status(503)
    )
    _ = try await subject.outcome()
    #expect(subject.waits.map { ($0 / .milliseconds(500)).rounded() } == [1, 2, 4, 8, 16, 32, 40, 40, 40])
    let lucky = try RetrySubject(RetryPolicy(attempts: 4), share: 0, .status(503))
    _ = try await lucky.outcome()
    #expect(lucky.waits.isEmpty)
    #expect(lucky.attempts == 4)
  }

  @Test func extremeDelaysDoNotOverflow() async throws {
    for extreme in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
      var policy = RetryPolicy(attempts: 70)
      (policy.delay, policy.longestDelay, policy.longestRetryAfter) = (extreme, extreme, .seconds(Int64.max))
      let subject = try RetrySubject(
        policy,
        budget: .unlimited,
        .status(503, [.retryAfter: "99999999999999999999"]),
        .status(503)
      )
      #expect(try await subject.outcome() == "503")
      #expect(subject.attempts == 70)
    }
  }

  @Test(arguments: [1, 0, -1, Int.min]) func oneAttemptIsTheLeast(attempts: Int) async throws {
    let subject = try RetrySubject(RetryPolicy(attempts: attempts), .failure(.connectionRefused))
    #expect(try await subject.outcome() == "connectionRefused")
    #expect(subject.attempts == 1)
    #expect(subject.events == [.refused(.failure(.connectionRefused), .attemptsUsed(1))])
  }

  @Test func theRequestsPolicyOverridesTheStages() async throws {
    let subject = try RetrySubject(.status(503))
    var request = Self.request
    request.options.retryPolicy = .never
    #expect(try await subject.outcome(of: request) == "503")
    #expect(subject.attempts == 1)
    request.options.retryPolicy = RetryPolicy(attempts: 2)
    #expect(try await subject.outcome(of: request) == "503")
    #expect(subject.attempts == 3)
  }

  @Test func workAloneOverATransport() async throws {
    let transport = HandlerTransport { request in Response(request.attempt == 1 ? .badGateway : .ok) }
    var policy = RetryPolicy()
    policy.delay = .zero
    let response = try await Pipeline(over: transport, stages: [Retry(policy)]).send(Self.request)
    #expect(response.status == .ok)
  }

  @Test func aStatusThatAStageBelowThrowsIsOneAllTheSame() async throws {
    let subject = try RetrySubject(below: [Validation()], .status(503, [.retryAfter: "8"]), .status(500))
    #expect(try await subject.outcome() == "status")
    #expect(subject.attempts == 2)
    #expect(
      subject.events == [
        .decided(.status(503), delay: .seconds(8) + .milliseconds(400)), .refused(.status(500), .permanent),
      ]
    )
  }

  @Test func aPolicyReadsWell() {
    #expect(
      "\(RetryEvent.decided(.status(503), delay: .milliseconds(250)))" == "retry in 250 ms after status 503"
    )
    #expect(
      "\(RetryEvent.refused(.failure(.timeout(.head)), .notIdempotent(.post)))"
        == "no retry after timeout.head: POST is not idempotent and may have been processed"
    )
    #expect(
      "\(RetryEvent.refused(.status(503), .retryAfter(.seconds(90), limit: .seconds(60))))"
        == "no retry after status 503: the server asks to wait for 90 s (limit 60 s)"
    )
    #expect(
      "\(RetryEvent.hedged(after: .milliseconds(30)))" == "second request after 30 ms without a response"
    )
    #expect("\(RetryEvent.hedgeWon)" == "the second request was answered first")
    #expect(
      "\(RetryEvent.waitingForNetwork(upTo: .seconds(30)))" == "no network, waiting for it for at most 30 s"
    )
    let events: [RetryEvent] = [
      .refused(.status(1), .permanent), .refused(.status(1), .bodyNotReplayable),
      .refused(.status(1), .attemptsUsed(3)), .refused(.status(1), .repeatedOnce),
      .refused(.status(1), .deadline(remaining: .seconds(1))), .refused(.status(1), .forbidden),
      .hedged(after: .seconds(1)), .hedgeWon, .waitingForNetwork(upTo: .seconds(1)), .budgetEmpty,
    ]
    #expect(Set(events.map(\.description)).count == events.count)
  }
}

extension RetrySubject.HastyTime {
  /// A clock that stands still, for tests whose delays are all zero or may pass by themselves.
  final class Patient: TimeSource {
    private let manual = ManualTime()
    var now: ContinuousClock.Instant { manual.now }
    func sleep(until instant: ContinuousClock.Instant) async throws {
      // The limits of a body that is let go of do not run out; the delays between attempts pass.
      if instant - now == .milliseconds(100) { return try await manual.sleep(until: instant) }
    }
  }
}
