import Foundation
import StagecoachCore
import StagecoachSerializers
import StagecoachTransfers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TransferBatchTests {
  @Test func outcomesAreInOrderAndProgressCountsFromOne() async throws {
    let origin = PacedOrigin()
    let client = try origin.client()
    let serial = Serial()
    let calls = Log<String>()
    let transfers = ["a", "missing", "c", "d", "e"].map { path in
      let transfer = client.transfer(.get("\(path)"), as: .data)
      transfer.onCompletion(on: serial.queue) { _ in calls.add("handler") }
      return transfer
    }
    transfers[3].cancel()
    var counts: [Int] = []
    let outcomes = await transfers.run(maxConcurrent: 2) { finished, total in
      counts.append(finished)
      #expect(total == 5)
      #expect(calls.all.count >= finished)
    }
    #expect(counts == [1, 2, 3, 4, 5])
    #expect(outcomes.map { (try? $0.get())?.count } == [1000, nil, 1000, nil, 1000])
    #expect(transfers[1].failure is ExchangeError)
    #expect(transfers[3].failure is CancellationError)
    #expect(calls.all.count == 5)
  }

  @Test func noMoreRunThanAreAllowed() async throws {
    let origin = PacedOrigin()
    let client = try origin.client()
    let transfers = (0..<100).map { client.transfer(.get("\($0)"), as: .data) }
    let outcomes = await transfers.run(maxConcurrent: 3)
    #expect(outcomes.count == 100)
    #expect(origin.peak <= 3)
    #expect(await transfers.run(maxConcurrent: -1).count == 100)
    #expect(origin.paths.count == 100)
  }

  @Test func anEmptyBatchReturnsImmediately() async throws {
    let transfers: [Transfer<Bytes>] = []
    let outcomes = await transfers.run { _, _ in Issue.record("nothing was done") }
    #expect(outcomes.isEmpty)
  }

  @Test func cancellingTheTaskCancelsAll() async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let transfers = (0..<10).map { client.transfer(.get("\($0)"), as: .data) }
    let task = Task { await transfers.run(maxConcurrent: 4) }
    await origin.requests(atLeast: 4)
    transfers[0].pause()
    task.cancel()
    #expect(await task.value.count == 10)
    #expect(transfers.allSatisfy { $0.failure is CancellationError })
    #expect(origin.paths.count == 4)
  }

  @Test func aBatchOfOperationsCountsEachAfterItsHandlerAndCompletesLast() async throws {
    let origin = PacedOrigin()
    let client = try origin.client()
    let handlers = Serial(isHeld: true)
    let (serial, calls, returned, done) = (Serial(), Log<String>(), Counter(), Signal())
    let operations = ["a", "missing", "c", "d"].map { path in
      let transfer = client.transfer(.get("\(path)"), as: .data)
      transfer.onCompletion(on: handlers.queue) { _ in returned.add() }
      return TransferOperation(transfer)
    }
    operations[2].cancel()
    let batch = TransferOperation.batch(operations, on: serial.queue) { finished, total in
      calls.add("\(finished) of \(total)")
      #expect(returned.value >= finished)
    } completion: { members in
      calls.add("completed \(members.count { $0.transfer.failure == nil })")
      #expect(members == operations)
      done.set()
    }
    #expect(batch.count == 5)
    #expect(batch.last?.dependencies == operations)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    queue.add(batch)
    await origin.requests(atLeast: 3)
    await serial.drain()
    #expect(calls.all.isEmpty)
    handlers.release()
    await done.wait()
    #expect(calls.all == ["1 of 4", "2 of 4", "3 of 4", "4 of 4", "completed 2"])
  }

  @Test func aBatchThatIsCancelledCompletesToo() async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let (counts, done) = (Log<Int>(), Signal())
    let queue = OperationQueue()
    let serial = Serial()
    queue.maxConcurrentOperationCount = 2
    do {
      let operations = (0..<5).map { TransferOperation(client.transfer(.get("\($0)"), as: .data)) }
      let batch = TransferOperation.batch(operations, on: serial.queue) { finished, _ in
        counts.add(finished)
      } completion: { members in
        #expect(members.allSatisfy { $0.transfer.failure is CancellationError })
        done.set()
      }
      queue.add(batch)
    }
    await origin.requests(atLeast: 2)
    queue.cancelAllOperations()
    await done.wait()
    #expect(counts.all == [1, 2, 3, 4, 5])
  }

  @Test func anEmptyBatchCompletesLater() async throws {
    let done = Signal()
    let batch = TransferOperation.batch([]) { _, _ in
      Issue.record("nothing was done")
    } completion: {
      #expect($0.isEmpty)
      done.set()
    }
    #expect(batch.count == 1)
    OperationQueue().add(batch)
    await done.wait()
  }

  @Test func aBatchThatNeverRunsIsReleased() async throws {
    weak var released: TransferOperation?
    do {
      let operation = TransferOperation(try PacedOrigin().client().transfer(.get("a"), as: .data))
      released = operation
      #expect(TransferOperation.batch([operation]) { _ in }.count == 2)
    }
    #expect(released == nil)
  }
}
