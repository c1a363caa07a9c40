import StagecoachCore

/// A chart of the times of all exchanges: until the head, and until the end, with a line for each chunk.
struct HTMLWaterfall {
  private static let (labels, width, row) = (360.0, 1000.0, 18.0)
  /// The most chunks that are drawn for an exchange.
  private static let maxChunks = 200

  private let exchanges:
    [(number: Int, exchange: VerificationReport.Exchange, timing: VerificationReport.Timing)]
  private let total: Double

  init(_ exchanges: [VerificationReport.Exchange]) {
    self.exchanges = exchanges.enumerated().compactMap { number, exchange in
      exchange.timing.map { (number + 1, exchange, $0) }
    }
    let ends = self.exchanges.map { ($0.timing.start + $0.timing.end).reportMilliseconds }
    total = max(ends.max() ?? 0, 0.001)
  }

  var text: String {
    guard !exchanges.isEmpty else { return "" }
    let height = Double(exchanges.count) * Self.row
    let rows = exchanges.enumerated().map { index, entry in
      let y = Double(index) * Self.row
      let (start, head) = (x(entry.timing.start), x(entry.timing.start + entry.timing.head))
      let end = x(entry.timing.start + entry.timing.end)
      let title = String("\(entry.exchange.id) \(entry.exchange.title)".prefix(55))
      return """
        <a href="#exchange-\(entry.number)"><g class="exchange \(entry.exchange.outcome.rawValue)">\
        <title>\(MarkupText.escaped(hint(entry.timing)))</title>\
        <text x="0" y="\(y + 13)">\(MarkupText.escaped(title))</text>\
        <rect class="wait" x="\(start)" y="\(y + 4)" width="\(max(head - start, 1))" height="10"/>\
        <rect class="content" x="\(head)" y="\(y + 4)" width="\(max(end - head, 1))" height="10"/>\
        <path d="\(chunks(entry.timing, y))"/></g></a>
        """
    }
    return """
      <section class="waterfall"><h2>Waterfall</h2>
      <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="times of the exchanges">
      \(rows.joined(separator: "\n"))
      </svg></section>
      """
  }

  private func chunks(_ timing: VerificationReport.Timing, _ y: Double) -> String {
    let step = max(1, timing.chunks.count / Self.maxChunks)
    return stride(from: 0, to: timing.chunks.count, by: step).map { index in
      "M\(x(timing.start + timing.chunks[index].time)) \(y + 2)v14"
    }.joined()
  }

  private func hint(_ timing: VerificationReport.Timing) -> String {
    let bytes = timing.chunks.reduce(0) { $0 + $1.bytes }
    return "head after \(Format.duration(timing.head)), end after \(Format.duration(timing.end)), "
      + "\(bytes) bytes in \(timing.chunks.count) chunks"
  }

  /// The position of a time, to a tenth of a unit.
  private func x(_ time: Duration) -> Double {
    let share = min(max(time.reportMilliseconds / total, 0), 1)
    return ((Self.labels + share * (Self.width - Self.labels - 2)) * 10).rounded() / 10
  }
}
