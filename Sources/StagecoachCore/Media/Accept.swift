/// An Accept field: which media types are wanted, and how much (RFC 9110 12.5.1).
///
/// The narrowest range that takes a type decides about it, whatever the order; a weight of 0 excludes it.
///
/// ```swift
/// let accept = Accept("text/*;q=0.5, text/html, text/rtf;q=0")
/// accept?.quality(of: .html)  // 1
/// accept?.quality(of: .plainText)  // 0.5
/// accept?.quality(of: .json)  // 0
/// ```
public struct Accept: Sendable, Hashable, LosslessStringConvertible {
  /// The ranges in order. A weight of 1 is none, since it means the same.
  public let ranges: [MediaRange]

  /// The most ranges that are read from a field: 256.
  public static let maximumCount = 256

  /// A field that lists ranges.
  public init(_ ranges: [MediaRange]) {
    self.ranges = ranges.map { $0.weight == 1000 ? $0.weighted(thousandths: nil) : $0 }
  }

  /// Reads a field, each range as leniently as ``MediaRange`` does, or nil.
  ///
  /// Empty ranges are ignored, unreadable ones left out; a comma in a quoted string separates nothing. Nil is
  /// a field of which no range is readable, and one of more than ``maximumCount``.
  public init?(_ description: String) {
    var text = description
    guard let ranges = text.withUTF8({ AcceptReader(octets: $0).read() }) else { return nil }
    self.init(ranges)
  }

  /// The range that decides about a type: the narrowest that takes it, of equally narrow ones the first. Nil if
  /// none does.
  public func range(for type: MediaType) -> MediaRange? {
    ranges.narrowest(for: type)
  }

  /// How much a type is wanted, from 0, not at all, to 1. Where nothing is listed everything is wanted, as
  /// without the field.
  public func quality(of type: MediaType) -> Double {
    if ranges.isEmpty { return 1 }
    return range(for: type).map { Double($0.weight) / 1000 } ?? 0
  }

  /// The text for a field; parses to an equal value, if there are no more than ``maximumCount`` ranges.
  public var description: String {
    ranges.map(\.description).joined(separator: ", ")
  }
}

private struct AcceptReader {
  let octets: UnsafeBufferPointer<UInt8>

  func read() -> [MediaRange]? {
    var ranges: [MediaRange] = []
    var count = 0
    var start = 0
    while start < octets.count {
      let element = octets[start..<end(from: start)]
      start = element.endIndex + 1
      guard element.contains(where: { !$0.isBlankInField }) else { continue }
      count += 1
      guard count <= Accept.maximumCount else { return nil }
      if let range = MediaRange(String(decoding: element, as: UTF8.self)) { ranges.append(range) }
    }
    return ranges.isEmpty && count > 0 ? nil : ranges
  }

  /// The position of the next comma outside of quotes, or of the end.
  private func end(from start: Int) -> Int {
    var position = start
    var isQuoted = false
    while position < octets.count {
      switch octets[position] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted: position += 1
      case UInt8(ascii: ",") where !isQuoted: return position
      default: break
      }
      position += 1
    }
    return octets.count
  }
}
