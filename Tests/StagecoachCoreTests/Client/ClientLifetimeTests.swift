import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ClientLifetimeTests {
  /// A transport that does not keep what it was sent, as real ones do not.
  private static func transport(_ sources: Log<ScriptedSource> = Log()) -> HandlerTransport {
    HandlerTransport(recordLimit: 0) { _ in
      let source = ScriptedSource([.chunk("a"), .chunk("b")])
      sources.add(source)
      return Response(.ok, body: Response.Body(source: source))
    }
  }

  private static var timed: Client.Defaults {
    var options = RequestOptions()
    options.totalTimeout = .seconds(3600)
    return Client.Defaults(options: options)
  }

  @Test func aDroppedClientIsFreed() async throws {
    weak var client: Client?
    weak var transport: HandlerTransport?
    do {
      let owner = Self.transport()
      let made = try Client(
        over: owner,
        configuration: .init(defaults: Self.timed, monitors: [EventRecorder()])
      )
      (client, transport) = (made, owner)
      _ = try await made.value(for: .get("http://h/"), as: .data)
      _ = try? await made.value(for: .get("relative"), as: .data)
      let response = try await made.send(.get("http://h/"))
      #expect(client != nil)
      _ = response
    }
    #expect(client == nil)
    #expect(transport == nil)
  }

  @Test(arguments: [false, true])
  func aBodyUnderWayKeepsNoClientAndCanStillBeRead(isTimed: Bool) async throws {
    weak var client: Client?
    var body: Response.Body?
    do {
      let made = try Client(
        over: Self.transport(),
        configuration: .init(defaults: isTimed ? Self.timed : .init())
      )
      client = made
      body = try await made.send(.get("http://h/")).body
    }
    #expect(client == nil)
    #expect(try await body?.collect(upTo: 10) == "ab")
    body = nil
  }

  @Test func aDroppedBodyEndsItsTransfer() async throws {
    let sources = Log<ScriptedSource>()
    let client = try Client(over: Self.transport(sources), configuration: .init(defaults: Self.timed))
    _ = try await client.send(.get("http://h/"))
    #expect(sources.all.first?.cancels == 1)
  }

  @Test func shutdownRefusesMoreAndSparesATransportOfOthers() async throws {
    let transport = Self.transport()
    let (first, second) = (try Client(over: transport), try Client(over: transport))
    let body = try await first.send(.get("http://h/")).body
    await first.shutdown()
    let error = try await #require(throws: ExchangeError.self) { _ = try await first.send(.get("http://h/")) }
    #expect(error.kind == .shutdown)
    #expect(error.stage == "Client")
    #expect(try await body.collect(upTo: 10) == "ab")
    #expect(try await second.value(for: .get("http://h/"), as: .data) == "ab")
  }

  @Test func shutdownEndsATransportThatTheClientOwns() async throws {
    let transport = Self.transport()
    let client = try Client(owning: Pipeline(over: transport, stages: []))
    await client.shutdown()
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await transport.send(.get("http://h/"))
    }
    #expect(error.kind == .shutdown)
  }

  @Test func fiveHundredRequestsDoNotMixTheirAnswers() async throws {
    let transport = HandlerTransport(recordLimit: 0) { request in
      let content = try await read(request.body)
      await Task.yield()
      return Response(.ok, body: Response.Body(chunks([content, Bytes(request.head.path ?? "")])))
    }
    let client = try Client(over: transport, configuration: .init(defaults: Self.timed))
    let answers = try await withThrowingTaskGroup(of: (Int, Bytes).self) { group in
      for index in 0..<500 {
        group.addTask {
          let request = Request.post(
            "http://h/\(index)",
            body: .oneShot(chunks([Bytes("\(index)"), ":"]), length: nil)
          )
          return (index, try await client.value(for: request, as: .data))
        }
      }
      return try await group.reduce(into: [Int: Bytes]()) { $0[$1.0] = $1.1 }
    }
    #expect(answers.count == 500)
    for (index, answer) in answers { #expect(String(decoding: answer) == "\(index):/\(index)") }
  }
}
