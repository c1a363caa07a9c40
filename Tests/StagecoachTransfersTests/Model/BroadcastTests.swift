import Synchronization
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
  private final class Values: Sendable {
    private let values = Mutex<[Int]>([])
    var all: [Int] { values.withLock { $0 } }
    func add(_ value: Int) { values.withLock { $0.append(value) } }
  }

  @Test func everyObserverGetsTheCurrentValueAndThenAllChangesInOrder() async {
    let broadcast = Broadcast(0)
    let first = Values()
    broadcast.observe { first.add($0) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            broadcast.update {
              $0 += 1
              return true
            }
          }
        }
      }
    }
    let second = Values()
    broadcast.observe { second.add($0) }
    #expect(first.all == Array(0...4000))
    #expect(second.all == [4000])
  }

  @Test func aHandlerMayChangeTheValue() {
    let broadcast = Broadcast(0)
    let values = Values()
    broadcast.observe { value in
      values.add(value)
      if value < 5 {
        broadcast.update {
          $0 += 1
          return true
        }
      }
    }
    #expect(values.all == [0, 1, 2, 3, 4, 5])
  }

  @Test func removedObserversAndFinishedBroadcastsGetNothing() async {
    let broadcast = Broadcast(0)
    let values = Values()
    let id = broadcast.observe { values.add($0) }
    broadcast.remove(id)
    broadcast.update {
      $0 = 1
      return true
    }
    #expect(values.all == [0])
    let stream = broadcast.stream(keeping: 10)
    broadcast.finish()
    broadcast.update {
      $0 = 2
      return true
    }
    var read: [Int] = []
    for await value in stream { read.append(value) }
    for await value in broadcast.stream(keeping: 10) { read.append(value) }
    #expect(read == [1, 1])
  }
}
