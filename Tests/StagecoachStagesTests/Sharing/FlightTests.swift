import StagecoachStages
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct FlightTests {
  @Test func whoHasWaitedLongestTakesOver() async throws {
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
}
