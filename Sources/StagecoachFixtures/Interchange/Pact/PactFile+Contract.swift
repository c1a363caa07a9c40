import StagecoachCore

extension PactFile {
  /// Creates the contract of a consumer from the exchanges of a scenario.
  ///
  /// Of the replies, the file holds what a verification of the scenario compares. Of the requests, fields that belong
  /// to a connection or a session are no part of a contract.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - isIncluded: Whether an exchange is part of the contract.
  /// - Returns: The file, and sentences about what it does not hold.
  /// - Throws: ``ScenarioError`` if a rule is malformed.
  package static func contract(
    of scenario: Scenario,
    consumer: String,
    provider: String,
    where isIncluded: (Scenario.Exchange) -> Bool = { _ in true }
  ) throws -> (file: PactFile, losses: [String]) {
    var export = PactExport(scenario)
    var file = PactFile(consumer: consumer, provider: provider)
    let contract = try ScenarioContract(scenario, source: scenario.title ?? "").interactions()
    for (exchange, expected) in zip(scenario.exchanges, contract) where isIncluded(exchange) {
      if let interaction = try export.interaction(of: exchange, expected) {
        file.entries.append(.http(interaction))
      }
    }
    return (file, export.tally.sentences)
  }
}
