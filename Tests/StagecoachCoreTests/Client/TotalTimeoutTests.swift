import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TotalTimeoutTests {
  private static let request = Request.get("http://h/").with(\.totalTimeout, .seconds(5))

  private static func failure(
    _ time: ManualTime,
    _ pipeline: Pipeline,
    sleepers: Int = 2
  ) async throws -> ExchangeError {
    let client = try Client(pipeline, configuration: .init(clock: time))
    let call = Task { try await client.value(for: Self.request, as: .data) }
    await time.sleepers(atLeast: sleepers)
    time.advance(by: .milliseconds(4999))
    time.advance(by: .milliseconds(1))
    return try await #require(throws: ExchangeError.self) { _ = try await call.value }
  }

  private static func check(_ error: ExchangeError, stage: String) {
    #expect(error.kind == .timeout(.total))
    #expect(error.limit == ExchangeError.Limit(option: "totalTimeout", value: "5 s"))
    #expect(error.elapsed == .seconds(5))
    #expect(error.stage == stage)
    #expect(error.message == "the exchange did not finish within 5 s")
    #expect(!error.isTransient)
  }

  @Test func coversAStagesWait() async throws {
    let time = ManualTime()
    let stage = Stage { request, next in
      try await time.sleep(until: time.now.advanced(by: .seconds(3600)))
      return try await next(request)
    }
    let transport = HandlerTransport { _ in Response(.ok) }
    Self.check(try await Self.failure(time, Pipeline(over: transport, stages: [stage])), stage: "Client")
    #expect(transport.requests.isEmpty)
  }

  @Test func endsAWaitInTheTransport() async throws {
    let time = ManualTime()
    let ended = Counter()
    let transport = HandlerTransport { _ in
      defer { ended.add() }
      try await time.sleep(until: time.now.advanced(by: .seconds(3600)))
      return Response(.ok)
    }
    let error = try await Self.failure(time, Pipeline(over: transport, stages: []))
    Self.check(error, stage: "Client")
    #expect(error.attempts == 1)
    #expect(ended.value == 1)
  }

  @Test("1.5 #5: one deadline for the whole chain of redirects") func oneTimeoutSpansAllRedirects()
    async throws
  {
    let time = ManualTime()
    let transport = HandlerTransport { request in
      try await time.sleep(until: time.now.advanced(by: .seconds(3)))
      return request.hop == 0 ? redirect("/1") : Response(.ok)
    }
    let client = try Client(
      Pipeline(over: transport, stages: [Redirects()]),
      configuration: .init(clock: time)
    )
    let call = Task { try await client.value(for: Self.request, as: .data) }
    await time.sleepers(atLeast: 2)
    time.advance(by: .seconds(3))
    // The second hop has what the first has left.
    await time.sleepers(atLeast: 2)
    time.advance(by: .seconds(2))
    let error = try await #require(throws: ExchangeError.self) { _ = try await call.value }
    Self.check(error, stage: "Client")
    #expect(transport.requests.map(\.hop) == [0, 1])
  }

  @Test("1.5 #5: the limits of an attempt start anew with each hop") func eachHopHasItsOwnAttemptTimeout()
    async throws
  {
    let time = ManualTime()
    let transport = HandlerTransport { request in
      try await time.sleep(until: time.now.advanced(by: .seconds(3)))
      return request.hop == 0 ? redirect("/1") : Response(.ok)
    }
    var policy = RetryPolicy()
    policy.attemptTimeout = .seconds(4)
    let client = try Client(
      Pipeline(over: transport, stages: [Redirects(), Retry(policy)]),
      configuration: .init(clock: time)
    )
    var request = Request.get("http://h/")
    (request.options.connectTimeout, request.options.headTimeout) = (.seconds(1), .seconds(2))
    let call = Task { [request] in try await client.send(request).status }
    for _ in 0..<2 {
      await time.sleepers(atLeast: 2)
      time.advance(by: .seconds(3))
    }
    #expect(try await call.value == .ok)
    // What the transport is to keep to is whole for each.
    #expect(transport.requests.map(\.options.connectTimeout) == [.seconds(1), .seconds(1)])
    #expect(transport.requests.map(\.options.headTimeout) == [.seconds(2), .seconds(2)])
  }

  @Test func endsAReadOfTheBody() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("start"), .wait])
    let transport = HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    let client = try Client(Pipeline(over: transport, stages: []), configuration: .init(clock: time))
    let call = Task { try await client.value(for: Self.request, as: .data) }
    await source.pulled(2)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(4999))
    #expect(source.cancels == 0)
    time.advance(by: .milliseconds(1))
    let error = try await #require(throws: ExchangeError.self) { _ = try await call.value }
    Self.check(error, stage: "HandlerTransport")
    #expect(error.bodyPrefix == "start")
    #expect(error.response?.status == .ok)
    #expect(source.cancels == 1)
  }

  @Test func cancelsABodyThatIsNotReadInTime() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("a")])
    let transport = HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    let response = try await Client(Pipeline(over: transport, stages: []), configuration: .init(clock: time))
      .send(Self.request)
    await time.sleepers(atLeast: 1)
    let ended = Signal()
    var body = response.body
    body.onEnd { _ in ended.set() }
    time.advance(by: .seconds(5))
    await ended.wait()
    let error = try await #require(throws: ExchangeError.self) { _ = try await read(response.body) }
    Self.check(error, stage: "HandlerTransport")
  }

  /// Who watches must not take it for something that the caller did.
  @Test func monitorsSeeATimeoutAsAFailure() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("a")])
    let transport = HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    let recorder = EventRecorder()
    let client = try Client(
      Pipeline(over: transport, stages: []),
      configuration: .init(monitors: [recorder], clock: time)
    )
    let response = try await client.send(Self.request)
    await time.sleepers(atLeast: 1)
    let end = Log<BodyEnd>()
    let ended = Signal()
    var body = response.body
    body.onEnd {
      end.add($0)
      ended.set()
    }
    time.advance(by: .seconds(5))
    await ended.wait()
    guard case .failed(let error as ExchangeError) = end.all.first else {
      Issue.record("it ended with \(end.all)")
      return
    }
    #expect(error.kind == .timeout(.total))
    let failures = recorder.events.filter { event in
      if case .exchangeFailed = event.kind { true } else { false }
    }
    #expect(failures.count == 1)
  }

  @Test func aBodyReadInTimeIsNotCutOff() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("a")])
    let transport = HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    let client = try Client(Pipeline(over: transport, stages: []), configuration: .init(clock: time))
    let response = try await client.send(Self.request)
    #expect(try await read(response.body) == ["a"])
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(50))
    #expect(source.cancels == 0)
    await client.shutdown()
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(9_300_000_000)])
  func anOverflowingTimeoutMeansNoTimeout(duration: Duration) async throws {
    let transport = HandlerTransport { _ in
      Response(.ok, body: Response.Body(source: ScriptedSource(chunks: ["a", "b"])))
    }
    let value = try await Client(over: transport).value(
      for: .get("http://h/").with(\.totalTimeout, duration),
      as: .data
    )
    #expect(value == "ab")
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func noTimeAtAllIsATimeout(duration: Duration) async throws {
    let transport = HandlerTransport { _ in
      try await sleepUntilCancelled()
      return Response(.ok)
    }
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Client(over: transport).send(.get("http://h/").with(\.totalTimeout, duration))
    }
    #expect(error.kind == .timeout(.total))
  }
}
