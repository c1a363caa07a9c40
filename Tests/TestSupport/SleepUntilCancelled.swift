/// Sleeps until the task is cancelled, and throws what a sleep throws then.
package func sleepUntilCancelled() async throws {
  while true { try await Task.sleep(for: .seconds(3600)) }
}
