/// Counts what came of inputs.
struct Tally {
  private var counts: [String: Int] = [:]
  private(set) var total = 0

  mutating func add(_ what: String) {
    total += 1
    counts[what.hasPrefix("wrong") ? "wrong" : what, default: 0] += 1
  }

  /// A line for all, and one for each kind of error and each other status, the most frequent first.
  func summary(of engine: String, seconds: Double, seed: UInt64) -> String {
    let rate = Int(Double(total) / max(seconds, 1))
    var lines = [
      "\(engine): \(total) inputs in \(Int(seconds)) s (\(rate)/s), seed \(seed); answered 200: \(share(counts["200"] ?? 0))"
    ]
    let others = counts.filter { $0.key != "200" }
    let isStatus = { (name: String) in name.allSatisfy(\.isNumber) }
    let statuses = others.filter { isStatus($0.key) }.values.reduce(0, +)
    lines.append("  answered with another status: \(share(statuses))")
    for (name, count) in others.filter({ !isStatus($0.key) }).sorted(by: {
      ($1.value, $0.key) < ($0.value, $1.key)
    }) {
      lines.append("  \(name): \(share(count))")
    }
    return lines.joined(separator: "\n")
  }

  private func share(_ count: Int) -> String {
    let tenths = total == 0 ? 0 : (count * 1000 + total / 2) / total
    return "\(count) (\(tenths / 10).\(tenths % 10) %)"
  }
}
