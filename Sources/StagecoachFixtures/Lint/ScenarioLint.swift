import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the scenarios in a folder and below it: their format, their files, and that they hold no secrets.
package struct ScenarioLint: Sendable {
  /// What was found, each with its file, and its line if there is one.
  package private(set) var findings: [String] = []
  /// What was not recorded, which a replay cannot answer with; each with its file, and its line if there is one.
  package private(set) var notes: [String] = []
  /// The number of scenarios.
  package private(set) var scenarios = 0

  private static let manifest = "scenario.json"

  /// - Throws: ``ScenarioError`` of kind `file` if the folder cannot be read.
  package init(folder: String) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw ScenarioError(.file, file: folder, "there is no such folder")
    }
    if names.contains(Self.manifest) {
      scenarios += 1
      check(folder)
    }
    for name in names where !name.hasPrefix(".") {
      let place = "\(folder)/\(name)"
      let type = try? FileManager.default.attributesOfItem(atPath: place)[.type] as? FileAttributeType
      if type == .typeRegular, name.hasSuffix(".http") { check(text: place) }
      guard type == .typeDirectory else { continue }
      let inner = try ScenarioLint(folder: place)
      findings += inner.findings
      notes += inner.notes
      scenarios += inner.scenarios
    }
  }

  /// Checks exchanges that were written by hand.
  private mutating func check(text file: String) {
    scenarios += 1
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
    let scenario: Scenario
    do {
      scenario = try Scenario(folder: folder)
      let rules = RuleCheck(scenario).findings
      findings += rules.map { "\($0.error(in: folder))" }
      if !rules.contains(where: \.isMalformed) {
        _ = try ReplayTransport(scenario)
        _ = try ScenarioContract(scenario, source: folder).interactions()
      }
      let manifest = FileManager.default.contents(atPath: "\(folder)/\(Self.manifest)") ?? Data()
      let lines = ManifestLines.lines(ofElementsOf: "exchanges", in: [UInt8](manifest))
      func place(_ index: Int) -> String {
        let line = lines.indices.contains(index) ? lines[index] : 1
        return "\(folder)/\(Self.manifest):\(line): exchange \(scenario.exchanges[index].id)"
      }
      findings += try secrets(in: scenario, folder).map { "\(place($0.index)): \($0.finding)" }
      for (index, exchange) in scenario.exchanges.enumerated() {
        notes += exchange.omissions.map { "\(place(index)): \($0)" }
      }
    } catch {
      return findings.append("\(error)")
    }
    let used = Set(scenario.bodyFiles)
    for name in bodies(in: folder) where !used.contains(name) {
      findings.append("\(folder)/\(name): no exchange uses this file")
    }
  }

  /// What may be a secret in the messages. Rules, states and identifiers are none.
  private func secrets(in scenario: Scenario, _ place: String) throws -> [(index: Int, finding: String)] {
    let report = SecretReport(try RedactionOptions(for: place))
    return scenario.exchanges.enumerated().flatMap { index, exchange in
      report.findings(in: exchange).map { (index, $0.text) }
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
