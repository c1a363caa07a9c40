#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin
  import Synchronization
  import TestSupport
  import Testing

  @testable import StagecoachTransfers

  @Suite(.timeLimit(.minutes(5))) struct TransferQueueServerTests {
    @Test func tenThousandTransfersEightAtATimeAsTheServerSeesThem() async throws {
      let count = Mutex<(now: Int, most: Int, all: Int)>((0, 0, 0))
      let server = try await HandlerServer.start { _ in
        count.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
        for _ in 0..<4 { await Task.yield() }
        count.withLock { $0.now -= 1 }
        return Response(.ok, body: .bytes("x"))
      }
      let client = try Client(base: server.url)
      let queue = TransferQueue(limit: 8)
      let failures = Counter()
      let transfers = (0..<10_000).map { client.transfer(.get("/\($0)"), as: .ignored) }
      for transfer in transfers { queue.add(transfer) }
      try await queue.waitUntilIdle()
      for transfer in transfers where transfer.failure != nil || transfer.state != .finished { failures.add() }
      #expect(failures.value == 0)
      let (_, most, all) = count.withLock { $0 }
      #expect(most == 8)
      #expect(all == 10_000)
      await client.shutdown()
      await server.stop()
    }
  }
#endif
