import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct NextTests {
  private static func pipeline(
    _ stages: [any Middleware],
    _ handler: @escaping @Sendable (Request) async throws -> Response = { _ in Response(.ok) }
  ) -> Pipeline {
    Pipeline(over: HandlerTransport(handler), stages: stages)
  }

  private static func failure(_ pipeline: Pipeline) async throws -> ExchangeError {
    try await #require(throws: ExchangeError.self) { _ = try await pipeline.send(.get("http://h/p?token=s")) }
  }

  @Test func aStageMayAnswerByItself() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let answer = Stage("Cache") { _, _ in Response(.ok, body: .bytes("cached")) }
    let response = try await Pipeline(over: transport, stages: [Trace("a"), answer]).send(
      .head("http://h/").with(\.bodyLimit, 3)
    )
    #expect(transport.requests.isEmpty)
    #expect(response.request?.method == .head)
    #expect(response.hasNoContent)
    let error = try await #require(throws: ExchangeError.self) { _ = try await response.collectBody() }
    #expect(error.kind == .limit(.body))
    #expect(response.request?.exchange?.attempts == 0)
  }

  @Test func anAnswerKeptFromAnotherExchangeBelongsToThisOne() async throws {
    let kept = try await Self.pipeline([]).send(.get("http://h/kept"))
    for pipeline in [Self.pipeline([Stage { _, _ in kept }]), Self.pipeline([]) { _ in kept }] {
      let response = try await pipeline.send(.get("http://h/asked").with(\.bodyLimit, 3))
      #expect(response.request?.head.path == "/asked")
      #expect(response.request?.options.bodyLimit == 3)
    }
  }

  @Test func aStageMayCallNextAgain() async throws {
    let count = Counter()
    let pipeline = Self.pipeline([
      Stage { request, next in
        let first = try await next(request)
        #expect(await first.body.discard())
        return try await next(request)
      }
    ]) { _ in
      Response(.ok, body: Response.Body(source: ScriptedSource(chunks: [Bytes("\(count.add())")])))
    }
    let response = try await pipeline.send(.get("http://h/"))
    #expect(try await response.collectBody() == "2")
    #expect(response.request?.exchange?.attempts == 2)
  }

  @Test(arguments: ["Outer", "Inner", "HandlerTransport"])
  func aForeignErrorIsWrappedOnceWithTheStageThatThrewIt(stage: String) async throws {
    let fail = { (name: String) in
      Stage(name) { request, next in
        if name == stage { throw Foreign(text: "bad\nline") }
        return try await next(request)
      }
    }
    let error = try await Self.failure(
      Self.pipeline([Trace("T"), fail("Outer"), Trace("U"), fail("Inner")]) { _ in
        throw Foreign(text: "bad\nline")
      }
    )
    #expect(error.kind == .stage)
    #expect(error.stage == stage)
    #expect(error.underlying as? Foreign == Foreign(text: "bad\nline"))
    #expect(error.message == "bad line")
    #expect(error.request?.path == "/p?token=[redacted]")
    #expect(error.attempts == (stage == "HandlerTransport" ? 1 : 0))
    #expect(error.elapsed != nil)
    #expect(error.response == nil)
  }

  @Test func anErrorOfOursKeepsItsKindAndGetsItsStage() async throws {
    let error = try await Self.failure(
      Self.pipeline([
        Trace("T"), Stage("Policy") { _, _ in throw ExchangeError(.policy, "no", advice: "ask") },
      ])
    )
    #expect(error.kind == .policy)
    #expect(error.stage == "Policy")
    #expect(error.message == "no")
    #expect(error.advice == "ask")
  }

  @Test func aStageThatCatchesAndThrowsOnDoesNotChangeTheError() async throws {
    let error = try await Self.failure(
      Self.pipeline([
        Stage("Catcher") { request, next in
          do { return try await next(request) } catch {
            #expect((error as? ExchangeError)?.stage == "Thrower")
            throw error
          }
        }, Stage("Thrower") { _, _ in throw Foreign() },
      ])
    )
    #expect(error.stage == "Thrower")
  }

  @Test(arguments: [0, 1, 2])
  func cancellationPassesUnwrapped(depth: Int) async throws {
    let cancelled = Stage { _, _ in throw CancellationError() }
    let stages: [any Middleware] = [Trace("a"), Trace("b")]
    let pipeline = Self.pipeline(Array(stages.prefix(depth)) + (depth < 2 ? [cancelled] : [])) { _ in
      throw CancellationError()
    }
    await #expect(throws: CancellationError.self) { _ = try await pipeline.send(.get("http://h/")) }
  }

  @Test func anErrorHasTheHopOfTheRequestThatFailed() async throws {
    let error = try await Self.failure(
      Self.pipeline([
        Stage { request, next in
          var request = request
          request.hop = 3
          return try await next(request)
        }
      ]) { _ in throw Foreign() }
    )
    #expect(error.hops == 3)
  }

  @Test func whatABodyThrowsNamesTheStageThatMadeIt() async throws {
    let fail: @Sendable () -> Response = {
      let source = ScriptedSource([.chunk("start"), .fail(Foreign())])
      return Response(.accepted, body: Response.Body(source: source))
    }
    let made = Self.pipeline([
      Trace("T"),
      Stage("Decoder") { request, next in
        let response = try await next(request)
        response.body.cancel()
        return fail()
      },
    ]) { _ in fail() }
    for (pipeline, stage) in [
      (Self.pipeline([Trace("T")]) { _ in fail() }, "HandlerTransport"), (made, "Decoder"),
    ] {
      let response = try await pipeline.send(.get("http://h/"))
      let error = try await #require(throws: ExchangeError.self) { _ = try await read(response.body) }
      #expect(error.kind == .stage)
      #expect(error.stage == stage)
      #expect(error.bodyPrefix == "start")
      #expect(error.response?.status == .accepted)
      #expect(error.request?.path == "/")
    }
  }

  @Test func aRequestMadeByAStageNeedsACompleteTarget() async throws {
    let error = try await Self.failure(
      Self.pipeline([Stage { _, next in try await next(Request(head: HTTPRequest(method: .get, url: "x"))) }])
    )
    #expect(error.kind == .invalidRequest)
    #expect(error.stage == "HandlerTransport")
  }
}

extension HTTPRequest {
  fileprivate init(method: Method, url path: String) {
    self.init(method: method, scheme: nil, authority: nil, path: path)
  }
}
