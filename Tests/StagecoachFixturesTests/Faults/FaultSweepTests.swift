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
    // The connection, a chunk and the end of the request, the head, three chunks and the end of the response.
    #expect(count == 8)
    let expected: [ExchangeError.Kind?] =
      [.connectionRefused] + Array(repeating: .connectionReset, count: 7) + [nil]
    #expect(outcomes.withLock { $0 } == expected)
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
