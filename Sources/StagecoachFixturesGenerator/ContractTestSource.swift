import StagecoachScenarios

/// Tests that send each recorded request to what the target's `contractSubject()` returns, in the states that its
/// `contractStates()` sets up.
struct ContractTestSource {
  let text: String

  init(_ fixtures: FixtureFolder) {
    // States are of a service that all tests share.
    let hasStates = fixtures.entries.contains { entry in
      entry.scenario.exchanges.contains { exchange in exchange.requires.contains { $0.value != nil } }
    }
    let suite = hasStates ? "@Suite(\"Contracts\", .serialized)" : "@Suite(\"Contracts\")"
    var lines = [
      "// Generated from the scenarios in \(SwiftText.comment(fixtures.path)).", "",
      "import StagecoachTesting", "import Testing", "",
      "\(suite) struct GeneratedContractTests {",
      "  private static let root = \(SwiftText.literal(fixtures.path))",
    ]
    lines += fixtures.indexLines(declaredAs: "private")
    var number = 0
    for entry in fixtures.entries {
      let fixture = "Fixture(\(SwiftText.literal(entry.name)), in: Self.root, index: Self.index)"
      for (index, exchange) in entry.scenario.exchanges.enumerated() {
        number += 1
        let request = "\(exchange.request.method) \(exchange.request.target)"
        var traits = [SwiftText.literal("\(entry.name) \(exchange.id): \(request)")]
        if let obstacle = Self.obstacle(exchange) {
          traits.append(".disabled(\(SwiftText.literal(obstacle)))")
        }
        let line = index < entry.lines.count ? entry.lines[index] : 1
        lines += [
          "", "  // \(SwiftText.comment(entry.manifest)):\(line)",
          "  @Test(\(traits.joined(separator: ", "))) func exchange\(number)() async throws {",
          "    try await \(fixture)",
          "      .verify(exchange: \(SwiftText.literal(exchange.id)), against: contractSubject(), states: contractStates(), redaction: contractRedaction())",
          "  }",
        ]
      }
    }
    lines += ["}", ""]
    text = lines.joined(separator: "\n")
  }

  /// Why an exchange cannot be verified; `nil` if it can. A failure that was recorded, such as a reset connection, is what
  /// a network did once and nothing that a service promises: there is no way for a service to agree with it.
  private static func obstacle(_ exchange: Scenario.Exchange) -> String? {
    if let omission = exchange.request.body?.omission {
      return "the request was not recorded: \(omission.reason)"
    }
    if let omission = exchange.omission { return "the exchange was not recorded: \(omission)" }
    let outcome = exchange.reply.outcome.kind
    guard outcome != .complete else { return nil }
    return "the recorded reply is not complete (\(outcome.rawValue))"
  }
}
