import StagecoachScenarios

/// Tests that send each recorded request to what the target's `contractSubject()` returns.
struct ContractTestSource {
  let text: String

  init(_ fixtures: FixtureFolder) {
    var lines = [
      "// Generated from the scenarios in \(SwiftText.comment(fixtures.path)).", "",
      "import StagecoachTesting", "import Testing", "",
      "@Suite(\"Contracts\") struct GeneratedContractTests {",
    ]
    var number = 0
    for entry in fixtures.entries {
      let fixture = "Fixture(\(SwiftText.literal(entry.name)), in: \(SwiftText.literal(fixtures.path)))"
      for (index, exchange) in entry.scenario.exchanges.enumerated() {
        number += 1
        let request = "\(exchange.request.method) \(exchange.request.target)"
        var traits = [SwiftText.literal("\(entry.name) \(exchange.id): \(request)")]
        if let omission = exchange.request.body?.omission {
          traits.append(".disabled(\(SwiftText.literal("the request was not recorded: \(omission.reason)")))")
        }
        lines += [
          "", "  // \(SwiftText.comment(entry.manifest)):\(entry.lines[index])",
          "  @Test(\(traits.joined(separator: ", "))) func exchange\(number)() async throws {",
          "    try await \(fixture)",
          "      .verify(exchange: \(SwiftText.literal(exchange.id)), against: contractSubject())", "  }",
        ]
      }
    }
    lines += ["}", ""]
    text = lines.joined(separator: "\n")
  }
}
