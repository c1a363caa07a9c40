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
  /// What was not recorded, which a replay cannot answer with; each with its file, and its line if there is one.
  package private(set) var notes: [String] = []
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
      findings += try secrets(in: scenario, file).map { "\(file): \($0.label): \($0.finding)" }
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
      func line(_ path: [ManifestNode.Step]) -> Int {
        if case .index(let index)? = path.last { return lines.indices.contains(index) ? lines[index] : 1 }
        return ManifestLines.line(of: path, in: [UInt8](manifest))
      }
      findings += try secrets(in: scenario, folder).map {
        "\(file):\(line($0.path)): \($0.label): \($0.finding)"
      }
      for message in scenario.messages {
        notes += message.exchange.omissions.map { "\(file):\(line(message.path)): \(message.label): \($0)" }
      }
    } catch {
      return findings.append("\(error)")
    }
    let used = Set(scenario.bodyFiles)
    for name in bodies(in: folder) where !used.contains(name) {
      findings.append("\(folder)/\(name): no exchange uses this file")
    }
  }

  /// What may be a secret in the messages and origins, and the secrets that the options give. Rules, states and
  /// identifiers are none.
  private func secrets(in scenario: Scenario, _ place: String) throws
    -> [(label: String, path: [ManifestNode.Step], finding: String)]
  {
    let options = try RedactionOptions(options, for: place)
    let (report, redactor) = (SecretReport(options), Redactor(options))
    let names = redactor.names
    return try scenario.messages.flatMap { label, path, exchange in
      let given = try redactor.places(of: names, in: exchange)
      let places = Set(given.map(\.place))
      let others = report.findings(in: exchange).filter { !places.contains($0.place) }
      return (given.map { "\($0.place): the secret \($0.name)" } + others.map(\.text)).map {
        (label, path, $0)
      }
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

extension Scenario {
  /// The exchanges, and a request to each origin, with their places in the manifest.
  fileprivate var messages: [(label: String, path: [ManifestNode.Step], exchange: Exchange)] {
    var messages = exchanges.enumerated().map { index, exchange in
      (label: "exchange \(exchange.id)", path: [ManifestNode.Step.key("exchanges"), .index(index)], exchange)
    }
    func add(_ label: String, _ path: [ManifestNode.Step], _ url: String, _ listed: [RedactedLeaf]) {
      var exchange = Exchange(id: "", request: Request("GET", url), reply: Reply(Outcome(.complete)))
      exchange.redacted = listed
      messages.append((label, path, exchange))
    }
    for alias in origins {
      add(
        "origin \(alias.name)",
        [.key("origins"), .key(alias.name)],
        alias.origin,
        leaves(ofAlias: alias.name)
      )
    }
    if let origin = recording?.origin, !origins.contains(where: { $0.origin == origin }) {
      add("recorded", [.key("recorded"), .key("against")], origin, [])
    }
    return messages
  }
}
