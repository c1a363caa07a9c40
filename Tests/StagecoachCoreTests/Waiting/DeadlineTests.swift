import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore

@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
  private static func within<Value: Sendable>(
    _ time: ManualTime,
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withDeadline(time.now.advanced(by: .seconds(1)), on: time, operation) { Foreign(text: "late") }
  }

  @Test func whatIsDoneInTimeIsReturned() async throws {
    #expect(try await Self.within(ManualTime()) { 7 } == 7)
    #expect(try await Self.within(ManualTime()) { nil as Int? } == nil)
  }

  @Test func whatItThrowsPasses() async {
    await #expect(throws: Foreign()) { try await Self.within(ManualTime()) { throw Foreign() } }
  }

  @Test func whatIsLateIsCancelledAndAwaited() async {
    let time = ManualTime()
    let ended = Counter()
    let result = Task {
      try await Self.within(time) {
        defer { ended.add() }
        try await sleepUntilCancelled()
      }
    }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    await #expect(throws: Foreign(text: "late")) { try await result.value }
    #expect(ended.value == 1)
  }

  @Test func cancellingTheTaskThrowsCancellationAndNoTimeout() async {
    let time = ManualTime()
    let task = Task { try await Self.within(time) { try await sleepUntilCancelled() } }
    await time.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
