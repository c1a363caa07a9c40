import StagecoachCore

/// A scenario from a file of another tool, without secrets.
package struct ImportedScenario: Sendable {
  package var scenario: Scenario
  /// What the file did not hold, or what was not taken from it, a sentence each.
  package var notes: [String]
  /// Whether the origins of the targets get short names.
  var namesOrigins = true
}

extension ImportedScenario {
  /// Removes the secrets as a recorder does. Nothing that the scenario would write holds one.
  ///
  /// - Throws: ``RedactionError``, or ``ScenarioError`` if the scenario cannot be written.
  func redacted(_ options: RedactionOptions) throws -> ImportedScenario {
    var copy = self
    copy.scenario = try scenario.redacted(options, namesOrigins: namesOrigins)
    return copy
  }
}

extension Scenario {
  /// The scenario as a recorder would have written it: secrets are replaced by placeholders.
  fileprivate func redacted(_ options: RedactionOptions, namesOrigins: Bool) throws -> Scenario {
    let redactor = Redactor(options)
    var copy = self
    for index in copy.exchanges.indices {
      let target = exchanges[index].request.target
      copy.exchanges[index].request.target = url(of: target) ?? target
    }
    try redactor.learn(copy.exchanges.flatMap(\.messages))
    for index in copy.exchanges.indices {
      let complete = copy.exchanges[index]
      var exchange = try redactor.redact(complete)
      let target = exchanges[index].request.target
      if exchange.request.target == complete.request.target, !namesOrigins {
        exchange.request.target = target
      } else if exchange.request.target.contains("://") {
        exchange.request.target = copy.shorten(exchange.request.target)
      }
      copy.exchanges[index] = exchange
    }
    if namesOrigins { copy.recording?.origin = copy.origins.first?.origin }
    let files = try ScenarioWriter.files(of: copy)
    try redactor.leakProof.verify(files.map { ($0.name, Bytes($0.bytes)) })
    return copy
  }
}
