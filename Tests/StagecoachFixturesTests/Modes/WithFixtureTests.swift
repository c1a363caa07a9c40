import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

/// Replays with `withFixture`; the environment of the tests may force them, but not another mode.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["STAGECOACH_FIXTURES_MODE"] == nil))
struct WithFixtureTests {
  private let session: FixtureSession

  init() throws { session = try FixtureSession() }

  private func run<Result>(_ body: (any Transport) async throws -> Result) async throws -> Result {
    try await withFixture("users", mode: .replay, in: session.folder.path, body)
  }

  private func failure(_ body: (any Transport) async throws -> Void) async throws -> FixtureError {
    try await #require(throws: FixtureError.self) { try await run(body) }
  }

  @Test func theResultOfTheTestIsReturned() async throws {
    try session.write("/1", "/2")
    let texts = try await withFixture("users", in: session.folder.path) { transport in
      [try await FixtureSession.text("/2", transport), try await FixtureSession.text("/1", transport)]
    }
    #expect(texts == ["/2", "/1"])
  }

  @Test func aMissingFixtureNamesTheCommandThatRecordsIt() async throws {
    let error = try await failure { _ in Issue.record("the test was run") }
    #expect(error.kind == .missing)
    #expect(
      error.message == """
        there is no recording \(session.place)/scenario.json; record it with
          STAGECOACH_FIXTURES_MODE=recordOnce swift test --filter 'run'
        and name the service in the test, with the argument live
        """
    )
  }

  @Test func aRequestWithoutAnAnswerFailsAlsoIfItsErrorIsIgnored() async throws {
    try session.write("/1", "/2")
    let error = try await failure { transport in
      _ = try await FixtureSession.text("/1", transport)
      _ = try? await FixtureSession.text("/3", transport)
    }
    let manifest = "\(session.place)/scenario.json"
    let lines = try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n")
      .enumerated().filter { $0.element.contains("\"id\"") }.map(\.offset)
    #expect(error.kind == .unmatched && error.underlying == nil)
    #expect(
      "\(error)".hasPrefix(
        """
        \(manifest): fixture users: no exchange of "users" answers GET https://api.test/3
          01  GET https://api.test/1

        """
      )
    )
    #expect(
      "\(error)".hasSuffix(
        """

        the exchanges:
          \(manifest):\(lines[0]): 01 GET {api}/1, answered request #1
          \(manifest):\(lines[1]): 02 GET {api}/2, not used
        """
      )
    )
  }

  @Test func theErrorOfTheTestIsKept() async throws {
    try session.write("/1")
    await #expect(throws: CancellationError.self) { try await run { _ in throw CancellationError() } }
    let error = try await failure { transport in _ = try await FixtureSession.text("/3", transport) }
    #expect((error.underlying as? ExchangeError)?.isStageFailure == true)
    // It says nothing that the diagnosis has not said.
    #expect(!"\(error)".contains("the test failed with"))
    let other = try await failure { transport in
      _ = try? await FixtureSession.text("/3", transport)
      throw ScratchFailure()
    }
    #expect("\(other)".contains("\nthe test failed with: ScratchFailure"))
  }

  @Test func whatChangedExplainsATestThatFailsWithIt() async throws {
    try session.write("/1", "/2")
    let run = try await session.start(.verify, FixtureSession.service("new"))
    for path in ["/1", "/2"] { _ = try await FixtureSession.text(path, run.transport) }
    let error = try #require(await run.fail(ScratchFailure()) as? FixtureError)
    #expect(error.kind == .changed && error.underlying is ScratchFailure)
    let text = "\(error)"
    #expect(text.contains("recorded /1, now new/1") && text.contains("recorded /2, now new/2"), "\(text)")
    #expect(text.hasSuffix("\nthe test failed with: ScratchFailure()"))

    let same = try await session.start(.verify, FixtureSession.service())
    _ = try await FixtureSession.text("/1", same.transport)
    #expect(await same.fail(ScratchFailure()) is ScratchFailure)
  }

  @Test func unusedExchangesFailWithTheirLines() async throws {
    try session.write("/1", "/2", "/3")
    let error = try await failure { transport in _ = try await FixtureSession.text("/1", transport) }
    #expect(error.kind == .unused && error.file == "\(session.place)/scenario.json")
    #expect(error.message.hasPrefix("2 of 3 exchanges were not used:\n  \(session.place)/scenario.json:"))
    #expect(error.message.contains("02 GET {api}/2\n") && error.line != nil)
  }

  @Test(arguments: [Scenario.Policy.Unused.warn, .ignore])
  func thePolicySaysWhetherTheyFail(_ unused: Scenario.Policy.Unused) async throws {
    try session.write("/1", "/2") { $0.policy.unused = unused }
    let findings = try await session.use(.replay, nil, paths: "/1")
    #expect(findings.warnings.count == (unused == .warn ? 1 : 0))
  }

  @Test func anExpiredRecordingIsAWarning() async throws {
    try session.write("/1") { $0.expires = Date(timeIntervalSince1970: 1_700_000_000) }
    let findings = try await session.use(.replay, nil, paths: "/1")
    let text = "\(session.place)/scenario.json: the recording of users expired on 2023-11-14; record it again"
    #expect(findings.warnings == [text])
  }

  @Test func aMalformedFixtureIsNamedWithItsLine() async throws {
    try session.write("/1")
    let file = "\(session.place)/scenario.json"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("\"GET\"", with: "\"G T\"").write(toFile: file, atomically: true, encoding: .utf8)
    let error = try await #require(throws: ScenarioError.self) { try await run { _ in } }
    #expect(error.line != nil && error.file == file)
  }

  @Test func foldersAreListed() throws {
    for name in ["b/two", "a", "b/one", ".hidden/x"] {
      try Scenario(title: name).write(folder: "\(session.folder.path)/\(name)")
    }
    let root = session.folder.path
    #expect(try Fixtures.scenarios(root: root).map(\.name) == ["a", "b/one", "b/two"])
    #expect(try Fixtures.scenarios(in: "b", root: root).map(\.id) == ["b/one", "b/two"])
    #expect(try Fixtures.scenarios(in: "b/one", root: root).map(\.name) == ["b/one"])
    for folder in ["c", "../x"] {
      #expect(throws: FixtureError.self) { try Fixtures.scenarios(in: folder, root: root) }
    }
    try FileManager.default.createDirectory(atPath: "\(root)/empty", withIntermediateDirectories: false)
    let error = try #require(throws: FixtureError.self) { try Fixtures.scenarios(in: "empty", root: root) }
    #expect(error.message == "there is no scenario in \(root)/empty")
  }
}

extension ExchangeError {
  fileprivate var isStageFailure: Bool { if case .stageFailure = kind { true } else { false } }
}

/// An error of a test.
private struct ScratchFailure: Error {}
