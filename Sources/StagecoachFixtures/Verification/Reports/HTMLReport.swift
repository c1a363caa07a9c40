import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A report as one page.
///
/// The page loads nothing and has no script, which its content security policy forbids besides: the links of the filter
/// lead to marks in front of the exchanges, and the style sheet hides what is not asked for.
struct HTMLReport {
  private let report: VerificationReport

  init(_ report: VerificationReport) {
    self.report = report
  }

  var text: String {
    let digest = Data(SHA256.hash(Array(HTMLStyle.text.utf8))).base64EncodedString()
    let policy = "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'"
    let outcomes = VerificationReport.Outcome.allCases.filter { report.count($0) > 0 }
    let drifts = VerificationReport.Drift.allCases.reversed()
    let marks = ["all"] + outcomes.map(\.rawValue) + drifts.map(\.rawValue)
    let verdict = report.isAgreed ? "Agreed" : report.isUnverified ? "Not verified" : "Broken"
    let subject = MarkupText.escaped(subject)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(verdict): \(subject)</title>
      <style>\(HTMLStyle.text)</style>
      </head>
      <body>
      \(marks.map { "<span class=\"mark\" id=\"\($0)\"></span>" }.joined(separator: "\n"))
      <header>
      <h1><b class="\(report.isAgreed ? "agreed" : "broken")">\(verdict)</b> \(subject)</h1>
      <nav class="drifts">\(drifts.map(tile).joined(separator: "\n"))</nav>
      <nav>\(([filter("all", report.exchanges.count)]
        + outcomes.map { filter($0.rawValue, report.count($0)) }).joined(separator: "\n"))</nav>
      </header>
      <main>
      \(report.exchanges.enumerated().map(article).joined(separator: "\n"))
      \(HTMLWaterfall(report.exchanges).text)
      </main>
      </body>
      </html>

      """
  }

  // MARK: Header

  /// The contract and the service, such as `users against https://api.example.com`.
  private var subject: String {
    let contracts = Self.unique(
      report.exchanges.map { $0.source.split(separator: "/").last.map(String.init) ?? "" }
    )
    let services = Self.unique(report.exchanges.compactMap { $0.request.flatMap(Self.origin) })
    return Self.list(contracts) + (services.isEmpty ? "" : " against " + Self.list(services))
  }

  private static func origin(_ request: VerificationReport.Message) -> String? {
    guard let url = request.start.split(separator: " ").last, let scheme = url.firstRange(of: "://") else {
      return nil
    }
    return String(url[..<(url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  private func filter(_ name: String, _ count: Int) -> String { "<a href=\"#\(name)\">\(name) \(count)</a>" }

  /// The number of differences of a kind, and the link to the exchanges that have one.
  private func tile(_ drift: VerificationReport.Drift) -> String {
    let count = report.exchanges.reduce(0) { $0 + $1.differences.count { $0.drift == drift } }
    let name = drift.rawValue
    return "<a class=\"\(count > 0 ? name : "none")\" href=\"#\(name)\"><b>\(count)</b> \(name)</a>"
  }

  // MARK: Exchanges

  private func article(_ number: Int, _ exchange: VerificationReport.Exchange) -> String {
    let outcome = exchange.outcome.rawValue
    let place = exchange.file.map { $0 + (exchange.line.map { ":\($0)" } ?? "") } ?? exchange.source
    let time = exchange.timing.map { Format.duration($0.end) } ?? ""
    let isOpen = exchange.outcome != .agreed || !exchange.differences.isEmpty
    let badges = VerificationReport.Drift.allCases.reversed().compactMap { drift in
      let count = exchange.differences.count { $0.drift == drift }
      return count == 0 ? nil : " <i class=\"\(drift.rawValue)\">\(count) \(drift.rawValue)</i>"
    }
    var parts = [
      """
      <article class="exchange \(exchange.classes)" id="exchange-\(number + 1)">
      <details\(isOpen ? " open" : "")>
      <summary><b class="\(outcome)">\(outcome)</b> \(MarkupText.escaped("\(exchange.id) \(exchange.title)"))\
      \(badges.joined()) <small>\(MarkupText.escaped(place)) \(time)</small></summary>
      """
    ]
    parts += exchange.warnings.map { "<p class=\"warning\">\(MarkupText.escaped($0))</p>" }
    parts += exchange.comments.map { "<p>\(MarkupText.escaped($0))</p>" }
    if !exchange.differences.isEmpty {
      parts.append(
        "<table><thead><tr><th>Place</th><th>Difference</th><th>Expected</th><th>Actual</th></tr></thead><tbody>"
      )
      parts += exchange.differences.map(row)
      parts.append("</tbody></table>")
    }
    let marks = HTMLMarks(exchange)
    parts.append("<div class=\"sides\">")
    parts.append(side("Expected", marks.lines(of: exchange.expected, besides: exchange.reply)))
    if let reply = exchange.reply {
      parts.append(side("Actual", marks.lines(of: reply, besides: exchange.expected)))
    }
    parts.append("</div>")
    if let request = exchange.request {
      parts.append(side("Request", HTMLMarks().lines(of: request, besides: nil)))
    }
    return (parts + ["</details>", "</article>"]).joined(separator: "\n")
  }

  private func row(_ difference: VerificationReport.Difference) -> String {
    func cell(_ title: String, _ text: String?) -> String {
      text.map { "<td data-title=\"\(title)\"><code>\(MarkupText.escaped($0))</code></td>" }
        ?? "<td class=\"none\"></td>"
    }
    let drift = difference.drift.rawValue
    return "<tr><td>\(MarkupText.escaped(difference.place))</td>"
      + "<td><b class=\"\(drift)\">\(drift)</b> \(MarkupText.escaped(difference.message))</td>"
      + cell("expected", difference.expected) + cell("actual", difference.actual) + "</tr>"
  }

  private func side(_ title: String, _ lines: [HTMLMarks.Line]) -> String {
    let texts = lines.map { line in
      let text = MarkupText.escaped(line.text)
      guard let drift = line.drift, !text.isEmpty else { return text }
      return "<mark class=\"\(drift.rawValue)\">\(text)</mark>"
    }
    return "<section><h3>\(title)</h3><pre>\(texts.joined(separator: "\n"))</pre></section>"
  }
}

extension VerificationReport.Exchange {
  /// The names that filters of a report know: of the outcome, and of what its differences mean.
  var classes: String {
    let drifts = VerificationReport.Drift.allCases.filter { drift in
      differences.contains { $0.drift == drift }
    }
    return ([outcome.rawValue] + drifts.map(\.rawValue)).joined(separator: " ")
  }
}
