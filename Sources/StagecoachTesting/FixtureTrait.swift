public import StagecoachCore
public import StagecoachFixtures
public import Testing

/// A trait that gives a test the transport of a fixture. Create it with `.fixture`.
public struct FixtureTrait: TestTrait, SuiteTrait, TestScoping {
  let options: FixtureOptions

  /// Tests in a suite with the trait have it too.
  public var isRecursive: Bool { true }

  /// Runs a test with the transport of the fixture, and then checks or writes the fixture.
  @concurrent
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let report = FixtureIssues(of: options.fixture, in: test)
    let run: FixtureRun
    do {
      run = try await FixtureRun(options, test: String(test.name.prefix { $0 != "(" }))
    } catch {
      return report.fail(error)
    }
    let outcome = TestOutcome()
    do {
      try await Fixture.$running.withValue(Fixture.Current(transport: run.transport)) {
        try await outcome.watch(test, testCase, function)
      }
    } catch {
      let reason = await run.fail(error)
      guard reason is FixtureError else { throw error }
      return report.fail(reason)
    }
    guard !outcome.hasFailed else {
      if let reason = await run.fail() { report.fail(reason) }
      return
    }
    do {
      let findings = try await run.finish()
      for warning in findings.warnings { report.warn(warning) }
      for change in findings.changes { report.warn(change) }
    } catch {
      report.fail(error)
    }
  }
}

extension Trait where Self == FixtureTrait {
  /// Gives a test, or each test of a suite, a transport that replays, records or checks a fixture:
  /// `Fixture.current.transport`.
  ///
  /// Each test, and each case of a test with arguments, has a replay of its own, so tests run in parallel. A recording is
  /// written only if its test passed. A failure names the line of the test and the file and line of the exchange, and is
  /// attached to the test.
  ///
  /// With Swift 6.3 and later an expired recording and a changed reply are warnings. Before, a changed reply fails the
  /// test, an expired recording is not reported, and a recording is also written after a failed expectation.
  ///
  /// ```swift
  /// import Stagecoach
  /// import StagecoachTesting
  /// import Testing
  ///
  /// @Test(.fixture("users/get-user")) func aUserIsRead() async throws {
  ///   let client = try Client(over: Fixture.current.transport, base: "https://api.example.com/")
  ///   #expect(try await client.get("users/42", as: .text).contains("Ada"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fixture: The fixture: its name, or a constant of the plug-in `FixtureAccessors`.
  ///   - mode: The mode, unless the environment variable `STAGECOACH_FIXTURES_MODE` names one or `CI` forces a replay; by
  ///     default that of the scenario, or `replay`.
  ///   - root: The folder of all fixtures; by default that of the fixture, or `Fixtures` in the package of the test.
  ///   - live: Makes the transport to the service, for all modes but `replay`. It is shut down at the end.
  ///   - redaction: What is secret in a recording, besides what is found and what `redaction.json` names.
  ///   - filePath: The file of the test, by which the package is found.
  public static func fixture(
    _ fixture: Fixture,
    mode: FixtureMode? = nil,
    in root: String? = nil,
    live: (@Sendable () async throws -> any Transport)? = nil,
    redaction: RedactionOptions = RedactionOptions(),
    filePath: String = #filePath
  ) -> Self {
    FixtureTrait(
      options: FixtureOptions(
        fixture,
        mode: mode,
        root: root,
        live: live,
        filePath: filePath,
        redaction: redaction
      )
    )
  }
}
