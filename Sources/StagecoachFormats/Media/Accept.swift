/// An Accept field: the accepted media types with their weights (RFC 9110 12.5.1).
///
/// The most specific matching range decides, whatever the order; a weight of 0 excludes a type.
///
/// ```swift
/// let accept = Accept("text/*;q=0.5, text/html, text/rtf;q=0")
/// accept?.quality(of: .html)  // 1
/// accept?.quality(of: .plainText)  // 0.5
/// accept?.quality(of: .json)  // 0
/// ```
public struct Accept: Sendable, Hashable, LosslessStringConvertible {
  /// The ranges in order. A weight of 1 is omitted because it is the default.
  public let ranges: [MediaRange]

  /// The maximum number of ranges read from a field: 256.
  public static let maximumCount = 256

  /// Creates a field with ranges.
  public init(_ ranges: [MediaRange]) {
    self.ranges = ranges.map { $0.weight == 1000 ? $0.weighted(thousandths: nil) : $0 }
  }

  /// Parses a field, each range as leniently as ``MediaRange``; `nil` if it is malformed.
  ///
  /// Empty ranges are ignored and malformed ones omitted; a comma in a quoted string is not a separator. A field
  /// without any valid range, or with more than ``maximumCount``, is malformed.
  public init?(_ description: String) {
    var text = description
    guard let ranges = text.withUTF8({ AcceptReader(octets: $0).read() }) else { return nil }
    self.init(ranges)
  }

  /// Returns the range that decides about a type: the most specific one that matches, of equally specific ones the
  /// first; `nil` if none matches.
  public func range(for type: MediaType) -> MediaRange? {
    ranges.narrowest(for: type)
  }

  /// Returns the weight of a type, from 0 (not accepted) to 1. If the list is empty every type is accepted, as without
  /// the field.
  public func quality(of type: MediaType) -> Double {
    if ranges.isEmpty { return 1 }
    return range(for: type).map { Double($0.weight) / 1000 } ?? 0
  }

  /// The field value, which parses to an equal value if there are at most ``maximumCount`` ranges.
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
