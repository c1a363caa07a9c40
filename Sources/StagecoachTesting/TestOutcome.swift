import Synchronization
import Testing

/// Whether a test recorded an issue that fails it.
final class TestOutcome: Sendable {
  private let failed = Atomic(false)

  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Runs a test. Issues can be seen with Swift 6.3 and later.
  func watch(_ test: Test, _ testCase: Test.Case?, _ function: @Sendable @concurrent () async throws -> Void)
    async throws
  {
    #if compiler(>=6.3)
      let watching = IssueHandlingTrait.compactMapIssues { [self] issue in
        if issue.isFailure { failed.store(true, ordering: .relaxed) }
        return issue
      }
      try await watching.provideScope(for: test, testCase: testCase, performing: function)
    #else
      try await function()
    #endif
  }
}
