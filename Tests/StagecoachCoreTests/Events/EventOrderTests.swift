import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventOrderTests {
  private static func client(
    _ recorder: EventRecorder,
    stages: [any Middleware] = [Validation()],
    time: any TimeSource = SystemTime(),
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) throws -> Client {
    try Client(
      Pipeline(over: HandlerTransport(handler), stages: stages),
      configuration: .init(monitors: [recorder], clock: time)
    )
  }

  private static let streamed: @Sendable (Request) -> Response = { _ in
    let source = ScriptedSource(chunks: ["ab", "c"], trailers: [HTTPField.Name("X-Sum")!: "1"])
    return Response(.ok, fields: [.contentType: "text/plain"], body: Response.Body(source: source, length: 3))
  }

  @Test func aTypedCallTellsItsStory() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder, Self.streamed)
    #expect(try await client.value(for: .get("http://h/"), as: .text) == "abc")
    #expect(
      recorder.words == [
        "exchangeStarted(GET)", "stageEntered(Validation)", "stageEntered(HandlerTransport)",
        "responseHeadReceived(200)", "stageReturned(HandlerTransport, 200)", "validationPassed",
        "stageReturned(Validation, 200)", "serializationStarted(TextResponseSerializer)",
        "responseBodyProgress(2/3)", "responseBodyProgress(3/3)", "responseTrailers(1)",
        "responseFinished(3)",
        "serializationFinished(TextResponseSerializer)", "exchangeFinished",
      ]
    )
  }

  @Test func sequenceNumbersCountFromZeroAndTheClockIsTheClients() async throws {
    let recorder = EventRecorder()
    let time = ManualTime()
    let client = try Self.client(recorder, time: time) {
      time.advance(by: .seconds(1))
      return Self.streamed($0)
    }
    let response = try await client.response(for: .get("http://h/"), as: .text)
    let events = recorder.events
    #expect(events.map(\.sequence) == Array(0..<events.count))
    #expect(Set(events.map(\.exchange)).count == 1)
    #expect(events.allSatisfy { $0.hop == 0 && $0.attempt == 1 })
    let (first, last) = (try #require(events.first), try #require(events.last))
    #expect(last.time - first.time == .seconds(1))
    #expect(response.timings?.headReceived == .seconds(1))
    #expect(response.timings?.bodyEnd == .seconds(1))
    #expect(response.timings?.requestSent == nil)
  }

  @Test func eventsHaveTheHopAndAttemptOfTheirRequest() async throws {
    let recorder = EventRecorder()
    let again = Stage("Again") { request, next in
      var request = request
      for attempt in 1...2 {
        request.attempt = Int32(attempt)
        request.hop = Int32(attempt * 10)
        try await next(request).body.cancel()
      }
      return try await next(request)
    }
    let client = try Self.client(recorder, stages: [again]) { _ in Response(.ok) }
    _ = try await client.value(for: .get("http://h/"), as: .data)
    let heads = recorder.events.filter { $0.kind.word.hasPrefix("responseHead") }
    #expect(heads.map(\.attempt) == [1, 2, 2])
    #expect(heads.map(\.hop) == [10, 20, 20])
  }

  @Test func everyMonitorGetsAllEventsWithTheirExchange() async throws {
    let recorders = [EventRecorder(), EventRecorder()]
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport, configuration: .init(monitors: recorders))
    for _ in 1...3 { _ = try await client.value(for: .get("http://h/"), as: .data) }
    #expect(recorders[0].words == recorders[1].words)
    let ids = Set(recorders[0].events.map(\.exchange))
    #expect(ids.count == 3)
    #expect(ids.allSatisfy { $0.description == "#\($0.number)" })
    #expect(ids == Set(transport.requests.compactMap { $0.exchange?.id }))
  }

  @Test func failuresAreReportedAtTheStageAndAtTheEnd() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder, stages: [Trace("T")]) { _ in throw Foreign() }
    _ = try? await client.send(.get("http://h/"))
    #expect(
      recorder.words == [
        "exchangeStarted(GET)", "stageEntered(T)", "stageEntered(HandlerTransport)",
        "stageFailed(HandlerTransport, stage)", "stageFailed(T, stage)", "exchangeFailed(stage)",
      ]
    )
  }

  @Test func aRefusalTellsWhy() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder) { _ in Response(.notFound, body: .bytes("no")) }
    _ = try? await client.value(for: .get("http://h/"), as: .data)
    #expect(
      recorder.words.suffix(3) == [
        "validationFailed(status)", "stageFailed(Validation, status)", "exchangeFailed(status)",
      ]
    )
  }

  @Test func aSerializerThatFailsEndsTheBodyFirst() async throws {
    struct Impatient: ResponseSerializer {
      let accepts = Acceptance.any
      func serialize(_ response: Response) async throws -> Int {
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        throw Foreign()
      }
    }
    let recorder = EventRecorder()
    let client = try Self.client(recorder, Self.streamed)
    _ = try? await client.value(for: .get("http://h/"), as: Impatient())
    #expect(
      recorder.words.suffix(5) == [
        "serializationStarted(Impatient)", "responseBodyProgress(2/3)",
        "serializationFailed(Impatient, serialization)", "responseBodyFailed",
        "exchangeFailed(serialization)",
      ]
    )
  }

  @Test func aLimitIsReportedOnce() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder, Self.streamed)
    _ = try? await client.value(for: .get("http://h/").with(\.bodyLimit, 2), as: .data)
    let limits = recorder.words.filter { $0.hasPrefix("limitReached") }
    #expect(limits == ["limitReached(bodyLimit = 2 bytes)"])
    #expect(recorder.words.last == "exchangeFailed(limit.body)")
  }

  @Test func aRequestThatIsNeverSentHasAStartAndAnEnd() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder, Self.streamed)
    _ = try? await client.send(.get("relative"))
    #expect(recorder.words == ["exchangeStarted(GET)", "exchangeFailed(invalidRequest)"])
  }

  @Test func aDeadlineIsReported() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder) { _ in Response(.ok) }
    _ = try await client.value(for: .get("http://h/").with(\.totalTimeout, .seconds(5)), as: .data)
    #expect(recorder.words[1] == "deadlineSet(5.0 seconds)")
  }

  @Test func contentInMemoryIsReportedLikeAStream() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder) { _ in Response(.ok, body: .bytes("abc")) }
    let response = try await client.response(for: .get("http://h/"), as: .data)
    #expect(recorder.words.suffix(4).prefix(2) == ["responseBodyProgress(3/3)", "responseFinished(3)"])
    #expect(response.timings?.bodyEnd != nil)
  }

  @Test func stagesEmitCustomEvents() async throws {
    struct Tick: StageEvent {
      let description = "tick"
    }
    let recorder = EventRecorder()
    let stage = Stage { request, next in
      request.emit(Tick())
      return try await next(request)
    }
    let client = try Self.client(recorder, stages: [stage]) { _ in Response(.ok) }
    _ = try await client.value(for: .get("http://h/"), as: .data)
    #expect(recorder.words.contains("custom(tick)"))
  }

  @Test func eventsAreNotBuiltWithoutAListener() async throws {
    let built = Counter()
    struct Counted: StageEvent {
      let description: String
      init(_ counter: Counter) {
        counter.add()
        description = ""
      }
    }
    let stage = Stage { request, next in
      request.emit(Counted(built))
      return try await next(request)
    }
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [stage])
    Request.get("a").emit(Counted(built))
    _ = try await pipeline.send(.get("http://h/"))
    _ = try await Client(pipeline).send(.get("http://h/"))
    #expect(built.value == 0)
    _ = try await Client(pipeline, configuration: .init(monitors: [EventRecorder()])).send(.get("http://h/"))
    #expect(built.value == 1)
  }

  /// All text that an event carries.
  private static func texts(in kind: Event.Kind) -> [String] {
    switch kind {
    case .exchangeStarted(let head): head.headerFields.map(\.value) + [head.path ?? "", head.authority ?? ""]
    case .responseHeadReceived(let head): head.headerFields.map(\.value)
    case .responseTrailers(let fields): fields.map(\.value)
    case .exchangeFailed(let error), .stageFailed(_, let error):
      ["\(error)"] + ((error as? ExchangeError)?.response?.headerFields.map(\.value) ?? [])
    default: ["\(kind)"]
    }
  }

  @Test func noSecretReachesAnObserver() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder) { _ in
      let fields: HTTPFields = [.setCookie: "id=t0psecret", .location: "/x?access_token=t0psecret"]
      let trailers: HTTPFields = [HTTPField.Name("X-Auth-Token")!: "t0psecret"]
      let source = ScriptedSource(chunks: ["a"], trailers: trailers)
      return Response(.badRequest, fields: fields, body: Response.Body(source: source))
    }
    var request = Request.get("http://h/?api_key=t0psecret")
    for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"] {
      try request.addField(name, "t0psecret")
    }
    _ = try? await client.value(for: request, as: .data)
    request.options.expectedContent = Acceptance(statuses: [400..<401])
    _ = try await client.value(for: request, as: .data)
    let texts = recorder.events.flatMap { Self.texts(in: $0.kind) }
    #expect(texts.contains { $0.contains("[redacted]") })
    for text in texts { #expect(!text.contains("t0psecret")) }
  }
}
