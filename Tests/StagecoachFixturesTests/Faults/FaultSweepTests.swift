import HTTPTypes
import Stagecoach
import StagecoachFixtures
import Synchronization
import Testing

@Suite struct FaultSweepTests {
  /// Reads the request and answers in three chunks.
  private static func transport() -> HandlerTransport {
    HandlerTransport { request in
      let source = try request.body.makeSource()
      while try await source.next() != nil {}
      let chunks = AsyncStream<Bytes> { continuation in
        for text in ["one", "two", "three"] { continuation.yield(Bytes(text)) }
        continuation.finish()
      }
      return Response(.ok, body: Response.Body(chunks))
    }
  }

  @Test func everyEventFailsOnceAndTheLastRunDoesNot() async throws {
    let outcomes = Mutex<[ExchangeError.Kind?]>([])
    let count = try await FaultSweep.run { stage in
      let client = try Client(bare(Pipeline(over: Self.transport()) { stage }), base: "http://test/")
      do {
        let response = try await client.send(.post("/", body: .bytes("content")))
        let text = String(decoding: try await response.body.collect(upTo: 100))
        #expect(text == "onetwothree")
        outcomes.withLock { $0.append(nil) }
      } catch let error as ExchangeError {
        outcomes.withLock { $0.append(error.kind) }
      }
    }
    // The connection, the head, three chunks and the end of the response; a chunk and the end of the request.
    #expect(count == 8)
    let expected: [ExchangeError.Kind?] =
      [.connectionRefused] + Array(repeating: .connectionReset, count: 5) + [nil]
      + [.connectionReset, .connectionReset, nil]
    #expect(outcomes.withLock { $0 } == expected)
  }

  /// A transport that pulls the request body whenever it likes: between the events of the response as well.
  @Test func whenTheRequestIsReadMovesNoEventOfTheResponse() async throws {
    for readsEarly in [true, false] {
      let transport = HandlerTransport { request in
        let source = try request.body.makeSource()
        if readsEarly { while try await source.next() != nil {} }
        let chunks = AsyncThrowingStream<Bytes, any Error>(unfolding: {
          readsEarly ? nil : try await source.next()
        })
        return Response(.ok, body: Response.Body(chunks))
      }
      let stage = FaultSweep(failingAt: 1)
      let client = try Client(bare(Pipeline(over: transport) { stage }), base: "http://test/")
      let error = await #expect(throws: ExchangeError.self) {
        try await client.send(.post("/", body: .bytes("a")))
      }
      #expect(error?.message.contains("before it responded") == true)
      #expect(stage.events(of: .request) == (readsEarly ? 2 : 0))
      #expect(stage.events(of: .response) == 2)
    }
  }

  @Test func theLimitCountsRuns() async throws {
    let runs = Mutex(0)
    let count = try await FaultSweep.run(limit: 3) { stage in
      runs.withLock { $0 += 1 }
      let client = try Client(bare(Pipeline(over: Self.transport()) { stage }), base: "http://test/")
      _ = try? await client.send(.get("/")).body.collect(upTo: 100)
    }
    #expect(count == 3)
    #expect(runs.withLock { $0 } == 3)
  }

  @Test func theEndOfTheBodyIsReportedOnce() async throws {
    let monitor = BodyEvents()
    let stage = FaultSweep(failingAt: 1000)
    let client = try Client(
      bare(Pipeline(over: Self.transport()) { stage }),
      base: "http://test/",
      configuration: .init(monitors: [monitor])
    )
    _ = try await client.send(.get("/")).body.collect(upTo: 100)
    #expect(monitor.finished == [11])
    #expect(monitor.failures == 0)
  }

  @Test func bodiesOfAllRunsAreCancelledOrReadToTheirEnd() async throws {
    let open = Mutex(0)
    _ = try await FaultSweep.run { stage in
      let client = try Client(bare(Pipeline(over: Self.transport()) { stage }), base: "http://test/")
      guard var response = try? await client.send(.get("/")) else { return }
      open.withLock { $0 += 1 }
      response.body.onEnd { _ in open.withLock { $0 -= 1 } }
      _ = try? await response.body.collect(upTo: 100)
    }
    #expect(open.withLock { $0 } == 0)
  }
}
