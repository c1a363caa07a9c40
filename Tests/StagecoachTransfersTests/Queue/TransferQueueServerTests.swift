#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin
  import Testing

  @testable import StagecoachTransfers

  @Suite(.timeLimit(.minutes(15))) struct TransferQueueServerTests {
    @Test func tenThousandTransfersEightAtATimeAsTheServerSeesThem() async throws {
      let gauge = InFlightGauge()
      let server = try await HandlerServer.start { _ in
        await gauge.serve()
        return Response(.ok, body: .bytes("x"))
      }
      let client = try Client(base: server.url)
      let queue = TransferQueue(limit: 8)
      let transfers = (0..<10_000).map { client.transfer(.get("/\($0)"), as: .ignored) }
      for transfer in transfers { queue.add(transfer) }
      try await queue.waitUntilIdle()
      #expect(transfers.allSatisfy { $0.state == .finished && $0.failure == nil })
      #expect(gauge.most == 8)
      #expect(gauge.all == 10_000)
      await client.shutdown()
      await server.stop()
    }
  }
#endif
