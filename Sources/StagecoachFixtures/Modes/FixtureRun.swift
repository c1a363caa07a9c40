package import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a test asks of a fixture.
package struct FixtureOptions: Sendable {
  package var fixture: Fixture
  package var mode: FixtureMode?
  package var root: String?
  /// Makes the transport to the service.
  package var live: (@Sendable () async throws -> any Transport)?
  package var filePath: String
  /// What is secret in a recording.
  package var redaction: RedactionOptions
  package var environment = ProcessInfo.processInfo.environment

  package init(
    _ fixture: Fixture,
    mode: FixtureMode?,
    root: String?,
    live: (@Sendable () async throws -> any Transport)?,
    filePath: String,
    redaction: RedactionOptions = RedactionOptions()
  ) {
    self.redaction = redaction
    self.fixture = fixture
    self.mode = mode
    self.root = root
    self.live = live
    self.filePath = filePath
  }
}

/// A fixture in use by one test: its transport, and what has to be checked or written at the end.
package struct FixtureRun: Sendable {
  /// What is found at the end of a test that passed, and does not fail it by itself.
  package struct Findings: Sendable {
    /// An expired recording, and unused exchanges if the policy of the scenario says so.
    package var warnings: [String] = []
    /// Replies that are not as recorded.
    package var changes: [FixtureError] = []
  }

  enum Work {
    case replay(ReplayTransport, FixtureReport)
    case record(Recorder)
    case recordMissing(Recorder, scratch: ScratchFolder)
    case verify(Recorder, scratch: ScratchFolder, FixtureReport)
    case live
  }

  package let fixture: Fixture
  package let mode: FixtureMode
  /// Where the test sends its requests.
  package let transport: any Transport
  let folder: String
  let work: Work

  /// - Parameters:
  ///   - options: What the test asks of the fixture.
  ///   - test: The name of the test, for the command that records the fixture.
  /// - Throws: ``FixtureError``, ``ScenarioError``, and any error of the closure that makes the transport.
  package init(_ options: FixtureOptions, test: String) async throws {
    fixture = options.fixture
    let root = try FixtureRoot(
      options.root ?? fixture.root,
      filePath: options.filePath,
      environment: options.environment
    )
    guard !fixture.name.isEmpty else {
      throw FixtureError(.configuration, fixture: root.path, "the name of the fixture is empty")
    }
    folder = try root.folder(of: fixture.name)
    let stored = StoredFixture(folder: folder)
    mode = try await FixtureMode.resolved(call: options.mode, environment: options.environment) {
      try await stored.report()?.scenario.policy.mode
    }
    let setUp = FixtureSetUp(options: options, mode: mode, stored: stored, test: test)
    (work, transport) = try await setUp.make()
  }

  /// Ends a run whose test failed: nothing is written.
  ///
  /// - Returns: The error to report: that of the test, with what is known of the fixture if it explains it.
  package func fail(_ error: any Error) async -> any Error {
    guard let reason = await fail() else { return error }
    var failure = reason
    failure.underlying = error
    return failure
  }

  /// Ends a run whose test failed without an error.
  ///
  /// - Returns: The error that explains it, if the fixture has one.
  package func fail() async -> FixtureError? {
    let reason = if let unmatched = unmatched() { unmatched } else { await changed() }
    await close()
    return reason
  }

  /// Ends a run whose test passed: checks what was used, or writes what was recorded.
  ///
  /// - Throws: ``FixtureError`` of kind `unmatched` or `unused`; ``ScenarioError`` and ``RedactionError`` if the recording
  ///   cannot be written.
  package func finish() async throws -> Findings {
    do {
      let findings = try await end()
      await close()
      return findings
    } catch {
      await close()
      throw error
    }
  }

  private func end() async throws -> Findings {
    switch work {
    case .live: return Findings()
    case .replay(let replay, let report): return try endOfReplay(replay, report)
    case .record(let recorder):
      let summary = try await FixtureLock.withLock(of: folder) { try await recorder.finish() }
      return Findings(warnings: summary.omitted.map { "not recorded: \($0)" })
    case .recordMissing(let recorder, let scratch):
      try await recorder.finish()
      guard let recorded = try await StoredFixture(folder: scratch.path).report() else { return Findings() }
      try await FixtureLock.withLock(of: folder) {
        // Another test may have added to it.
        var scenario = try await StoredFixture(folder: folder).report()?.scenario ?? Scenario()
        scenario.add(recorded.scenario)
        try await BlockingQueue.files.run { [scenario, folder] in try scenario.write(folder: folder) }
      }
      return Findings()
    case .verify(let recorder, let scratch, let report):
      let drift = try await drift(of: recorder, scratch, from: report)
      return Findings(warnings: warnings(of: report, unused: drift.unused), changes: drift.changes)
    }
  }

  private func drift(
    of recorder: Recorder,
    _ scratch: ScratchFolder,
    from report: FixtureReport
  ) async throws -> FixtureDrift {
    try await recorder.finish()
    let recorded = try await StoredFixture(folder: scratch.path).report()
    return try FixtureDrift(of: recorded?.scenario ?? Scenario(), from: report, fixture: fixture.name)
  }

  private func endOfReplay(_ replay: ReplayTransport, _ report: FixtureReport) throws -> Findings {
    if let failure = unmatched() { throw failure }
    let unused = replay.unused
    guard report.scenario.policy.unused == .fail, let first = unused.first else {
      return Findings(warnings: warnings(of: report, unused: unused))
    }
    let rows = unused.map { "  \(report.place(of: $0))" }
    throw FixtureError(
      .unused,
      fixture: fixture.name,
      file: report.manifest,
      line: report.line(of: first),
      (["\(unused.count) of \(report.scenario.exchanges.count) exchanges were not used:"] + rows + [
        "send these requests, mark the exchanges as optional, or remove them"
      ]).joined(separator: "\n")
    )
  }

  private func warnings(of report: FixtureReport, unused: [String]) -> [String] {
    var warnings: [String] = []
    if let expires = report.scenario.expires, report.scenario.isExpired {
      let day = expires.formatted(.iso8601.year().month().day())
      warnings.append("\(report.manifest): the recording of \(fixture) expired on \(day); record it again")
    }
    if report.scenario.policy.unused != .ignore {
      warnings += unused.map { "\(report.place(of: $0)): the exchange was not used" }
    }
    return warnings
  }

  /// The first request that no exchange answered.
  private func unmatched() -> FixtureError? {
    guard case .replay(let replay, let report) = work, let first = replay.unmatched.first else {
      return nil
    }
    let others = replay.unmatched.count - 1
    let rest = others > 0 ? "\nand \(others) more requests that no exchange answers" : ""
    return FixtureError(
      .unmatched,
      fixture: fixture.name,
      file: report.manifest,
      "\(first)\(rest)\n\(report.journal(answered: replay.answered))"
    )
  }

  /// What the service says otherwise than recorded, which explains why a test fails with it. What cannot be compared
  /// explains nothing.
  private func changed() async -> FixtureError? {
    guard case .verify(let recorder, let scratch, let report) = work,
      let changes = try? await drift(of: recorder, scratch, from: report).changes, var change = changes.first
    else { return nil }
    for other in changes.dropFirst() { change.message += "\n\(other)" }
    return change
  }

  private func close() async {
    await transport.shutdown()
    switch work {
    case .recordMissing(_, let scratch), .verify(_, let scratch, _): scratch.remove()
    case .replay, .record, .live: break
    }
  }
}
