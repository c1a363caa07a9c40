public import StagecoachCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a test with a transport that replays, records or checks a fixture, as its mode says. For XCTest and plain code;
/// with Swift Testing, use the trait of `StagecoachTesting`.
///
/// In a replay, a request that no exchange answers fails the test, even if the client ignores the error, and so do
/// exchanges that were not used, unless the policy of the scenario says otherwise. A recording is written after the
/// closure returned; if it throws, nothing is written. Warnings, for instance of an expired recording, are written to
/// standard error.
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// try await withFixture("users/get-user") { transport in
///   let client = try Client(over: transport, base: "https://api.example.com/")
///   print(try await client.get("users/42", as: .text))
/// }
/// ```
///
/// - Parameters:
///   - fixture: The fixture: its name, or a constant of the plug-in `FixtureAccessors`.
///   - mode: The mode, unless the environment variable `STAGECOACH_FIXTURES_MODE` names one or `CI` forces a replay; by
///     default that of the scenario, or ``FixtureMode/replay``.
///   - root: The folder of all fixtures; by default that of the fixture, or `Fixtures` in the package of the test.
///   - live: Makes the transport to the service, for all modes but `replay`. It is shut down at the end.
///   - redaction: What is secret in a recording, besides what is found and what `redaction.json` names.
///   - filePath: The file of the test, by which the package is found.
///   - function: The name of the test, for the command that records the fixture.
///   - body: The test. It gets the transport.
/// - Returns: The result of the closure.
/// - Throws: ``FixtureError``, whose text names the file, the line and the differences; `ScenarioError` if the fixture is
///   malformed or cannot be written; `RedactionError` if a secret would be written; any error of the closures.
public func withFixture<Result>(
  _ fixture: Fixture,
  mode: FixtureMode? = nil,
  in root: String? = nil,
  live: (@Sendable () async throws -> any Transport)? = nil,
  redaction: RedactionOptions = RedactionOptions(),
  filePath: String = #filePath,
  function: String = #function,
  _ body: (any Transport) async throws -> Result
) async throws -> Result {
  let options = FixtureOptions(
    fixture,
    mode: mode,
    root: root,
    live: live,
    filePath: filePath,
    redaction: redaction
  )
  let run = try await FixtureRun(options, test: String(function.prefix { $0 != "(" }))
  let result: Result
  do {
    result = try await body(run.transport)
  } catch {
    throw await run.fail(error)
  }
  let findings = try await run.finish()
  for warning in findings.warnings { writeWarning(warning) }
  if var change = findings.changes.first {
    change.message += findings.changes.dropFirst().map { "\n\($0)" }.joined()
    throw change
  }
  return result
}

func writeWarning(_ text: String) {
  let line = Array("warning: \(text)\n".utf8)
  _ = write(2, line, line.count)
}
