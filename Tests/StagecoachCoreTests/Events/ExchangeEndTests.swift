import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ExchangeEndTests {
  private static func client(_ recorder: EventRecorder, _ steps: [ScriptedSource.Step]?) throws -> Client {
    let transport = HandlerTransport { _ in
      Response(.ok, body: steps.map { Response.Body(source: ScriptedSource($0)) } ?? .empty)
    }
    return try Client(over: transport, configuration: .init(monitors: [recorder]))
  }

  private static func ends(_ recorder: EventRecorder) -> [String] {
    recorder.words.filter { $0.hasPrefix("exchange") && !$0.hasPrefix("exchangeStarted") }
  }

  @Test func anExchangeWithoutContentEndsWithTheCall() async throws {
    let recorder = EventRecorder()
    let response = try await Self.client(recorder, nil).send(.get("http://h/"))
    #expect(Self.ends(recorder) == ["exchangeFinished"])
    _ = response
  }

  @Test func anExchangeEndsWithItsBodyAndNotWithTheCall() async throws {
    let recorder = EventRecorder()
    let response = try await Self.client(recorder, [.chunk("a"), .chunk("b")]).send(.get("http://h/"))
    var iterator = response.body.makeAsyncIterator()
    for _ in 1...2 {
      #expect(Self.ends(recorder) == [])
      _ = try await iterator.next()
    }
    #expect(Self.ends(recorder) == [])
    for _ in 1...3 { _ = try await iterator.next() }
    response.body.cancel()
    #expect(Self.ends(recorder) == ["exchangeFinished"])
    #expect(recorder.words.last == "exchangeFinished")
  }

  @Test func aBodyThatFailsFailsTheExchange() async throws {
    let recorder = EventRecorder()
    let response = try await Self.client(recorder, [.chunk("a"), .fail(Foreign())]).send(.get("http://h/"))
    _ = try? await read(response.body)
    #expect(Self.ends(recorder) == ["exchangeFailed(stage)"])
  }

  @Test func aBodyThatIsDroppedOrCancelledCancelsTheExchange() async throws {
    let dropped = EventRecorder()
    _ = try await Self.client(dropped, [.chunk("a")]).send(.get("http://h/"))
    #expect(Self.ends(dropped) == ["exchangeCancelled"])
    let cancelled = EventRecorder()
    let response = try await Self.client(cancelled, [.chunk("a")]).send(.get("http://h/"))
    response.body.cancel()
    _ = try? await read(response.body)
    #expect(Self.ends(cancelled) == ["exchangeCancelled"])
    #expect(cancelled.words.filter { $0 == "responseBodyFailed" }.count == 1)
  }

  @Test func cancellingTheTaskWhileTheBodyIsReadCancelsTheExchange() async throws {
    let recorder = EventRecorder()
    let response = try await Self.client(recorder, [.chunk("a"), .fail(CancellationError())])
      .send(.get("http://h/"))
    await #expect(throws: CancellationError.self) { _ = try await read(response.body) }
    #expect(Self.ends(recorder) == ["exchangeCancelled"])
  }

  @Test func cancellingTheTaskBeforeTheHeadCancelsTheExchange() async throws {
    let recorder = EventRecorder()
    let client = try Client(
      over: HandlerTransport { _ in throw CancellationError() },
      configuration: .init(monitors: [recorder])
    )
    await #expect(throws: CancellationError.self) { _ = try await client.send(.get("http://h/")) }
    #expect(Self.ends(recorder) == ["exchangeCancelled"])
  }

  @Test func aValueThatIsWrongAfterAGoodBodyFailsTheExchange() async throws {
    let recorder = EventRecorder()
    let client = try Self.client(recorder, [.chunk("x")])
    _ = try? await client.value(for: .get("http://h/").with(\.expectedContent, nil), as: .json(Int.self))
    #expect(Self.ends(recorder) == ["exchangeFailed(serialization)"])
  }

  @Test func aValueThatStillReadsItsBodyKeepsTheExchangeOpen() async throws {
    struct Lazily: ResponseSerializer {
      let accepts = Acceptance.any
      func serialize(_ response: Response) async throws -> Response.Body { response.body }
    }
    let recorder = EventRecorder()
    let body = try await Self.client(recorder, [.chunk("a")]).value(for: .get("http://h/"), as: Lazily())
    #expect(Self.ends(recorder) == [])
    #expect(try await read(body) == ["a"])
    #expect(Self.ends(recorder) == ["exchangeFinished"])
  }
}
