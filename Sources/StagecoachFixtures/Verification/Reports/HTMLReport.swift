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
    let marks = (["all"] + outcomes.map(\.rawValue)).map { "<span class=\"mark\" id=\"\($0)\"></span>" }
    let links = outcomes.map { filter($0.rawValue, report.count($0)) }
    let summary = MarkupText.escaped(report.summary)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(report.isAgreed ? "Agreed" : "Broken"): \(summary)</title>
      <style>\(HTMLStyle.text)</style>
      </head>
      <body>
      \(marks.joined(separator: "\n"))
      <header><h1 class="\(report.isAgreed ? "agreed" : "broken")">\(summary)</h1>
      <nav>\(([filter("all", report.exchanges.count)] + links).joined(separator: "\n"))</nav></header>
      <main>
      \(HTMLWaterfall(report.exchanges).text)
      \(report.exchanges.enumerated().map(article).joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private func filter(_ name: String, _ count: Int) -> String { "<a href=\"#\(name)\">\(name) \(count)</a>" }

  private func article(_ number: Int, _ exchange: VerificationReport.Exchange) -> String {
    let outcome = exchange.outcome.rawValue
    let place = exchange.file.map { $0 + (exchange.line.map { ":\($0)" } ?? "") } ?? exchange.source
    let time = exchange.timing.map { Format.duration($0.end) } ?? ""
    var parts = [
      """
      <article class="exchange \(outcome)" id="exchange-\(number + 1)">
      <details\(exchange.outcome == .agreed ? "" : " open")>
      <summary><b class="\(outcome)">\(outcome)</b> \(MarkupText.escaped("\(exchange.id) \(exchange.title)")) \
      <small>\(MarkupText.escaped(place)) \(time)</small></summary>
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
    parts.append("<div class=\"sides\">")
    let (left, right) = (lines(exchange.expected), exchange.reply.map(lines) ?? [])
    parts.append(side("Expected", left, besides: right))
    parts.append(side("Actual", right, besides: left))
    parts.append("</div>")
    if let request = exchange.request {
      parts.append("<h3>Request</h3><pre>\(MarkupText.escaped(lines(request).joined(separator: "\n")))</pre>")
    }
    return (parts + ["</details>", "</article>"]).joined(separator: "\n")
  }

  private func row(_ difference: VerificationReport.Difference) -> String {
    func cell(_ text: String?) -> String {
      text.map { "<td><code>\(MarkupText.escaped($0))</code></td>" } ?? "<td></td>"
    }
    let drift = difference.drift.rawValue
    let kind = difference.isMismatch ? "mismatch" : "note"
    return "<tr class=\"\(kind)\"><td>\(MarkupText.escaped(difference.place))</td>"
      + "<td><b class=\"\(drift)\">\(drift)</b> \(MarkupText.escaped(difference.message))</td>"
      + cell(difference.expected) + cell(difference.actual) + "</tr>"
  }

  // MARK: Messages

  private func lines(_ message: VerificationReport.Message) -> [String] {
    var lines = [message.start] + message.fields.map { "\($0.name): \($0.value)" }
    if let body = message.body {
      lines.append("")
      lines += body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    return lines
  }

  /// One side of a comparison; lines that the other side has not are marked.
  private func side(_ title: String, _ lines: [String], besides others: [String]) -> String {
    var left = others.reduce(into: [:]) { counts, line in counts[line, default: 0] += 1 }
    let texts = lines.map { line in
      let text = MarkupText.escaped(line)
      guard let count = left[line], count > 0 else { return line.isEmpty ? text : "<mark>\(text)</mark>" }
      left[line] = count - 1
      return text
    }
    return "<section><h3>\(title)</h3><pre>\(texts.joined(separator: "\n"))</pre></section>"
  }
}
