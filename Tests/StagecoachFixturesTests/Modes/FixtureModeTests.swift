import StagecoachFixtures
import Testing

struct FixtureModeTests {
  private func mode(
    _ environment: [String: String],
    call: FixtureMode? = nil,
    manifest: FixtureMode? = nil
  ) async throws -> FixtureMode {
    try await FixtureMode.resolved(call: call, environment: environment) { manifest }
  }

  @Test func theEnvironmentDecidesBeforeTheTestAndTheTestBeforeTheScenario() async throws {
    #expect(try await mode([:]) == .replay)
    #expect(try await mode([:], manifest: .verify) == .verify)
    #expect(try await mode([:], call: .live, manifest: .verify) == .live)
    let variable = ["STAGECOACH_FIXTURES_MODE": "rerecord"]
    #expect(try await mode(variable, call: .live, manifest: .verify) == .rerecord)
    #expect(try await mode(["STAGECOACH_FIXTURES_MODE": ""], call: .live) == .live)
  }

  @Test(arguments: ["1", "true", "yes", "woodpecker"]) func ciForcesAReplay(_ value: String) async throws {
    #expect(try await mode(["CI": value], call: .rerecord, manifest: .live) == .replay)
    let explicit = ["CI": value, "STAGECOACH_FIXTURES_MODE": "verify"]
    #expect(try await mode(explicit, call: .rerecord) == .verify)
  }

  @Test(arguments: ["", "0", "false"]) func ciThatIsOffForcesNothing(_ value: String) async throws {
    #expect(try await mode(["CI": value], call: .rerecord) == .rerecord)
  }

  @Test func anUnknownModeIsAnErrorThatNamesTheKnownOnes() async throws {
    let error = try await #require(throws: FixtureError.self) {
      try await mode(["STAGECOACH_FIXTURES_MODE": "record"], call: .live)
    }
    #expect(error.kind == .configuration)
    #expect(
      "\(error)" == """
        fixture STAGECOACH_FIXTURES_MODE: there is no mode "record"; known ones are replay, recordMissing, recordOnce, \
        rerecord, live, verify
        """
    )
  }
}
