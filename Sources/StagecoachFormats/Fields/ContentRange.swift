/// The field Content-Range with the unit `bytes` (RFC 9110 14.4).
package struct ContentRange: Equatable {
  /// The bytes; `nil` if the range could not be satisfied.
  package private(set) var bytes: Range<Int64>?
  /// The length of the whole representation; `nil` if it is unknown.
  package private(set) var total: Int64?

  /// Reads a field; `nil` unless it is valid.
  package init?(_ field: String) {
    let parts = field.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[1] != "*" {
      guard let total = Self.number(halves[1]) else { return nil }
      self.total = total
    }
    if halves[0] == "*" {
      // Without bytes there must be a length.
      guard total != nil else { return nil }
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      last < total ?? Int64.max
    else { return nil }
    bytes = first..<(last + 1)
  }

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    return Int64(text)
  }
}
