import StagecoachCore
import StagecoachScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the scenarios in a folder and below it: their format, their files, and that they hold no secrets.
package struct ScenarioLint: Sendable {
  /// What was found, each with its file, and its line if there is one.
  package private(set) var findings: [String] = []
  /// The number of scenarios.
  package private(set) var scenarios = 0

  private let options: RedactionOptions

  /// - Parameter options: What is secret, besides what looks like it and what the files `redaction.json` name.
  /// - Throws: ``ScenarioError`` if the folder cannot be read.
  package init(folder: String, _ options: RedactionOptions = RedactionOptions()) throws {
    self.options = options
    for place in try ScenarioFolders.places(below: folder) {
      scenarios += 1
      if ScenarioFolders.hasManifest(place) { check(place) } else { check(text: place) }
    }
  }

  /// Checks exchanges that were written by hand.
  private mutating func check(text file: String) {
    do {
      let scenario = try Scenario(folder: file)
      try RuleCheck.checkForms(of: scenario, in: file)
      _ = try ReplayTransport(scenario)
      findings += try secrets(in: scenario, file).map { index, finding in
        "\(file): exchange \(scenario.exchanges[index].id): \(finding)"
      }
    } catch {
      findings.append("\(error)")
    }
  }

  private mutating func check(_ folder: String) {
    let file = ScenarioFolders.manifest(in: folder)
    let scenario: Scenario
    do {
      scenario = try Scenario(folder: folder)
      let rules = RuleCheck(scenario).findings
      findings += rules.map { "\($0.error(in: folder))" }
      if !rules.contains(where: \.isMalformed) {
        _ = try ReplayTransport(scenario)
        _ = try ScenarioContract(scenario, source: folder).interactions()
      }
      let manifest = FileManager.default.contents(atPath: file) ?? Data()
      let lines = ManifestLines.lines(ofElementsOf: "exchanges", in: [UInt8](manifest))
      findings += try secrets(in: scenario, folder).map { index, finding in
        let line = lines.indices.contains(index) ? lines[index] : 1
        return "\(file):\(line): exchange \(scenario.exchanges[index].id): \(finding)"
      }
    } catch {
      return findings.append("\(error)")
    }
    let used = Set(scenario.bodyFiles)
    for name in bodies(in: folder) where !used.contains(name) {
      findings.append("\(folder)/\(name): no exchange uses this file")
    }
  }

  /// What may be a secret in the messages, and the secrets that the options give. Rules, states and identifiers are none.
  private func secrets(in scenario: Scenario, _ place: String) throws -> [(index: Int, finding: String)] {
    let options = try RedactionOptions(options, for: place)
    let report = SecretReport(options)
    return try scenario.exchanges.enumerated().flatMap { index, exchange in
      let given = try Redactor.places(ofSecretsIn: options, exchange)
      let places = Set(given.map(\.place))
      let others = report.findings(in: exchange).filter { !places.contains("\($0.part) \($0.path)") }
      return (given.map { "\($0.place): the secret \($0.name)" } + others.map(\.text)).map { (index, $0) }
    }
  }

  /// The files with names of bodies, which begin with the identifier of an exchange.
  private func bodies(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.contains(".request.") || $0.contains(".response.") }.filter {
      !$0.hasPrefix(".")
    }
    .sorted()
  }
}
