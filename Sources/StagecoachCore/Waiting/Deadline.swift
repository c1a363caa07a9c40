/// Runs an operation in a child task and cancels it at a deadline.
///
/// A task group costs tens of microseconds, so this is only used for deadlines that the caller has set.
package func withDeadline<Value: Sendable>(
  _ deadline: ContinuousClock.Instant,
  on time: any TimeSource,
  _ operation: @escaping @Sendable () async throws -> Value,
  orThrow makeError: @escaping @Sendable () -> any Error
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await time.sleep(until: deadline)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else { throw makeError() }
    return value
  }
}
