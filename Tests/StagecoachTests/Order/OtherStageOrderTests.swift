import HTTPTypes
import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

/// Where stages belong that are no part of the standard chain, as the article about the order of the stages says.
@Suite(.timeLimit(.minutes(1))) struct OtherStageOrderTests {
  /// Opens a breaker for `https://down.example`, where nobody is, and takes the only slot for another origin.
  private static func congested(
    _ stages: [any Middleware]
  ) async throws -> (pipeline: Pipeline, held: Response) {
    let transport = HandlerTransport { request in
      guard request.head.authority == "up.example" else {
        throw ExchangeError(.connectionRefused, "nobody there")
      }
      return Response(.ok, body: .bytes("x"))
    }
    let pipeline = Pipeline(over: transport, stages: stages)
    for _ in 0..<5 {
      await #expect(throws: ExchangeError.self) { try await pipeline.send(.get("https://down.example/")) }
    }
    return (pipeline, try await pipeline.send(.get("https://up.example/")))
  }

  @Test func aBreakerAboveTheLimitRefusesWithoutASlot() async throws {
    let limit = ConcurrencyLimit(perClient: 1)
    let (pipeline, held) = try await Self.congested([CircuitBreaker(), limit])
    let error = try await #require(throws: ExchangeError.self) {
      try await pipeline.send(.get("https://down.example/"))
    }
    #expect(error.kind == .circuitOpen)
    #expect(limit.inFlight == 1 && limit.waiting == 0)
    held.body.cancel()
  }

  @Test func aBreakerBelowTheLimitRefusesAfterTheWait() async throws {
    let limit = ConcurrencyLimit(perClient: 1)
    let (pipeline, held) = try await Self.congested([limit, CircuitBreaker()])
    let refused = Task { try await pipeline.send(.get("https://down.example/")) }
    while limit.waiting == 0 { await Task.yield() }
    held.body.cancel()
    let error = try await #require(throws: ExchangeError.self) { try await refused.value }
    #expect(error.kind == .circuitOpen)
  }

  @Test(arguments: [true, false])
  func aBreakerBelowRetryCountsEachAttempt(isBelow: Bool) async throws {
    var policy = RetryPolicy()
    (policy.attempts, policy.delay) = (5, .zero)
    let (retry, breaker) = (Retry(policy), CircuitBreaker())
    let transport = HandlerTransport { _ in throw ExchangeError(.connectionRefused, "nobody there") }
    let stages: [any Middleware] = isBelow ? [retry, breaker] : [breaker, retry]
    await #expect(throws: ExchangeError.self) {
      try await Pipeline(over: transport, stages: stages).send(.get("https://down.example/"))
    }
    #expect(transport.requests.count == 5)
    let state = breaker.state(of: try TargetURI(parsing: "https://down.example/").origin)
    #expect((state == .closed) == !isBelow)
  }

  @Test(arguments: [true, false])
  func coalescingBelowCookiesComparesThem(isBelow: Bool) async throws {
    let (gate, probe, cookies) = (Signal(), EventProbe(), Cookies())
    let transport = HandlerTransport { request in
      await gate.wait()
      return Response(.ok, body: .bytes(Bytes(request.fields[.cookie] ?? "")))
    }
    let stages: [any Middleware] = isBelow ? [cookies, Coalescing()] : [Coalescing(), cookies]
    let pipeline = Pipeline(over: transport, stages: stages)
    @Sendable func send() async throws -> Bytes {
      let request = Request.observed(.get, "https://a.example/", by: probe)
      return try await pipeline.send(request).body.collect(upTo: 100)
    }
    let uri = try TargetURI(parsing: "https://a.example/")
    try cookies.jar.store("user=1", from: uri)
    let first = Task { try await send() }
    while transport.requests.isEmpty { await Task.yield() }
    try cookies.jar.store("user=2", from: uri)
    let second = Task { try await send() }
    while transport.requests.count < 2, !probe.words.contains("concurrency(joined an identical request)") {
      await Task.yield()
    }
    gate.set()
    #expect(try await first.value == "user=1")
    // Above them it hands the answer for one user to another.
    #expect(try await second.value == (isBelow ? "user=2" : "user=1"))
    #expect(transport.requests.count == (isBelow ? 2 : 1))
  }

  @Test(arguments: [true, false])
  func aFieldAddedAboveRedirectsStaysWithItsOrigin(isAbove: Bool) async throws {
    let adding = Stage { request, next in
      var request = request
      request.fields[.authorization] = "Bearer t"
      request.fields[.accept] = "a/b"
      return try await next(request)
    }
    let transport = HandlerTransport { request in
      switch request.hop {
      case 0: redirect("/1")
      case 1: redirect("https://b.example/")
      default: Response(.ok)
      }
    }
    let stages: [any Middleware] = isAbove ? [adding, Redirects()] : [Redirects(), adding]
    _ = try await Pipeline(over: transport, stages: stages).send(.get("https://a.example/"))
    let last = isAbove ? nil : "Bearer t"
    #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer t", "Bearer t", last])
    #expect(transport.requests.map { $0.fields[.accept] } == ["a/b", "a/b", "a/b"])
  }
}
