import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(15))) struct TransferQueueStormTests {
  private let gauge = InFlightGauge()

  private func client() throws -> Client {
    let transport = HandlerTransport(recordLimit: 0) { [gauge] _ in
      await gauge.serve()
      return Response(.ok, body: .bytes("x"))
    }
    return try Client(Pipeline(over: transport) {}, base: "http://test/")
  }

  @Test(arguments: [TransferQueue.Order.firstInFirstOut, .lastInFirstOut])
  func tenThousandTransfersEightAtATime(_ order: TransferQueue.Order) async throws {
    let client = try client()
    let queue = TransferQueue(limit: 8, order: order)
    for number in 0..<10_000 { queue.add(client.transfer(.get("\(number)"), as: .ignored)) }
    try await queue.waitUntilIdle()
    #expect(gauge.most == 8)
    #expect(gauge.all == 10_000)
    #expect(queue.inFlight == 0)
    #expect(queue.waiting == 0)
    #expect(queue.transfers.isEmpty)
  }

  @Test func membersThatArePausedResumedAndCancelledFromAllSides() async throws {
    let client = try client()
    let queue = TransferQueue(limit: 4, perOrigin: 3)
    let transfers = (0..<64).map { client.transfer(.get("http://h\($0 % 3)/\($0)"), as: .ignored) }
    for transfer in transfers { queue.add(transfer) }
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<64 {
        group.addTask {
          var random = SplitMix(state: UInt64(seed))
          for round in 0..<160 {
            let transfer = transfers[Int(random.next() % 64)]
            switch random.next() % 16 {
            case 0..<7: transfer.pause()
            case 7..<14: transfer.resume()
            case 14: if round % 40 == 0 { transfer.cancel() }
            default:
              queue.suspend()
              queue.resume()
            }
            if round % 8 == 0 { await Task.yield() }
          }
        }
      }
    }
    for transfer in transfers { transfer.resume() }
    try await queue.waitUntilIdle()
    #expect(transfers.allSatisfy { $0.state == .finished })
    #expect(transfers.allSatisfy { $0.isCancelled || $0.failure == nil })
    #expect(gauge.most <= 4)
    #expect(queue.inFlight == 0)
    #expect(queue.waiting == 0)
    #expect(queue.transfers.isEmpty)
  }
}
