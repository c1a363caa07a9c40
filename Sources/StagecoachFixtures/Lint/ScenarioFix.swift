import StagecoachCore
import StagecoachScenarios

/// Redacts scenarios in place, as a recorder would have written them.
package enum ScenarioFix {
  /// Redacts the scenarios in a folder and below it.
  ///
  /// - Returns: What was replaced, a line each; empty if nothing was.
  /// - Throws: ``ScenarioError`` if a scenario is malformed or cannot be written.
  package static func redact(below folder: String, _ redaction: RedactionOptions) throws -> [String] {
    var lines: [String] = []
    for name in try ScenarioFolders.names(below: folder) {
      let place = name.isEmpty ? folder : "\(folder)/\(name)"
      let scenario = try Scenario(folder: place)
      let options = try RedactionOptions(redaction, for: place)
      let fixed = try ImportedScenario(scenario: scenario, notes: [], namesOrigins: false).redacted(options)
      guard fixed.scenario != scenario else { continue }
      try fixed.scenario.write(folder: place)
      lines += fixed.summary.lines.map { "\(place): \($0)" }
    }
    return lines
  }
}
