import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

@testable import StagecoachTesting

#if compiler(>=6.3)
  /// What the trait reports: the issues are caught here, and looked at.
  struct FixtureIssuesTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    private var manifest: String { "\(folder.path)/users/scenario.json" }

    /// Writes a scenario of GETs.
    private func write(_ paths: String..., change: (inout Scenario) -> Void = { _ in }) throws {
      var scenario = Scenario(title: "users")
      for path in paths {
        let head = Scenario.Head(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]))
        let reply = Scenario.Reply(head, body: Scenario.Body(Bytes(path), type: "text/plain"))
        scenario.exchanges.append(
          .init(id: path, request: .init("GET", "http://a/\(path)"), reply: reply)
        )
      }
      change(&scenario)
      try scenario.write(folder: "\(folder.path)/users")
    }

    /// Runs a test under the trait, and returns its issues, which are not reported.
    private func issues(
      mode: FixtureMode = .replay,
      live: (@Sendable () async throws -> any Transport)? = nil,
      _ body: @Sendable @concurrent () async throws -> Void
    ) async throws -> [Issue] {
      let test = try #require(Test.current)
      var options = FixtureOptions("users", mode: mode, root: folder.path, live: live, filePath: #filePath)
      // Whatever the environment of the tests says.
      options.environment = [:]
      let trait = FixtureTrait(options: options)
      let found = Log<Issue>()
      let catching = IssueHandlingTrait.compactMapIssues { issue in
        found.add(issue)
        return nil
      }
      try await catching.provideScope(for: test, testCase: Test.Case.current) {
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
      }
      return found.all
    }

    @concurrent
    private static func get(_ path: String) async throws {
      let response = try await Pipeline(over: Fixture.current.transport) {}.send(.get("http://a/\(path)"))
      _ = try await response.body.collect(upTo: 1000)
    }

    private static func text(_ issues: [Issue]) -> String {
      issues.flatMap(\.comments).map(\.rawValue).joined(separator: "\n")
    }

    @Test func aPassingTestHasNoIssue() async throws {
      try write("1")
      #expect(try await issues { try await Self.get("1") }.isEmpty)
    }

    @Test func aMissingFixtureIsAnIssueAndTheTestIsNotRun() async throws {
      let found = try await issues { Issue.record("the test was run") }
      #expect(found.count == 1)
      let command = "recordOnce swift test --filter 'aMissingFixtureIsAnIssueAndTheTestIsNotRun'"
      #expect(Self.text(found).contains(command))
    }

    @Test func aRequestWithoutAnAnswerIsExplained() async throws {
      try write("1", "2")
      let thrown = try await issues { try await Self.get("3") }
      #expect(thrown.count == 1 && thrown[0].severity == .error)
      #expect(
        Self.text(thrown).contains("answers GET http://a/3") && Self.text(thrown).contains("\(manifest):")
      )
      // The expectation fails, and the reason of it is told too.
      let expected = try await issues {
        let isRead = (try? await Self.get("3")) != nil
        #expect(isRead)
      }
      #expect(expected.count == 2 && Self.text(expected).contains("answers GET http://a/3"))
    }

    @Test func theErrorOfTheTestIsKept() async throws {
      try write("1")
      await #expect(throws: CancellationError.self) { try await issues { throw CancellationError() } }
    }

    @Test func unusedExchangesFail() async throws {
      try write("1", "2")
      let found = try await issues { try await Self.get("1") }
      #expect(found.count == 1 && found[0].severity == .error)
      #expect(found[0].sourceLocation?.line == Test.current?.sourceLocation.line)
      #expect(Self.text(found).contains("1 of 2 exchanges were not used"))
    }

    @Test func expiryIsAWarning() async throws {
      try write("1") { $0.expires = Date(timeIntervalSince1970: 0) }
      let found = try await issues { try await Self.get("1") }
      #expect(found.map(\.severity) == [.warning])
      #expect(Self.text(found).contains("expired on 1970-01-01"))
    }

    @Test func changesAreWarnings() async throws {
      try write("1")
      let found = try await issues(mode: .verify, live: Self.service) { try await Self.get("1") }
      #expect(found.map(\.severity) == [.warning])
      #expect(Self.text(found).contains("1 GET http://a/1: the reply is not as recorded:"))
    }

    @Test func aFailedExpectationKeepsARecordingFromBeingWritten()
      async throws
    {
      let failed = try await issues(mode: .rerecord, live: Self.service) {
        try await Self.get("1")
        #expect(Bool(false))
      }
      #expect(failed.count == 1 && !FileManager.default.fileExists(atPath: manifest))
      let passed = try await issues(mode: .rerecord, live: Self.service) { try await Self.get("1") }
      #expect(passed.isEmpty && FileManager.default.fileExists(atPath: manifest))
    }

    private static let service: @Sendable () async throws -> any Transport = {
      HandlerTransport { _ in Response(.ok, fields: [.contentType: "text/plain"], body: .bytes("new")) }
    }
  }
#endif
