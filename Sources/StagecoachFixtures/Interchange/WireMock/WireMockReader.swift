import StagecoachCore
enum WireMockReader {
  static func scenario(in root: ManifestNode, of file: ForeignFile) throws -> ImportedScenario { throw root.failure("x") }
}
enum WireMockWriter {
  static func export(_ scenario: Scenario) throws -> ScenarioExport { ScenarioExport(bytes: Bytes(), losses: []) }
}
