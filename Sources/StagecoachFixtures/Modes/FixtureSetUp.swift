import StagecoachCore

/// Makes the transport of a fixture for a mode.
struct FixtureSetUp {
  let options: FixtureOptions
  let mode: FixtureMode
  let stored: StoredFixture
  let test: String

  private var name: String { options.fixture.name }

  func make() async throws -> (FixtureRun.Work, any Transport) {
    switch mode {
    case .live: return (.live, try await live())
    case .rerecord: return try await record()
    case .replay: return try replay(try await existing())
    case .recordOnce:
      guard let report = try await stored.report() else { return try await record() }
      return try replay(report)
    case .recordMissing:
      guard let report = try await stored.report() else { return try await record() }
      let scratch = ScratchFolder()
      let recorder = try recorder(to: scratch.path)
      let recording = Pipeline(over: try await live()) { recorder }
      let transport = MissingRecorder(try ReplayTransport(report.scenario), recording: recording)
      return (.recordMissing(recorder, scratch: scratch), transport)
    case .verify:
      let report = try await existing()
      let scratch = ScratchFolder()
      let recorder = try recorder(to: scratch.path)
      let transport = Pipeline(over: try await live()) { recorder }
      return (.verify(recorder, scratch: scratch, report), transport)
    }
  }

  private func record() async throws -> (FixtureRun.Work, any Transport) {
    // A recording that is there keeps its title.
    let recorder = try recorder(to: stored.folder, title: stored.exists ? nil : name)
    return (.record(recorder), Pipeline(over: try await live()) { recorder })
  }

  /// A recorder with the file `redaction.json` of the fixture, wherever it writes.
  private func recorder(to folder: String, title: String? = nil) throws -> Recorder {
    Recorder(
      folder: folder,
      title: title,
      redaction: try RedactionOptions(options.redaction, for: stored.folder),
      commit: .finish
    )
  }

  private func replay(_ report: FixtureReport) throws -> (FixtureRun.Work, any Transport) {
    let replay = try ReplayTransport(report.scenario)
    return (.replay(replay, report), replay)
  }

  private func existing() async throws -> FixtureReport {
    if let report = try await stored.report() {
      if options.root == nil { try await stored.check(FixtureIndex(of: options.fixture)) }
      return report
    }
    var message = """
      there is no recording \(stored.manifest); record it with
        \(FixtureMode.variable)=recordOnce swift test --filter '\(test)'
      """
    if options.live == nil {
      message += "\nand name the service in the test, with the argument live"
    }
    throw FixtureError(.missing, fixture: name, message)
  }

  private func live() async throws -> any Transport {
    guard let live = options.live else {
      throw FixtureError(
        .configuration,
        fixture: name,
        "the mode \(mode.rawValue) needs a transport to the service: name it in the test, with the argument live"
      )
    }
    return try await live()
  }
}
