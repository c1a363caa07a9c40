import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct TransferQueueShutdownTests {
  private let held = HeldRequests()
  private let time = ManualTime()

  @Test func membersMayFinishWithinThePeriod() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1, clock: time)
    let all = ["a", "b", "c"].map { client.transfer(.get($0), as: .text) }
    all[2].pause()
    for transfer in all { queue.add(transfer) }
    await held.arrived(1)
    let shutdown = Task { await queue.shutdown(gracePeriod: .seconds(20)) { Issue.record("it expired") } }
    await time.sleepers(atLeast: 1)
    // A member that waits or is paused has nothing to finish.
    await #expect(throws: CancellationError.self) { try await all[1].value() }
    await #expect(throws: CancellationError.self) { try await all[2].value() }
    #expect(!queue.add(client.transfer(.get("late"), as: .text)))
    queue.resume()
    #expect(queue.isSuspended)
    held.answer("/a")
    await shutdown.value
    #expect(try await all[0].value() == "/a")
    #expect(held.arrivals == ["/a"])
  }

  @Test func afterThePeriodTheHandlerIsCalledThenMembersAreCancelled() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 2, clock: time)
    let log = Log<String>()
    let all = ["a", "b"].map { client.transfer(.get($0), as: .text) }
    for transfer in all { queue.add(transfer) }
    await held.arrived(2)
    let shutdown = Task {
      await queue.shutdown(gracePeriod: .seconds(20)) {
        log.add("expired, \(all.count { $0.isCancelled }) cancelled, \(queue.inFlight) in flight")
      }
      log.add("ended")
    }
    await time.sleepers(atLeast: 1)
    let second = Task {
      await queue.shutdown(gracePeriod: .seconds(1)) { Issue.record("the second has no handler") }
    }
    time.advance(by: .seconds(19))
    #expect(log.all.isEmpty)
    time.advance(by: .seconds(1))
    await shutdown.value
    await second.value
    #expect(log.all == ["expired, 0 cancelled, 2 in flight", "ended"])
    #expect(all.allSatisfy { $0.failure is CancellationError })
    #expect(held.inFlight == 0)
    #expect(queue.inFlight == 0)
  }

  @Test func cancellingTheCallEndsThePeriod() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1, clock: time)
    let expired = Counter()
    queue.add(client.transfer(.get("a"), as: .text))
    await held.arrived(1)
    let shutdown = Task { await queue.shutdown(gracePeriod: .seconds(20)) { expired.add() } }
    await time.sleepers(atLeast: 1)
    shutdown.cancel()
    await shutdown.value
    #expect(expired.value == 1)
    #expect(queue.transfers.isEmpty)
    #expect(held.inFlight == 0)
  }

  @Test func anIdleQueueShutsDownImmediately() async {
    await TransferQueue(limit: 1, clock: time).shutdown(gracePeriod: .seconds(20)) {
      Issue.record("it expired")
    }
  }
}
