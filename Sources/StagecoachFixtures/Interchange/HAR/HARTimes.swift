import StagecoachCore

/// The times of an entry, as far as they are told: tools leave phases out, or write -1 for what was not measured.
struct HARTimes {
  /// From the start to the head of the response.
  let head: Duration?
  /// From the start to the end.
  let end: Duration?

  init(_ entry: ManifestNode) {
    let timings = entry.value["timings"]
    func phase(_ name: String) -> Double? { timings?[name]?.doubleValue.flatMap { $0 >= 0 ? $0 : nil } }
    // `ssl` is a part of `connect`.
    let before = ["blocked", "dns", "connect", "send"].reduce(0) { $0 + (phase($1) ?? 0) }
    let arrival = phase("wait").flatMap { Self.duration($0 + before) }
    let total = entry.value["time"]?.doubleValue.flatMap(Self.duration)
    head = arrival
    end = total.map { max($0, arrival ?? .zero) }
  }

  /// Milliseconds, to the microsecond; `nil` if they are no time.
  private static func duration(_ milliseconds: Double) -> Duration? {
    guard milliseconds >= 0, milliseconds <= 1e12 else { return nil }
    return .microseconds(Int64((milliseconds * 1000).rounded()))
  }
}
