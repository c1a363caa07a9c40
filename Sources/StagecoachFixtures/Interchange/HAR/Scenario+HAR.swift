extension Scenario {
  /// Returns the scenario as a HAR 1.2 file. What HAR has no place for stands in members `_stagecoach`, which other
  /// tools ignore, so that `init(importing:file:redaction:)` gives the same scenario again; the losses say what the
  /// others do not see.
  ///
  /// - Throws: ``ScenarioError`` if the scenario is invalid.
  public func har() throws -> ScenarioExport {
    try HARWriter.export(self)
  }
}
