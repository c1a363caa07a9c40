import TestSupport
import Testing

@testable import StagecoachCore

@Suite(.timeLimit(.minutes(1))) struct SleepQueueTests {
  private let queue = SleepQueue()

  @Test func eachTaskWakesOnceItsDeadlineHasCome() async throws {
    let start = ContinuousClock.now
    // The latest is first, so that each needs a timer of its own.
    try await withThrowingTaskGroup { group in
      for number in (0..<5).reversed() {
        group.addTask { [queue] in
          let deadline = start + .milliseconds(20 + 20 * number)
          try await queue.sleep(until: deadline)
          #expect(ContinuousClock.now >= deadline)
        }
      }
      try await group.waitForAll()
    }
    // One that is far away holds up nobody.
    let far = Task { [queue] in try await queue.sleep(until: .now + .seconds(3600)) }
    while queue.places == 0 { await Task.yield() }
    try await queue.sleep(until: .now + .milliseconds(1))
    far.cancel()
  }

  @Test func aDeadlineInThePastDoesNotSleep() async throws {
    try await queue.sleep(until: .now - .seconds(1))
    await #expect(throws: CancellationError.self) {
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.sleep(until: .now - .seconds(1))
    }
  }

  @Test func thousandsOfSleepersWakeInOrder() async throws {
    let start = ContinuousClock.now
    var random = SplitMix(state: 1)
    let deadlines = (0..<2000).map { _ in start + .microseconds(Int64(random.next() % 200_000)) }
    try await withThrowingTaskGroup { group in
      for (number, deadline) in deadlines.enumerated() {
        group.addTask { [queue] in
          // Every third is cancelled, sooner or later.
          let task = Task { try await queue.sleep(until: deadline) }
          if number % 3 == 0 { task.cancel() }
          _ = await task.result
          if number % 3 != 0 { #expect(ContinuousClock.now >= deadline) }
        }
      }
      try await group.waitForAll()
    }
    #expect(queue.places < 100)
  }

  @Test func aCancelledSleepEndsImmediatelyAndLeavesTheQueue() async {
    let tasks = (0..<1000).map { [queue] number in
      Task { try await queue.sleep(until: .now + .seconds(3600 + number)) }
    }
    while queue.places < 1000 { await Task.yield() }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(queue.places <= 64)
  }

  @Test func aCancelledTaskDoesNotSleep() async {
    let task = Task { [queue] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.sleep(until: .now + .seconds(3600))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  #if canImport(Glibc)
    /// In a process of its own, so that its memory is that of these sleeps alone.
    @Test func cancelledSleepsLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try await expectNoGrowth("sleeps", count: 1000) { _ in
          let task = Task { try await SystemTime().sleep(until: .now + .seconds(3600)) }
          task.cancel()
          try await failing { try await task.value }
        }
      }
    }
  #endif
}
