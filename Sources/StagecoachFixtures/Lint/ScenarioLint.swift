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
      // What is secret shows where it stands in a message, not in the text.
      let redactor = Redactor()
      try redactor.learn(scenario.exchanges.flatMap(\.messages))
      for exchange in scenario.exchanges {
        let leaks = redactor.leaks(in: exchange.placedMessages)
        findings += leaks.map { "\(file): exchange \(exchange.id): \($0)" }
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
    } catch {
      return findings.append("\(error)")
    }
    let scan = SecretScan()
    let used = Set(scenario.bodyFiles + [Self.manifest])
    for name in used.sorted() {
      let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
      findings += scan.findings(in: "\(folder)/\(name)", Bytes([UInt8](bytes))).map { "\($0)" }
    }
    for name in bodies(in: folder) where !used.contains(name) {
      findings.append("\(folder)/\(name): no exchange uses this file")
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
