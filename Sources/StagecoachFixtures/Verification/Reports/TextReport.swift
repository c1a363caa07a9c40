import StagecoachCore

/// A report as text, with a line for each exchange and lines for its differences.
package struct TextReport {
  /// How a part of the text is shown.
  package enum Emphasis: Sendable, Hashable {
    /// It agrees.
    case good
    /// It is a mismatch.
    case bad
    /// It is worth a look.
    case warning
    /// It is less important.
    case faint
  }

  private let report: VerificationReport
  private let paint: (Emphasis, String) -> String

  /// - Parameter paint: Returns a text with colours, for a terminal.
  package init(
    _ report: VerificationReport,
    paint: @escaping (_ emphasis: Emphasis, _ text: String) -> String = { $1 }
  ) {
    self.report = report
    self.paint = paint
  }

  /// The text, without a line break at its end.
  package var text: String {
    var lines: [String] = []
    var source: String?
    for exchange in report.exchanges {
      if exchange.source != source {
        source = exchange.source
        lines.append(exchange.source)
      }
      lines += self.lines(of: exchange)
    }
    lines.append(paint(report.isAgreed ? .good : .bad, report.summary))
    return lines.joined(separator: "\n")
  }

  private func lines(of exchange: VerificationReport.Exchange) -> [String] {
    let name = exchange.outcome.rawValue
    let outcome =
      paint(exchange.outcome.emphasis, name) + String(repeating: " ", count: 10 - min(name.utf8.count, 10))
    let time = exchange.timing.map { "  " + paint(.faint, Format.duration($0.end)) } ?? ""
    var lines = ["  \(outcome)  \(exchange.id)  \(exchange.title)\(time)"]
    var part = ""
    for difference in exchange.differences {
      if difference.isMismatch, difference.part != part {
        part = difference.part
        if let heading = Self.headings[part] { lines.append("      \(heading)") }
      }
      let drift = paint(difference.drift.emphasis, difference.drift.rawValue)
      lines.append("      \(drift)  \(difference.place): \(difference.message)")
    }
    for warning in exchange.warnings { lines.append("      \(paint(.warning, "warning"))  \(warning)") }
    for comment in exchange.comments { lines.append("      \(paint(.faint, comment))") }
    return lines
  }

  /// The sentences of Pact for the parts of a message.
  private static let headings = [
    "status": "Response status did not match", "header": "Headers had differences",
    "body": "Body had differences",
  ]
}

extension VerificationReport.Difference {
  /// The part of the message: the first word of the place.
  package var part: String { String(place.prefix { $0 != " " }) }
}

extension VerificationReport.Outcome {
  fileprivate var emphasis: TextReport.Emphasis {
    switch self {
    case .agreed: .good
    case .broken, .unanswered: .bad
    case .pending: .warning
    case .skipped: .faint
    }
  }
}

extension VerificationReport.Drift {
  fileprivate var emphasis: TextReport.Emphasis {
    switch self {
    case .compatible: .faint
    case .risky: .warning
    case .breaking: .bad
    }
  }
}
