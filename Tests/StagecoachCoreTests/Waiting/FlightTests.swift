import StagecoachCore
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
    #expect(try await flight.join() == nil)
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

  @Test func theLastThatIsCancelledCancelsTheWork() async throws {
    let flight = Flight<Int>(endsAlone: true)
    let time = ManualTime()
    let work = time.timer(at: time.now + .seconds(1)) {}
    flight.begin { [work] }
    let waiters = (0..<2).map { _ in Task { try await flight.join() } }
    while flight.waiting < 2 { await Task.yield() }
    waiters[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiters[0].value }
    #expect(flight.isOpen && !work.isCancelled)
    waiters[1].cancel()
    await #expect(throws: CancellationError.self) { try await waiters[1].value }
    await work.value
    #expect(!flight.isOpen && work.isCancelled)
    flight.begin {
      Issue.record("work that nobody waits for begins")
      return []
    }
  }

  @Test func workGoesOnWithoutWaitersUnlessItEndsAlone() async throws {
    let flight = Flight<Int>()
    let time = ManualTime()
    let work = time.timer(at: time.now + .seconds(1)) {}
    flight.begin { [work] }
    let waiter = Task { try await flight.join() }
    while flight.waiting < 1 { await Task.yield() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(flight.isOpen && !work.isCancelled)
    let other = Task { try await flight.join() }
    while flight.waiting < 1 { await Task.yield() }
    flight.land(with: .success(3))
    #expect(try await other.value == 3)
    #expect(work.isCancelled)
    await work.value
  }
}
