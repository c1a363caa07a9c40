import HTTPTypes
import StagecoachCore
import StagecoachResilience
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct TransferQueueTests {
  private let held = HeldRequests()

  private func transfer(_ client: Client, _ path: String, _ priority: RequestPriority? = nil)
    -> Transfer<String>
  {
    var request = Request.get(path)
    if let priority { request.options.priority = priority }
    return client.transfer(request, as: .text)
  }

  @Test(arguments: [
    (TransferQueue.Order.firstInFirstOut, ["/a", "/b", "/c", "/d"]),
    (TransferQueue.Order.lastInFirstOut, ["/a", "/d", "/c", "/b"]),
  ])
  func startsTransfersInTheChosenOrder(_ order: TransferQueue.Order, _ expected: [String]) async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1, order: order)
    for path in ["a", "b", "c", "d"] { queue.add(transfer(client, path)) }
    #expect(queue.inFlight == 1)
    #expect(queue.waiting == 3)
    await held.answerAll(4)
    try await queue.waitUntilIdle()
    #expect(held.arrivals == expected)
    #expect(held.most == 1)
    #expect(queue.transfers.isEmpty)
  }

  @Test(arguments: [TransferQueue.Order.firstInFirstOut, .lastInFirstOut])
  func theHighestPriorityGoesFirst(_ order: TransferQueue.Order) async throws {
    var configuration = Client.Configuration()
    configuration.defaults.options.priority = .background
    let client = try held.client(configuration)
    let queue = TransferQueue(limit: 1, order: order)
    queue.add(transfer(client, "a"))
    // The first has no priority of its own, and gets that of the client.
    queue.add(transfer(client, "default"))
    for (path, priority) in [("low", RequestPriority.low), ("high", .high), ("normal", .normal)] {
      queue.add(transfer(client, path, priority))
    }
    await held.answerAll(5)
    #expect(held.arrivals == ["/a", "/high", "/normal", "/low", "/default"])
  }

  @Test func limitsTransfersPerOrigin() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 3, perOrigin: 1)
    for url in ["http://a/1", "http://a/2", "https://a/3", "http://b/4"] { queue.add(transfer(client, url)) }
    #expect(Set(await held.arrived(3)) == ["/1", "/3", "/4"])
    #expect(queue.waiting == 1)
    held.answer("/3")
    held.answer("/1")
    #expect(await held.arrived(4).last == "/2")
    held.answer("/2")
    held.answer("/4")
    try await queue.waitUntilIdle()
  }

  @Test func aPausedMemberGivesUpItsSlotAndWaitsForOne() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1)
    let (a, b) = (transfer(client, "a"), transfer(client, "b"))
    queue.add(a)
    queue.add(b)
    await held.arrived(1)
    #expect(a.pause())
    #expect(await held.arrived(2) == ["/a", "/b"])
    #expect(a.resume())
    #expect(a.state == .ready)
    #expect(queue.waiting == 1)
    held.answer("/b")
    #expect(await held.arrived(3) == ["/a", "/b", "/a"])
    held.answer("/a")
    #expect(try await a.value() == "/a")
    #expect(try await b.value() == "/b")
    try await queue.waitUntilIdle()
    #expect(held.most == 1)
    #expect(queue.inFlight == 0)
  }

  @Test func aMemberThatWaitsLeavesTheQueueWhenItIsPausedOrCancelled() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1)
    let all = ["a", "b", "c", "d"].map { transfer(client, $0) }
    for transfer in all { queue.add(transfer) }
    await held.arrived(1)
    #expect(all[1].pause())
    #expect(all[2].cancel())
    #expect(queue.waiting == 1)
    #expect(all[1].resume())
    #expect(queue.waiting == 2)
    await held.answerAll(3)
    #expect(held.arrivals == ["/a", "/d", "/b"])
    await #expect(throws: CancellationError.self) { try await all[2].value() }
    try await queue.waitUntilIdle()
  }

  @Test func aSuspendedQueueLetsNoneBegin() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 2)
    let first = transfer(client, "a")
    queue.add(first)
    await held.arrived(1)
    queue.suspend()
    #expect(queue.isSuspended)
    for path in ["b", "c"] { queue.add(transfer(client, path)) }
    #expect(queue.waiting == 2)
    held.answer("/a")
    await first.reaches(.finished)
    #expect(queue.inFlight == 0)
    queue.resume()
    #expect(Set(await held.arrived(3)) == ["/a", "/b", "/c"])
    held.answer("/b")
    held.answer("/c")
    try await queue.waitUntilIdle()
  }

  @Test func pausedMembersDoNotKeepAQueueBusy() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 2)
    try await queue.waitUntilIdle()
    let transfer = transfer(client, "a")
    queue.add(transfer)
    await held.arrived(1)
    let waiting = Task { try await queue.waitUntilIdle() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    transfer.pause()
    try await queue.waitUntilIdle()
    #expect(held.inFlight == 0)
    #expect(queue.inFlight == 0)
    #expect(queue.transfers.map(\.id) == [transfer.id])
    transfer.resume()
    await held.arrived(2)
    held.answer("/a")
    try await queue.waitUntilIdle()
    #expect(transfer.state == .finished)
  }

  @Test func cancelAllLetsNoneBegin() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 2)
    let all = (0..<50).map { transfer(client, "\($0)") }
    for transfer in all { queue.add(transfer) }
    await held.arrived(2)
    queue.cancelAll()
    try await queue.waitUntilIdle()
    #expect(held.arrivals.count == 2)
    #expect(all.allSatisfy { $0.state == .finished && $0.isCancelled && $0.failure is CancellationError })
    #expect(queue.transfers.isEmpty)
  }

  @Test func aTransferIsInOneQueueOnce() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1)
    let started = transfer(client, "started")
    started.start()
    #expect(!queue.add(started))
    let member = transfer(client, "member")
    #expect(queue.add(member))
    #expect(!queue.add(member))
    #expect(!TransferQueue(limit: 1).add(member))
    await held.answerAll(2)
    try await queue.waitUntilIdle()
    #expect(!queue.add(member))
  }

  @Test func aPausedTransferWaitsForItsResumption() async throws {
    let client = try held.client()
    let queue = TransferQueue(limit: 1)
    let transfer = transfer(client, "a")
    transfer.pause()
    #expect(queue.add(transfer))
    #expect(queue.waiting == 0)
    #expect(queue.inFlight == 0)
    transfer.resume()
    await held.answerAll(1)
    #expect(try await transfer.value() == "/a")
  }

  @Test func membersGoOnWithoutTheirQueue() async throws {
    let client = try held.client()
    let last = transfer(client, "last")
    do {
      let queue = TransferQueue(limit: 1)
      for path in ["a", "b"] { queue.add(transfer(client, path)) }
      queue.add(last)
    }
    await held.answerAll(3)
    #expect(try await last.value() == "/last")
  }

  @Test func nothingIsKeptOfAQueueThatIsReleased() async throws {
    let client = try held.client()
    weak var paused: Transfer<String>?
    weak var waiting: Transfer<String>?
    weak var slots: TransferSlots?
    let outcome: Task<Void, Never>
    do {
      let queue = TransferQueue(limit: 1)
      slots = queue.slots
      queue.suspend()
      let (a, b) = (transfer(client, "a"), transfer(client, "b"))
      (waiting, paused) = (a, b)
      b.pause()
      queue.add(a)
      queue.add(b)
      let states = a.states
      outcome = Task { for await _ in states {} }
    }
    await outcome.value
    #expect(held.arrivals.isEmpty)
    // The task that finished it may still hold it.
    while waiting != nil || slots != nil { await Task.yield() }
    #expect(paused == nil)
  }
}
