import StagecoachCore
import Synchronization
import Testing

@Suite struct WaiterTests {
  private struct Failure: Error {}

  @Test func aValueThatCameBeforeTheTaskWaitsIsKept() async throws {
    let waiter = Waiter<Int>()
    #expect(waiter.end(with: .success(1)))
    #expect(try await waiter.value() == 1)
  }

  @Test func theFirstEndCounts() async throws {
    let waiter = Waiter<Int>()
    async let value = waiter.value()
    #expect(waiter.end(with: .success(1)))
    #expect(!waiter.end(with: .failure(Failure())))
    #expect(try await value == 1)
    #expect(!waiter.end(with: .success(2)))
  }

  @Test func aFailureIsThrown() async {
    let waiter = Waiter<Int>()
    waiter.end(with: .failure(Failure()))
    await #expect(throws: Failure.self) { try await waiter.value() }
  }

  @Test func aCancelledTaskLeavesOnce() async {
    let waiter = Waiter<Int>()
    let left = Mutex(0)
    let task = Task { try await waiter.value { left.withLock { $0 += 1 } } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(left.withLock { $0 } == 1)
    #expect(!waiter.end(with: .success(1)))
  }

  @Test func aTaskThatWasCancelledBeforeItWaitsDoesNotWait() async {
    let waiter = Waiter<Int>()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await waiter.value()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aCancellationBehindTheValueIsTooLate() async throws {
    let waiter = Waiter<Int>()
    let hasLeft = Mutex(false)
    waiter.end(with: .success(1))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await waiter.value { hasLeft.withLock { $0 = true } }
    }
    task.cancel()
    #expect(try await task.value == 1)
    #expect(!hasLeft.withLock { $0 })
  }

  @Test func anOutcomeIsWaitedForInACancelledTaskToo() async throws {
    let waiter = Waiter<Int>()
    let task = Task { await waiter.outcome() }
    task.cancel()
    #expect(waiter.end(with: .success(1)))
    #expect(try await task.value.get() == 1)
  }

  @Test func manyEndsAtTheSameTimeEndOnce() async throws {
    for _ in 0..<200 {
      let waiter = Waiter<Int>()
      let firsts = Mutex(0)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await waiter.value() }
        for number in 0..<4 {
          group.addTask {
            if waiter.end(with: .success(number)) { firsts.withLock { $0 += 1 } }
          }
        }
      }
      #expect(firsts.withLock { $0 } == 1)
    }
  }
}
