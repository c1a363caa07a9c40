import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// When each step of a history was sent, and how long it took.
@Suite(.timeLimit(.minutes(1))) struct HopTimingTests {
  private struct Span: Hashable {
    let status: Int
    let start: Duration?
    let duration: Duration?

    /// In milliseconds.
    init(_ status: Int, _ start: Int?, _ duration: Int?) {
      self.status = status
      self.start = start.map { .milliseconds($0) }
      self.duration = duration.map { .milliseconds($0) }
    }

    init(_ hop: Response.Hop) {
      (status, start, duration) = (hop.response.status.code, hop.start, hop.duration)
    }
  }

  /// A server that takes the time that each answer says, in milliseconds.
  private static func transport(_ time: ManualTime, _ answers: [(Int, Response)]) -> HandlerTransport {
    let answers = answers.map { (Duration.milliseconds($0), $1) }
    let left = Log<Int>()
    return HandlerTransport { _ in
      let number = left.all.count
      left.add(number)
      time.advance(by: answers[number].0)
      return answers[number].1
    }
  }

  private static func history(
    _ answers: [(Int, Response)],
    _ stages: (ManualTime) -> [any Middleware]
  ) async throws -> [Span] {
    let time = ManualTime()
    let pipeline = Pipeline(over: transport(time, answers), stages: stages(time))
    var request = Request.get("https://a.example/")
    request.options.credential = Credential(user: "ada", password: "secret")
    let response = try await Client(pipeline, configuration: .init(clock: time)).send(request)
    #expect(response.status == .ok)
    return response.history.map(Span.init)
  }

  @Test func aResponseWithoutHistoryHasNoHopTimes() async throws {
    #expect(
      try await Self.history([(5, Response(.ok))]) { _ in [Redirects(), Retry(), Authentication()] }.isEmpty
    )
  }

  /// A closure of the policy takes its time, which is none of the hop's.
  @Test func timesEachRedirect() async throws {
    let spans = try await Self.history([(10, redirect("/1")), (20, redirect("/2")), (5, Response(.ok))]) {
      time in
      let policy = RedirectPolicy.ask { _ in
        time.advance(by: .milliseconds(100))
        return .follow
      }
      return [Redirects(policy: policy)]
    }
    #expect(spans == [Span(302, 0, 10), Span(302, 110, 20)])
  }

  @Test func timesChallengesBelowRedirects() async throws {
    let answers = [
      (10, .challenge(#"Basic realm="r""#)), (20, redirect("https://b.example/")), (30, redirect("/c")),
      (5, Response(.ok)),
    ]
    let spans = try await Self.history(answers) { _ in [Redirects(), Retry(), Authentication()] }
    #expect(spans == [Span(401, 0, 10), Span(302, 10, 20), Span(302, 30, 30)])
  }

  /// A handler that asks a person takes its time, too.
  @Test func aChallengeThatIsThoughtAbout() async throws {
    struct Handler: ChallengeHandler {
      let time: ManualTime

      func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision {
        time.advance(by: .seconds(60))
        return .useDefault
      }
    }
    let answers = [
      (10, .challenge(#"Basic realm="r""#)), (20, redirect("/b")), (5, Response(.ok)),
    ]
    let spans = try await Self.history(answers) { time in
      [Redirects(), Authentication(handler: Handler(time: time))]
    }
    #expect(spans == [Span(401, 0, 10), Span(302, 60_010, 20)])
  }

  @Test func timesAttemptsAndTheirDelays() async throws {
    var policy = RetryPolicy()
    policy.decide = { _ in .retry(after: .seconds(1)) }
    let time = ManualTime()
    let transport = Self.transport(
      time,
      [(10, Response(.serviceUnavailable)), (20, Response(.badGateway)), (5, Response(.ok))]
    )
    let client = try Client(
      Pipeline(over: transport, stages: [Retry(policy)]),
      configuration: .init(clock: time)
    )
    let call = Task { try await client.send(.get("https://a.example/")) }
    for _ in 0..<2 {
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(1))
    }
    let spans = try await call.value.history.map(Span.init)
    #expect(spans == [Span(503, 0, 10), Span(502, 1010, 20)])
  }

  @Test func aHopMayHaveNoTimes() {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/")
    let hop = Response.Hop(request: request, response: HTTPResponse(status: .found))
    #expect(hop.start == nil && hop.duration == nil)
  }
}
