import StagecoachCore

/// A table of the results of checks of several transports.
public struct ConformanceMatrix: Sendable {
  /// The results.
  public let results: [CheckResult]

  /// Creates a table of results.
  public init(_ results: [CheckResult]) {
    self.results = results
  }

  /// Returns the number of results with an outcome.
  public func count(of outcome: CheckResult.Outcome, transport: String? = nil) -> Int {
    results.count { $0.outcome == outcome && (transport == nil || $0.transport == transport) }
  }

  private var transports: [String] {
    results.reduce(into: []) { names, result in
      if !names.contains(result.transport) { names.append(result.transport) }
    }
  }

  /// A summary with a line for each transport.
  public var summary: String {
    transports.map { name in
      let counts = CheckResult.Outcome.allCases.map { "\(count(of: $0, transport: name)) \($0.rawValue)" }
      return "\(name): \(counts.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  /// The results as a JSON array of objects with the members `transport`, `check`, `level`, `outcome` and `reason`.
  public var json: String {
    let rows = results.map { result -> JSONValue in
      [
        "transport": .string(result.transport), "check": .string(result.check.id),
        "level": .string(result.check.level.rawValue), "outcome": .string(result.outcome.rawValue),
        "reason": .string(result.reason),
      ]
    }
    return "\(JSONValue.array(rows))"
  }

  /// The results as a Markdown table with a row for each check, followed by the deviations.
  public var markdown: String {
    let transports = transports
    var text = "| Check | \(transports.joined(separator: " | ")) |\n"
    text += "|---|\(String(repeating: "---|", count: transports.count))\n"
    var checks: [Check] = []
    for result in results where !checks.contains(where: { $0.id == result.check.id }) {
      checks.append(result.check)
    }
    for check in checks {
      let cells = transports.map { name in
        results.first { $0.check.id == check.id && $0.transport == name }.map { Self.sign($0.outcome) } ?? ""
      }
      text += "| \(check.number) \(check.title) | \(cells.joined(separator: " | ")) |\n"
    }
    let deviations = results.filter { $0.outcome == .deviation }
    if !deviations.isEmpty { text += "\n" }
    for result in deviations { text += "- \(result.transport), \(result.check.number): \(result.reason)\n" }
    return text
  }

  private static func sign(_ outcome: CheckResult.Outcome) -> String {
    switch outcome {
    case .pass: "yes"
    case .fail: "**fails**"
    case .deviation: "deviates"
    case .notClaimed: "–"
    case .overDelivers: "yes, undeclared"
    }
  }
}
