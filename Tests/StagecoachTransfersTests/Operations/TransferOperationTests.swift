import Foundation
import StagecoachCore
import StagecoachSerializers
import StagecoachTransfers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct TransferOperationTests {
  private func end(of operation: Operation) async {
    await withCheckedContinuation { continuation in
      let follower = BlockOperation { continuation.resume() }
      follower.addDependency(operation)
      OperationQueue().addOperation(follower)
    }
  }

  @Test func anOperationIsExecutingUntilItsTransferHasEnded() async throws {
    let origin = PacedOrigin(isHeld: true)
    let transfer = try origin.client().transfer(.get("a"), as: .data)
    let operation = TransferOperation(transfer)
    #expect(operation.isReady && !operation.isExecuting && !operation.isFinished && operation.isAsynchronous)
    let queue = OperationQueue()
    queue.addOperation(operation)
    await origin.requests(atLeast: 1)
    #expect(operation.isExecuting && !operation.isFinished)
    #expect(queue.operationCount == 1)
    origin.release()
    await end(of: operation)
    #expect(operation.isFinished && !operation.isExecuting && !operation.isCancelled)
    #expect(try transfer.outcome?.get().count == 1000)
    #expect(operation.transfer === transfer)
  }

  @Test func dependenciesHoldATransferBackAlsoIfItIsStarted() async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let first = TransferOperation(client.transfer(.get("first"), as: .data))
    let second = TransferOperation(client.transfer(.get("second"), as: .data))
    second.addDependency(first)
    #expect(!second.isReady)
    second.transfer.start()
    #expect(second.transfer.state == .ready)
    OperationQueue().add([second, first])
    await origin.requests(atLeast: 1)
    #expect(origin.paths == ["/first"])
    origin.release()
    await end(of: second)
    #expect(origin.paths == ["/first", "/second"])
  }

  @Test func aFailureIsAnEndToo() async throws {
    let client = try PacedOrigin().client()
    let first = TransferOperation(client.transfer(.get("missing"), as: .data))
    let second = TransferOperation(client.transfer(.get("a"), as: .data))
    second.addDependency(first)
    OperationQueue().add([first, second])
    await end(of: second)
    #expect((first.transfer.failure as? ExchangeError)?.kind == .status)
    #expect(second.transfer.failure == nil)
  }

  @Test func higherPrioritiesRunFirst() async throws {
    let origin = PacedOrigin()
    let client = try origin.client()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let operations = ["low", "normal", "high"].map {
      TransferOperation(client.transfer(.get("\($0)"), as: .data))
    }
    operations[0].queuePriority = .veryLow
    operations[2].queuePriority = .veryHigh
    queue.add(operations)
    #expect(origin.paths.isEmpty)
    queue.isSuspended = false
    for operation in operations { await end(of: operation) }
    #expect(origin.paths == ["/high", "/normal", "/low"])
  }

  @Test func anOperationCancelledBeforeItsStartNeverExecutes() async throws {
    let origin = PacedOrigin()
    let transfer = try origin.client().transfer(.get("a"), as: .data)
    let operation = TransferOperation(transfer)
    operation.cancel()
    operation.cancel()
    #expect(operation.isCancelled && transfer.isCancelled && operation.isReady)
    #expect(!operation.isFinished)
    await #expect(throws: CancellationError.self) { try await transfer.value() }
    OperationQueue().addOperation(operation)
    await end(of: operation)
    #expect(operation.isFinished && !operation.isExecuting)
    #expect(origin.paths.isEmpty)
  }

  @Test(arguments: [true, false])
  func aCancelledOperationDoesNotWaitForItsDependencies(isByTransfer: Bool) async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let first = TransferOperation(client.transfer(.get("first"), as: .data))
    let second = TransferOperation(client.transfer(.get("second"), as: .data))
    second.addDependency(first)
    OperationQueue().add([first, second])
    await origin.requests(atLeast: 1)
    if isByTransfer { second.transfer.cancel() } else { second.cancel() }
    await end(of: second)
    #expect(second.isCancelled && second.transfer.failure is CancellationError)
    #expect(first.isExecuting)
    first.cancel()
    await end(of: first)
    #expect(origin.paths == ["/first"])
  }

  @Test func anOperationPausedBeforeItsTurnIsNotReady() async throws {
    let origin = PacedOrigin()
    let client = try origin.client()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let paused = TransferOperation(client.transfer(.get("paused"), as: .data))
    paused.transfer.pause()
    #expect(!paused.isReady && !paused.isExecuting && !paused.isFinished)
    let other = TransferOperation(client.transfer(.get("other"), as: .data))
    queue.add([paused, other])
    await end(of: other)
    #expect(origin.paths == ["/other"])
    #expect(queue.operationCount == 1)
    paused.transfer.resume()
    await end(of: paused)
    #expect(origin.paths == ["/other", "/paused"])
    #expect(paused.transfer.failure == nil)
  }

  @Test func anOperationPausedLaterKeepsItsSlot() async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let first = TransferOperation(client.transfer(.get("first"), as: .data))
    let second = TransferOperation(client.transfer(.get("second"), as: .data))
    queue.add([first, second])
    await origin.requests(atLeast: 1)
    #expect(first.transfer.pause())
    #expect(first.isExecuting && !second.isExecuting)
    origin.release()
    #expect(first.transfer.resume())
    await end(of: second)
    #expect(origin.paths == ["/first", "/first", "/second"])
    #expect(first.isFinished && first.transfer.failure == nil)
  }

  @Test func cancellingAPausedOneFinishesIt() async throws {
    let origin = PacedOrigin(isHeld: true)
    let operation = TransferOperation(try origin.client().transfer(.get("a"), as: .data))
    let queue = OperationQueue()
    queue.addOperation(operation)
    await origin.requests(atLeast: 1)
    operation.transfer.pause()
    queue.cancelAllOperations()
    await end(of: operation)
    #expect(operation.transfer.failure is CancellationError)
  }

  @Test func anOperationOfARunningTransferOnlyFollowsIt() async throws {
    let origin = PacedOrigin(isHeld: true)
    let transfer = try origin.client().transfer(.get("a"), as: .data)
    transfer.start()
    await origin.requests(atLeast: 1)
    let operation = TransferOperation(transfer)
    #expect(!operation.isExecuting)
    OperationQueue().addOperation(operation)
    origin.release()
    await end(of: operation)
    let late = TransferOperation(transfer)
    OperationQueue().addOperation(late)
    await end(of: late)
    #expect(late.isFinished && !late.isCancelled)
    #expect(origin.paths.count == 1)
  }

  @Test func theCompletionBlockIsCalled() async throws {
    let operation = TransferOperation(try PacedOrigin().client().transfer(.get("a"), as: .data))
    let called = Signal()
    operation.completionBlock = { called.set() }
    OperationQueue().addOperation(operation)
    await called.wait()
    #expect(operation.isFinished)
  }

  @Test func anOperationRunsWithoutAQueue() async throws {
    let operation = TransferOperation(try PacedOrigin().client().transfer(.get("a"), as: .data))
    operation.start()
    await end(of: operation)
    #expect(operation.transfer.failure == nil)
  }

  @Test(arguments: [false, true])
  func finishedOperationsAreFreed(isStarted: Bool) async throws {
    weak var operation: TransferOperation?
    weak var transfer: Transfer<Bytes>?
    do {
      let work = try PacedOrigin().client().transfer(.get("a"), as: .data)
      let made = TransferOperation(work)
      (operation, transfer) = (made, work)
      if isStarted {
        OperationQueue().addOperation(made)
        await end(of: made)
      } else {
        // It waits for a turn that never comes.
        work.start()
      }
    }
    while operation != nil || transfer != nil { await Task.yield() }
  }
}
