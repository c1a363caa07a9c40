import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// What a wrapper takes over from the transport that it passes requests on to.
@Suite(.timeLimit(.minutes(1))) struct TransportWrapperTests {
  /// Declares everything that a wrapper has to pass on.
  private final class Declaring: Transport {
    let name = "Engine"
    let capabilities: TransportCapabilities = [.http2, .newConnections]
    let trust = Trust(pins: [])
    let connections: ConnectionOptions
    let shutdowns = Counter()

    init() {
      var connections = ConnectionOptions()
      connections.unixSocket = "/run/test.sock"
      self.connections = connections
    }

    func send(_ request: Request) async throws -> Response {
      Response(
        .ok,
        body: Response.Body(source: ScriptedSource(chunks: ["ab", "cde"], trailers: [.eTag: "1"]))
      )
    }

    func shutdown() async { shutdowns.add() }
  }

  /// Doubles the chunks of each body.
  private struct Doubling: TransportWrapper {
    let transport: any Transport

    func send(_ request: Request) async throws -> Response {
      var response = try await transport.send(request)
      response.body = Response.Body(transforming: Doubled(response.body))
      return response
    }
  }

  /// Twice as many bytes as another body.
  private final class Doubled: BodySource {
    private let reader: BodyReader

    init(_ body: Response.Body) { reader = BodyReader(body) }

    func next() async throws -> Bytes? {
      try await reader.next().map { Bytes(String(decoding: $0) + String(decoding: $0)) }
    }

    var trailers: HTTPFields? { reader.trailers }
    func cancel() { reader.cancel() }
  }

  @Test func aWrapperInheritsTheTransportsDeclarations() async throws {
    let engine = Declaring()
    let wrapper = Doubling(transport: Doubling(transport: engine))
    #expect(wrapper.name == "Engine")
    #expect(wrapper.capabilities == [.http2, .newConnections])
    #expect(wrapper.trust == engine.trust && wrapper.trust != Trust())
    #expect(wrapper.connections == engine.connections)
    #expect("\(Pipeline(over: wrapper) { Validation() })" == "Validation ▸ Engine")
    await wrapper.shutdown()
    #expect(engine.shutdowns.value == 1)
  }

  /// The events of a body that is read by `read`, over a wrapper.
  private static func events(
    over transport: any Transport,
    _ read: (Response) async throws -> Void
  ) async throws -> [String] {
    let recorder = EventRecorder()
    let client = try Client(Pipeline(over: transport) {}, configuration: .init(monitors: [recorder]))
    do {
      try await read(try await client.send(.get("http://h/")))
    }
    return recorder.words.filter { word in
      ["responseBody", "responseTrailers", "responseFinished"].contains { word.hasPrefix($0) }
        || word.hasPrefix("exchange") && !word.hasPrefix("exchangeStarted")
    }
  }

  private static let whole = [
    "responseBodyProgress(2/?)", "responseBodyProgress(5/?)", "responseTrailers(1)", "responseFinished(5)",
    "exchangeFinished",
  ]

  @Test(arguments: [0, 1, 2])
  func theBodyThatItChangesKeepsItsEvents(wrappers: Int) async throws {
    var transport: any Transport = Declaring()
    for _ in 0..<wrappers { transport = Doubling(transport: transport) }
    let events = try await Self.events(over: transport) { response in
      let body = try await response.collectBody()
      #expect(body == Bytes(Self.text(wrappers)))
      #expect(response.body.trailers?[.eTag] == "1")
    }
    #expect(events == Self.whole)
  }

  private static func text(_ doublings: Int) -> String {
    ["ab", "cde"].map { String(repeating: $0, count: 1 << doublings) }.joined()
  }

  @Test func aPipelineInAWrapperReportsOnce() async throws {
    let inner = Pipeline(over: Declaring()) { Validation() }
    let events = try await Self.events(over: Doubling(transport: inner)) { response in
      _ = try await response.collectBody()
    }
    #expect(events == Self.whole)
  }

  @Test func aBodyInMemoryIsReportedToo() async throws {
    let transport = HandlerTransport { _ in Response(.ok, body: .bytes("abc")) }
    let events = try await Self.events(over: Doubling(transport: transport)) { response in
      let body = try await response.collectBody()
      #expect(body == "abcabc")
    }
    #expect(events == ["responseBodyProgress(3/3)", "responseFinished(3)", "exchangeFinished"])
  }

  @Test func aBodyThatReadsNoOtherReportsItself() async throws {
    struct Replacing: TransportWrapper {
      let transport: any Transport

      func send(_ request: Request) async throws -> Response {
        var response = try await transport.send(request)
        response.body.cancel()
        response.body = Response.Body(transforming: ScriptedSource(chunks: ["x"]), length: 1)
        return response
      }
    }
    let events = try await Self.events(over: Replacing(transport: Declaring())) { response in
      _ = try await response.collectBody()
    }
    #expect(events == ["responseBodyProgress(1/1)", "responseFinished(1)", "exchangeFinished"])
  }

  @Test func aBodyThatIsDroppedSaysSoOnce() async throws {
    let transport = Doubling(transport: Doubling(transport: Declaring()))
    let unread = try await Self.events(over: transport) { $0.body.cancel() }
    #expect(unread == ["responseBodyFailed", "exchangeCancelled"])
    let begun = try await Self.events(over: transport) { response in
      var iterator = response.body.makeAsyncIterator()
      let chunk = try await iterator.next()
      #expect(chunk == "abababab")
      response.body.cancel()
    }
    #expect(begun == ["responseBodyProgress(2/?)", "responseBodyFailed", "exchangeCancelled"])
  }

  @Test func aBodyThatFailsNamesTheTransportAndSaysSoOnce() async throws {
    let transport = HandlerTransport { _ in
      Response(.ok, body: Response.Body(source: ScriptedSource([.chunk("a"), .fail(Foreign())])))
    }
    let recorder = EventRecorder()
    let client = try Client(
      Pipeline(over: Doubling(transport: transport)) {},
      configuration: .init(monitors: [recorder])
    )
    let response = try await client.send(.get("http://h/"))
    let error = try await #require(throws: ExchangeError.self) { try await response.collectBody() }
    #expect(error.stage == "HandlerTransport")
    #expect(error.underlying is Foreign)
    #expect(recorder.words.filter { $0 == "responseBodyFailed" }.count == 1)
    #expect(recorder.words.last == "exchangeFailed(stage)")
  }

  @Test func aStageThatChangesABodyReportsTheOriginal() async throws {
    let transport = Declaring()
    let pipeline = Pipeline(over: Doubling(transport: transport)) {
      Stage("Doubling") { request, next in
        var response = try await next(request)
        response.body = Response.Body(transforming: Doubled(response.body))
        return response
      }
    }
    let events = try await Self.events(over: pipeline) { response in
      let body = try await response.collectBody()
      #expect(body == Bytes(Self.text(2)))
    }
    #expect(events == Self.whole)
  }
}
