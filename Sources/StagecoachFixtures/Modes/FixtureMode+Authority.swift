extension FixtureMode {
  static let variable = "STAGECOACH_FIXTURES_MODE"

  /// Whether a test in this mode may write its fixture.
  var isRecording: Bool { [.recordMissing, .recordOnce, .rerecord].contains(self) }

  /// The mode of a test: of the environment, the call or the trait, the manifest, or a replay.
  ///
  /// - Parameters:
  ///   - call: The mode that the test names.
  ///   - manifest: Returns the mode that the scenario names. It is called only if nothing else decides.
  /// - Throws: ``FixtureError`` if the variable names no mode.
  package static func resolved(
    call: FixtureMode?,
    environment: [String: String],
    manifest: () async throws -> FixtureMode?
  ) async throws -> FixtureMode {
    if let text = environment[variable], !text.isEmpty {
      guard let mode = FixtureMode(rawValue: text) else {
        let known = allCases.map(\.rawValue).joined(separator: ", ")
        throw FixtureError(
          .configuration,
          fixture: variable,
          "there is no mode \"\(text)\"; known ones are \(known)"
        )
      }
      return mode
    }
    if let text = environment["CI"], !["", "0", "false"].contains(text.lowercased()) { return .replay }
    if let call { return call }
    return try await manifest() ?? .replay
  }
}
