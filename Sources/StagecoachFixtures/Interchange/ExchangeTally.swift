/// Counts what happened to exchanges: `3 exchanges lost their trailers`.
struct ExchangeTally {
  private var counts: [(what: String, count: Int)] = []

  /// - Parameter what: A predicate in the past tense, which fits one exchange and many.
  mutating func add(_ what: String) {
    if let index = counts.firstIndex(where: { $0.what == what }) {
      counts[index].count += 1
    } else {
      counts.append((what, 1))
    }
  }

  /// A sentence for each, in the order in which they came up first.
  var sentences: [String] {
    counts.map { "\($0.count) \($0.count == 1 ? "exchange" : "exchanges") \($0.what)" }
  }
}
