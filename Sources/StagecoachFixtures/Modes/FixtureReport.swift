/// Names the places of a scenario's exchanges, for errors and attachments.
struct FixtureReport: Sendable {
  /// The number of exchanges that a text lists.
  private static let limit = 50

  let scenario: Scenario
  let manifest: String
  private let lines: [Int]

  init(_ scenario: Scenario, manifest: String, content: [UInt8]) {
    self.scenario = scenario
    self.manifest = manifest
    lines = ManifestLines.lines(ofElementsOf: "exchanges", in: content)
  }

  /// The line of an exchange in the manifest.
  func line(of id: String) -> Int? {
    scenario.exchanges.firstIndex { $0.id == id }.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
  }

  /// What an exchange asks of a service, on its own.
  ///
  /// - Throws: ``ScenarioError`` if a rule is malformed.
  func contract(of exchange: Scenario.Exchange) throws -> ContractInteraction {
    var single = scenario
    single.exchanges = [exchange]
    let contract = ScenarioContract(single, source: manifest, file: manifest)
    guard let interaction = try contract.interactions().first else {
      throw ScenarioError(.invalid, file: manifest, "there is no exchange")
    }
    return interaction
  }

  /// An error about an exchange.
  func error(
    _ kind: FixtureError.Kind,
    _ exchange: Scenario.Exchange,
    fixture: String,
    _ message: String
  ) -> FixtureError {
    FixtureError(
      kind,
      fixture: fixture,
      file: manifest,
      line: line(of: exchange.id),
      "\(exchange.id) \(exchange.request.method) \(exchange.request.target): \(message)"
    )
  }

  /// The file, the line and the request of an exchange.
  func place(of id: String) -> String {
    guard let index = scenario.exchanges.firstIndex(where: { $0.id == id }) else {
      return "\(manifest): \(id)"
    }
    let request = scenario.exchanges[index].request
    return "\(manifest):\(line(of: id) ?? 1): \(id) \(request.method) \(request.target)"
  }

  /// All exchanges, with the requests that each of them answered.
  func journal(answered: [String]) -> String {
    var requests: [String: [String]] = [:]
    for (number, id) in answered.enumerated() { requests[id, default: []].append("#\(number + 1)") }
    var rows = scenario.exchanges.prefix(Self.limit).map { exchange in
      let list = requests[exchange.id]?.prefix(Self.limit).joined(separator: ", ")
      return "  \(place(of: exchange.id)), \(list.map { "answered request \($0)" } ?? "not used")"
    }
    if scenario.exchanges.count > Self.limit {
      rows.append("  and \(scenario.exchanges.count - Self.limit) others")
    }
    return (["the exchanges:"] + rows).joined(separator: "\n")
  }
}
