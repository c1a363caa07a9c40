import StagecoachCore
import StagecoachScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Redacts scenarios in place.
package enum ScenarioFix {
  /// Redacts the scenarios in a folder and below it. All else in their files stays as it is, to the octet; a manifest in
  /// which more than values changes is written anew. A scenario that cannot be read stays.
  ///
  /// - Returns: What was replaced and what was not, a line each; and whether a file changed.
  /// - Throws: ``ScenarioError`` if a file cannot be written, or if a `redaction.json` is malformed.
  package static func redact(
    below folder: String,
    _ redaction: RedactionOptions
  ) throws -> (lines: [String], isChanged: Bool) {
    var result: (lines: [String], isChanged: Bool) = ([], false)
    for place in try ScenarioFolders.places(below: folder) {
      guard let scenario = try? Scenario(folder: place) else { continue }
      let options = try RedactionOptions(redaction, for: place)
      let imported = ImportedScenario(scenario: scenario, notes: [], namesOrigins: false)
      let fixed = try imported.redacted(options)
      guard !fixed.summary.replaced.isEmpty || !fixed.summary.omitted.isEmpty else { continue }
      if try write(fixed.scenario, over: scenario, to: place) {
        result.isChanged = true
        result.lines += fixed.summary.lines.map { "\(place): \($0)" }
      } else {
        result.lines.append(
          "\(place): not redacted: the values cannot be replaced in the text of this file; record it, or write a "
            + "scenario.json"
        )
      }
    }
    return result
  }

  /// - Returns: Whether the file can hold the scenario.
  private static func write(_ scenario: Scenario, over old: Scenario, to place: String) throws -> Bool {
    guard ScenarioFolders.hasManifest(place) else {
      let url = URL(filePath: place)
      let text = [UInt8](FileManager.default.contents(atPath: place) ?? Data())
      guard let text = ScenarioPatch.text(text, of: place, from: old, to: scenario) else { return false }
      let writer = ScenarioWriter(folder: url.deletingLastPathComponent().path)
      try writer.replace([(url.lastPathComponent, text)])
      return true
    }
    if let patch = ScenarioPatch(place, from: old, to: scenario) {
      let files = patch.files.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) }
      try ScenarioWriter(folder: place).replace(files, manifest: patch.manifest)
    } else {
      // A form that changes in more than its values.
      try scenario.write(folder: place)
    }
    return true
  }
}
