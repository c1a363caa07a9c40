import StagecoachCore

/// A chart of the times of all exchanges: until the head, and until the end, with a line for each chunk.
///
/// A row is as wide as the page lets it be: places in it are percentages, and its name is text beside or above it.
struct HTMLWaterfall {
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
    let rows = exchanges.map { entry in
      let timing = entry.timing
      let (start, head, end) = (timing.start, timing.start + timing.head, timing.start + timing.end)
      return """
        <a class="exchange \(entry.exchange.classes)" href="#exchange-\(entry.number)" \
        title="\(MarkupText.escaped(hint(timing)))">\
        <span>\(MarkupText.escaped("\(entry.exchange.id) \(entry.exchange.title)"))</span>\
        <svg aria-hidden="true">\(bar("wait", start, head))\(bar("content", head, end))\(chunks(timing))</svg></a>
        """
    }
    return """
      <section class="waterfall"><h2>Times, \(Format.duration(.milliseconds(total))) in all</h2>
      \(rows.joined(separator: "\n"))
      </section>
      """
  }

  private func bar(_ name: String, _ start: Duration, _ end: Duration) -> String {
    let width = max(share(end - start), 0.2)
    return "<rect class=\"\(name)\" x=\"\(share(start))%\" y=\"2\" width=\"\(width)%\" height=\"10\"/>"
  }

  private func chunks(_ timing: VerificationReport.Timing) -> String {
    let step = max(1, timing.chunks.count / Self.maxChunks)
    return stride(from: 0, to: timing.chunks.count, by: step).map { index in
      let place = share(timing.start + timing.chunks[index].time)
      return "<rect class=\"chunk\" x=\"\(place)%\" width=\"1\" height=\"14\"/>"
    }.joined()
  }

  private func hint(_ timing: VerificationReport.Timing) -> String {
    let bytes = timing.chunks.reduce(0) { $0 + $1.bytes }
    return "head after \(Format.duration(timing.head)), end after \(Format.duration(timing.end)), "
      + "\(bytes) bytes in \(timing.chunks.count) chunks"
  }

  /// A time as a percentage of the whole, to a tenth.
  private func share(_ time: Duration) -> Double {
    (min(max(time.reportMilliseconds / total, 0), 1) * 1000).rounded() / 10
  }
}
