import Foundation
import StagecoachCore
import StagecoachSerializers
import StagecoachTransfers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct OperationStormTests {
  /// Makes a signal that is set when operations are finished.
  private func end(of operations: [TransferOperation]) -> Signal {
    let (finished, end, total) = (Counter(), Signal(), operations.count)
    for operation in operations {
      operation.completionBlock = { if finished.add() == total { end.set() } }
    }
    return end
  }

  @Test func tenThousandGoThroughOneQueueEightAtATime() async throws {
    let origin = PacedOrigin(size: 10)
    let client = try origin.client()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 8
    let calls = Counter()
    let serial = Serial()
    let operations = (0..<10_000).map { number in
      let transfer = client.transfer(.get("\(number)"), as: .data)
      transfer.onCompletion(on: serial.queue, success: { _ in calls.add() }, failure: { _ in })
      return TransferOperation(transfer)
    }
    let end = end(of: operations)
    queue.add(operations)
    await end.wait()
    await serial.drain()
    #expect(operations.allSatisfy { $0.isFinished })
    #expect(calls.value == 10_000)
    #expect(origin.paths.count == 10_000)
    #expect(origin.peak <= 8)
  }

  @Test func everyOperationEndsWhateverIsDoneToItFromManyThreads() async throws {
    let client = try PacedOrigin(size: 100).client()
    for round in 0..<40 {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 4
      let (serial, calls) = (Serial(), Counter())
      let operations = (0..<25).map { number in
        let transfer = client.transfer(.get("\(number)"), as: .data)
        transfer.onCompletion(on: serial.queue) { _ in calls.add() }
        return TransferOperation(transfer)
      }
      let end = end(of: operations)
      queue.add(operations)
      await withTaskGroup { group in
        for thread in 0..<8 {
          group.addTask {
            var random = SplitMix(state: UInt64(round * 8 + thread))
            for _ in 0..<100 {
              let operation = operations[Int(random.next() % 25)]
              switch random.next() % 16 {
              case 0: operation.cancel()
              case 1: operation.transfer.cancel()
              case 2..<6: operation.transfer.start()
              case 6..<11: operation.transfer.pause()
              default: operation.transfer.resume()
              }
            }
          }
        }
      }
      // Those that were left paused hold slots.
      for operation in operations { operation.transfer.resume() }
      await end.wait()
      await serial.drain()
      #expect(operations.allSatisfy { $0.isFinished && $0.transfer.state == .finished })
      #expect(operations.allSatisfy { $0.isCancelled == $0.transfer.isCancelled })
      #expect(calls.value == 25)
    }
  }

  @Test func cancellingAllEndsAll() async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 8
    let operations = (0..<500).map { TransferOperation(client.transfer(.get("\($0)"), as: .data)) }
    let end = end(of: operations)
    queue.add(operations)
    await origin.requests(atLeast: 8)
    queue.cancelAllOperations()
    await end.wait()
    #expect(operations.allSatisfy { $0.isFinished && $0.transfer.failure is CancellationError })
  }
}
