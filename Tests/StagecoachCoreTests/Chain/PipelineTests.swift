import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct PipelineTests {
  private struct Plain: Middleware {
    func handle(_ request: Request, next: Next) async throws -> Response { try await next(request) }
  }

  private static func transport(_ log: Log<String>) -> HandlerTransport {
    HandlerTransport { _ in
      log.add("wire")
      return Response(.ok)
    }
  }

  @Test func theFirstStageIsTheOutermost() async throws {
    let log = Log<String>()
    let pipeline = Pipeline(over: Self.transport(log)) {
      Trace("a", log)
      Trace("b", log)
    }
    _ = try await pipeline.send(.get("http://h/"))
    #expect(log.all == ["a>", "b>", "wire", "<b", "<a"])
  }

  @Test func isPrintedInOrder() {
    let transport = Self.transport(Log())
    #expect("\(Pipeline(over: transport, stages: []))" == "HandlerTransport")
    let inner = Pipeline(over: transport) {
      Plain()
      Trace("b")
    }
    #expect("\(inner)" == "Plain ▸ b ▸ HandlerTransport")
    #expect("\(Pipeline(over: inner) { Trace("a") })" == "a ▸ Plain ▸ b ▸ HandlerTransport")
    #expect(inner.name == inner.description)
  }

  @Test(arguments: [0, 1, 2, 3])
  func aBuilderTakesConditionsAndLoops(count: Int) {
    let pipeline = Pipeline(over: Self.transport(Log())) {
      if count == 0 { Trace("none") }
      if count > 1 { Trace("many") } else { Trace("few") }
      for index in 0..<count { Trace("\(index)") }
    }
    let names =
      (count == 0 ? ["none"] : []) + [count > 1 ? "many" : "few"] + (0..<count).map { "\($0)" }
    #expect(pipeline.stages.map(\.name) == names)
  }

  @Test func aPipelineIsATransportThatSharesTheExchange() async throws {
    let log = Log<String>()
    let seen = Log<Exchange.ID?>()
    let note = Stage("note") { request, next in
      seen.add(request.exchange?.id)
      return try await next(request)
    }
    let inner = Pipeline(over: Self.transport(log), stages: [Trace("c", log), note])
    let outer = Pipeline(
      over: Pipeline(over: inner, stages: [Trace("b", log)]),
      stages: [note, Trace("a", log)]
    )
    let response = try await outer.send(.get("http://h/"))
    #expect(log.all == ["a>", "b>", "c>", "wire", "<c", "<b", "<a"])
    #expect(seen.all.count == 2)
    #expect(seen.all[0] != nil)
    #expect(seen.all[0] == seen.all[1])
    #expect(response.request?.exchange?.attempts == 1)
  }

  @Test func capabilitiesAndShutdownPassToTheTransport() async throws {
    struct Bare: Transport {
      func send(_ request: Request) async throws -> Response { Response(.ok) }
    }
    #expect(Pipeline(over: Bare(), stages: []).capabilities == [])
    #expect(Pipeline(over: Bare(), stages: []).description == "Bare")
    await Pipeline(over: Bare(), stages: []).shutdown()
    let transport = Self.transport(Log())
    let pipeline = Pipeline(over: Pipeline(over: transport, stages: []), stages: [Plain()])
    #expect(pipeline.capabilities == transport.capabilities)
    await pipeline.shutdown()
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await pipeline.send(.get("http://h/"))
    }
    #expect(error.kind == .shutdown)
    #expect(error.stage == "HandlerTransport")
  }

  @Test func aPipelineAloneResolvesAbsoluteReferences() async throws {
    let transport = Self.transport(Log())
    let pipeline = Pipeline(over: transport, stages: [])
    _ = try await pipeline.send(.get("http://H:80/a b"))
    let head = try #require(transport.requests.first?.head)
    #expect(head.authority == "h")
    #expect(head.path == "/a%20b")
    let error = try await #require(throws: ExchangeError.self) { _ = try await pipeline.send(.get("a")) }
    #expect(error.kind == .invalidRequest)
    #expect(error.stage == "Pipeline")
    #expect(error.advice?.contains("absolute URL") == true)
  }

  @Test(arguments: [
    ("http://m\u{FC}nchen.de/", "use its A-label"), ("http://[fe80::1%eth0]/", "malformed zone"),
    ("http://[::g]/", "is not an IPv6 address"), ("http://h:65536/", "The port of the URI"),
    ("http://h:0/", "The port of the URI"), ("http://h:80a/", "The port of the URI"),
    ("http:///a", "The host of the URI is empty"), ("http://:80/", "The host of the URI is empty"),
    ("http://a b/", "The host \"a b\" is invalid"), ("http://a\u{9}b/", "contains a control character"),
    ("http://h%41/", "contains a percent sign"), ("ftp://h/", "The URI scheme \"ftp\""),
    ("http:h/", "no host: two slashes"), ("http:\\\\h/", "contains a backslash"),
  ])
  func aBadURLSaysWhichPartIsBad(url: String, text: String) async throws {
    let client = try Client(Pipeline(over: Self.transport(Log()), stages: []))
    let error = try await #require(throws: ExchangeError.self) { try await client.send(.get(url)) }
    #expect(error.kind == .invalidRequest)
    #expect(error.message.contains(text), "\(error)")
    // It says itself what to do: an absolute URL, which this is, would not help.
    #expect(error.advice == nil)
  }

  @Test func whatAStagesChangesIsSeenBelowOnly() async throws {
    let transport = Self.transport(Log())
    let above = Log<String?>()
    let pipeline = Pipeline(over: transport) {
      Stage("above") { request, next in
        let response = try await next(request)
        above.add(request.fields[.accept])
        return response
      }
      Stage("sets") { request, next in
        var request = request
        request.fields[.accept] = "x"
        return try await next(request)
      }
    }
    let response = try await pipeline.send(.get("http://h/"))
    #expect(above.all == [nil])
    #expect(transport.requests.first?.fields[.accept] == "x")
    #expect(response.request?.fields[.accept] == "x")
  }
}
