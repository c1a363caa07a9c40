import StagecoachCore

/// A scenario from a file of another tool, without secrets.
package struct ImportedScenario: Sendable {
  package var scenario: Scenario
  /// What the file did not hold, or what was not taken from it, a sentence each.
  package var notes: [String]
  /// Whether the origins of the targets get short names.
  var namesOrigins = true
  /// What became of the secrets.
  package var summary = RedactionSummary()
}

extension ImportedScenario {
  /// Removes the secrets as a recorder does. An exchange that cannot be written without one keeps its method and path alone.
  ///
  /// - Throws: ``ScenarioError`` if the scenario cannot be written.
  func redacted(_ options: RedactionOptions) throws -> ImportedScenario {
    let redactor = Redactor(options)
    var copy = self
    var omissions: [Int: String] = [:]
    for (index, exchange) in scenario.exchanges.enumerated() {
      let target = exchange.request.target
      copy.scenario.exchanges[index].request.target = scenario.url(of: target) ?? target
      do { try redactor.learn(copy.scenario.exchanges[index]) } catch { omissions[index] = "\(error)" }
    }
    let aliases = scenario.origins.map { (url: $0.origin, listed: scenario.leaves(ofAlias: $0.name)) }
    for (index, alias) in aliases.enumerated() {
      let redacted = redactor.redact(origin: alias.url, listed: alias.listed)
      copy.scenario.origins[index].origin = redacted.origin
      copy.summary.add(redacted.summary)
    }
    if let origin = scenario.recording?.origin {
      let listed = aliases.first { $0.url == origin }?.listed ?? []
      let redacted = redactor.redact(origin: origin, listed: listed)
      copy.scenario.recording?.origin = redacted.origin
      copy.summary.add(redacted.summary)
    }
    for index in copy.scenario.exchanges.indices {
      let complete = copy.scenario.exchanges[index]
      let redacted = redactor.redacted(complete, omission: &omissions[index])
      var exchange = redacted.exchange
      copy.summary.add(redacted.summary)
      if let reason = omissions[index] {
        copy.summary.omitted.append("\(exchange.request.method) \(exchange.request.target): \(reason)")
      }
      let target = scenario.exchanges[index].request.target
      if exchange.request.target == complete.request.target, !namesOrigins {
        exchange.request.target = target
      } else if namesOrigins || Scenario.alias(in: target) != nil, exchange.request.target.contains("://") {
        exchange.request.target = copy.scenario.shorten(exchange.request.target)
      }
      copy.scenario.exchanges[index] = exchange
    }
    let unused = scenario.usedAliases.subtracting(copy.scenario.usedAliases)
    copy.scenario.origins.removeAll { unused.contains($0.name) }
    copy.summary.reported = SecretReport(options).lines(copy.scenario.exchanges)
    if namesOrigins { copy.scenario.recording?.origin = copy.scenario.origins.first?.origin }
    // What cannot be written is told now.
    _ = try ScenarioWriter.files(of: copy.scenario)
    return copy
  }
}

extension Scenario {
  /// The short names of origins that targets begin with.
  fileprivate var usedAliases: Set<String> {
    Set(exchanges.compactMap { Self.alias(in: $0.request.target) })
  }

  /// The made-up values of the exchanges whose targets begin with a short name.
  func leaves(ofAlias name: String) -> [RedactedLeaf] {
    exchanges.filter { Self.alias(in: $0.request.target) == name }.flatMap(\.redacted)
  }
}
