#if ServiceLifecycle
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import StagecoachCore
  import StagecoachSerializers
  import TestSupport
  import Testing

  @testable import StagecoachTransfers

  @Suite(.timeLimit(.minutes(2))) struct ServiceLifecycleTests {
    private let held = HeldRequests()
    private let time = ManualTime()

    @Test func theServiceEndsWithTheGracefulShutdown() async throws {
      let client = try held.client()
      let queue = TransferQueue(limit: 1, clock: time)
      let transfer = client.transfer(.get("a"), as: .text)
      let expired = Counter()
      queue.add(transfer)
      await held.arrived(1)
      let service = TransferQueueService(queue, gracePeriod: .seconds(20)) { expired.add() }
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await service.run() }
          trigger.triggerGracefulShutdown()
          await time.sleepers(atLeast: 1)
          #expect(!queue.add(client.transfer(.get("late"), as: .text)))
          time.advance(by: .seconds(20))
          try await group.waitForAll()
        }
      }
      #expect(expired.value == 1)
      #expect(transfer.failure is CancellationError)
    }

    @Test func theServiceEndsWhenItsTaskIsCancelled() async throws {
      let client = try held.client()
      let queue = TransferQueue(limit: 1, clock: time)
      queue.add(client.transfer(.get("a"), as: .text))
      await held.arrived(1)
      let run = Task { try await TransferQueueService(queue, gracePeriod: .seconds(20)).run() }
      run.cancel()
      try await run.value
      #expect(queue.transfers.isEmpty)
    }

    @Test func aLeaseExpiresAPeriodAfterTheShutdown() async throws {
      let transfer = try held.client().transfer(.get("a"), as: .text)
      let expired = Counter()
      await testGracefulShutdown { trigger in
        transfer.keepAlive(with: GracefulShutdownLease(gracePeriod: .seconds(5), clock: time)) {
          expired.add()
        }
        transfer.start()
        await held.arrived(1)
        trigger.triggerGracefulShutdown()
        await time.sleepers(atLeast: 1)
        #expect(!transfer.isCancelled)
        time.advance(by: .seconds(5))
        await transfer.reaches(.finished)
      }
      #expect(expired.value == 1)
      #expect(transfer.failure is CancellationError)
    }

    @Test func aLeaseOutsideOfAServiceDoesNotExpire() async throws {
      let transfer = try held.client().transfer(.get("a"), as: .text)
      transfer.keepAlive(with: GracefulShutdownLease(gracePeriod: .zero, clock: time)) {
        Issue.record("it expired")
      }
      transfer.start()
      await held.answerAll(1)
      #expect(try await transfer.value() == "/a")
    }
  }
#endif
