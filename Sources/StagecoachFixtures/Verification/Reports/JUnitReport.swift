/// A report in the XML of JUnit.
struct JUnitReport {
  private typealias Exchange = VerificationReport.Exchange

  private let report: VerificationReport

  init(_ report: VerificationReport) {
    self.report = report
  }

  var text: String {
    var sources: [String] = []
    var groups: [String: [VerificationReport.Exchange]] = [:]
    for exchange in report.exchanges {
      if groups[exchange.source] == nil { sources.append(exchange.source) }
      groups[exchange.source, default: []].append(exchange)
    }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"stagecoach verify\" \(counts(report.exchanges))>",
    ]
    for source in sources {
      let exchanges = groups[source] ?? []
      lines.append("  <testsuite name=\"\(MarkupText.escaped(source))\" \(counts(exchanges))>")
      lines += exchanges.flatMap { self.lines($0) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>", ""]).joined(separator: "\n")
  }

  private func counts(_ exchanges: [VerificationReport.Exchange]) -> String {
    func count(_ outcomes: VerificationReport.Outcome...) -> Int {
      exchanges.count { outcomes.contains($0.outcome) }
    }
    let time = exchanges.reduce(0) { $0 + ($1.timing?.end.reportMilliseconds ?? 0) }
    return "tests=\"\(exchanges.count)\" failures=\"\(count(.broken))\" errors=\"\(count(.unanswered))\" "
      + "skipped=\"\(count(.pending, .skipped))\" time=\"\(time / 1000)\""
  }

  private func lines(_ exchange: VerificationReport.Exchange) -> [String] {
    let name = MarkupText.escaped("\(exchange.id) \(exchange.title)")
    var attributes = "name=\"\(name)\" classname=\"\(MarkupText.escaped(exchange.source))\""
    if let file = exchange.file { attributes += " file=\"\(MarkupText.escaped(file))\"" }
    if let line = exchange.line { attributes += " line=\"\(line)\"" }
    attributes += " time=\"\((exchange.timing?.end.reportMilliseconds ?? 0) / 1000)\""
    let mismatches = exchange.differences.filter(\.isMismatch)
    let first = MarkupText.escaped(mismatches.first?.message ?? exchange.warnings.first ?? "")
    func line(_ difference: VerificationReport.Difference) -> String {
      "\(difference.drift.rawValue) \(difference.place): \(difference.message)"
    }
    let text = MarkupText.escaped(mismatches.map(line).joined(separator: "\n"))
    let result: String? =
      switch exchange.outcome {
      case .agreed: nil
      case .broken: "<failure message=\"\(first)\">\(text)</failure>"
      case .unanswered: "<error message=\"\(first)\">\(text)</error>"
      case .pending: "<skipped message=\"pending: \(first)\"/>"
      case .skipped: "<skipped message=\"\(first)\"/>"
      }
    let others = exchange.differences.filter { !$0.isMismatch }.map(line)
    let notes = others + exchange.warnings.map { "warning: \($0)" } + exchange.comments
    var lines = ["    <testcase \(attributes)>"]
    if let result { lines.append("      \(result)") }
    if !notes.isEmpty {
      lines.append("      <system-out>\(MarkupText.escaped(notes.joined(separator: "\n")))</system-out>")
    }
    return lines + ["    </testcase>"]
  }
}
