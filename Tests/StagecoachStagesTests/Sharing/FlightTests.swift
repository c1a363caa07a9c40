import StagecoachCore
import StagecoachStages
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct FlightTests {
  @Test func theLongestWaiterTakesOver() async throws {
    let flight = Flight<Int>()
    let (joined, taken) = (Counter(), Counter())
    var tasks: [Task<Int?, any Error>] = []
    for number in 0..<3 {
      tasks.append(
        Task {
          guard try await flight.join({ joined.add() }) == 7 else { return nil }
          return taken.add()
        }
      )
      while joined.value <= number { await Task.yield() }
    }
    for number in 0..<3 {
      #expect(flight.handOver(7))
      while taken.value <= number { await Task.yield() }
    }
    #expect(!flight.handOver(7))
    for (number, task) in tasks.enumerated() { #expect(try await task.value == number + 1) }
    #expect(try await flight.join {} == nil)
  }

  @Test func waitersLeaveWhenTheirPatienceEnds() async throws {
    let flight = Flight<Int>()
    let time = ManualTime()
    let joined = Counter()
    let patience = Flight<Int>.Patience(until: time.now + .seconds(10), on: time, then: 9)
    let tasks = (0..<3).map { number in
      Task { try await flight.join(within: number == 2 ? nil : patience) { joined.add() } }
    }
    while joined.value < 3 { await Task.yield() }
    await time.sleepers(atLeast: 2)
    #expect(flight.handOver(7))
    time.advance(by: .seconds(10))
    var landings: [Int?] = []
    for task in tasks[..<2] { landings.append(try await task.value) }
    let waiters = flight.land()
    for waiter in waiters { waiter.end(with: .success(8)) }
    landings.append(try await tasks[2].value)
    #expect(landings.compactMap { $0 }.sorted() == (landings[2] == 7 ? [7, 9, 9] : [7, 8, 9]))
    #expect(waiters.count == (landings[2] == 7 ? 0 : 1))
  }
}
