import StagecoachCore

/// A report in SARIF 2.1.0: a result for each difference, and for each exchange that was not answered.
struct SARIFReport {
  private let report: VerificationReport

  init(_ report: VerificationReport) {
    self.report = report
  }

  /// The rules, by the part of a message that differs.
  private static let rules: [(id: String, text: String)] = [
    ("status", "The status of the reply is not the expected one."),
    ("header", "A header field of the reply differs."),
    ("body", "The content of the reply differs."),
    ("reply", "No complete reply came."),
    ("state", "The provider could not be put into a state."),
  ]

  var value: JSONValue {
    let rules = Self.rules.map { rule -> JSONValue in
      ["id": .string(rule.id), "shortDescription": ["text": .string(rule.text)]]
    }
    let driver: JSONValue = [
      "name": "stagecoach", "version": .string(DefaultFields.libraryVersion), "rules": .array(rules),
    ]
    let results = report.exchanges.flatMap { exchange in exchange.differences.map { result($0, of: exchange) }
    }
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(results)]],
    ]
  }

  private func result(
    _ difference: VerificationReport.Difference,
    of exchange: VerificationReport.Exchange
  ) -> JSONValue {
    var result = JSONObject()
    let index = Self.rules.firstIndex { $0.id == difference.part }
    result.add("ruleId", .string(index.map { Self.rules[$0].id } ?? "reply"))
    result.add("ruleIndex", index.map { .number(JSONNumber($0)) })
    result.add("level", .string(level(difference, exchange.outcome)))
    let text = "\(exchange.id) \(exchange.title): \(difference.place): \(difference.message)"
    result.add("message", ["text": .string(text)])
    if let file = exchange.file {
      let place: JSONValue = [
        "artifactLocation": ["uri": .string(Self.uri(file))],
        "region": ["startLine": .number(JSONNumber(exchange.line ?? 1))],
      ]
      result.add("locations", [["physicalLocation": place]])
    }
    result.add(
      "partialFingerprints",
      ["exchange/v1": .string("\(exchange.source)#\(exchange.id) \(difference.place)")]
    )
    result.add(
      "properties",
      ["drift": .string(difference.drift.rawValue), "outcome": .string(exchange.outcome.rawValue)]
    )
    return .object(result)
  }

  private func level(
    _ difference: VerificationReport.Difference,
    _ outcome: VerificationReport.Outcome
  ) -> String {
    if difference.isMismatch { return outcome == .pending ? "warning" : "error" }
    return difference.drift == .compatible ? "note" : "warning"
  }

  /// A path as a URI, relative if the path is.
  private static func uri(_ path: String) -> String {
    let escaped = path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.percentEncoded(.unreserved) }.joined(separator: "/")
    return escaped.hasPrefix("/") ? "file://" + escaped : escaped
  }
}
