import Stagecoach
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite(.timeLimit(.minutes(1))) struct ManualTimeTests {
  @Test func standsStillUntilItIsMoved() {
    let start = ContinuousClock.now
    let time = ManualTime(now: start)
    #expect(time.now == start)
    time.advance(by: .seconds(5))
    #expect(time.now == start.advanced(by: .seconds(5)))
  }

  @Test func theDateMovesWithTheClock() {
    let time = ManualTime(date: Date(timeIntervalSince1970: 1_000))
    time.advance(by: .milliseconds(1_500))
    #expect(time.date.timeIntervalSince1970 == 1_001.5)
    let now = time.now
    time.setDate(Date(timeIntervalSince1970: 10))
    #expect(time.date.timeIntervalSince1970 == 10)
    #expect(time.now == now)
  }

  @Test func wakesOnlySleepersThatAreDue() async throws {
    let time = ManualTime()
    let woken = Log<Int>()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await time.sleep(until: time.now.advanced(by: .seconds(seconds)))
          return seconds
        }
      }
      await time.sleepers(atLeast: 3)
      for second in 1...3 {
        time.advance(by: .milliseconds(999))
        time.advance(by: .milliseconds(1))
        woken.add(try await group.next() ?? 0)
        #expect(woken.all == Array(1...second))
      }
    }
  }

  @Test func whatIsDueDoesNotWait() async throws {
    let time = ManualTime()
    try await time.sleep(until: time.now)
    try await time.sleep(until: time.now.advanced(by: .seconds(-1)))
  }

  @Test func cancellationWakesBeforeAndDuringTheSleep() async {
    let time = ManualTime()
    let asleep = Task { try await time.sleep(until: time.now.advanced(by: .seconds(1))) }
    await time.sleepers(atLeast: 1)
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await time.sleep(until: time.now.advanced(by: .seconds(1)))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test func sleepsOnTheSystemsClock() async throws {
    let time = SystemTime()
    let start = time.now
    try await time.sleep(until: start.advanced(by: .milliseconds(5)))
    #expect(time.now - start >= .milliseconds(5))
    let task = Task { try await time.sleep(until: time.now.advanced(by: .seconds(3600))) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
