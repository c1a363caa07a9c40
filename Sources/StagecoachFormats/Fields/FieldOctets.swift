package import HTTPTypes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Carries field values that are not UTF-8 (RFC 9110 5.5) through an engine whose values are strings.
///
/// Each octet beyond ASCII of such a value becomes a character of U+10FF80...U+10FFFF, and an octet again behind it.
/// A value that already has such a character is escaped too, so that every value comes out as it went in.
package enum FieldOctets {
  /// The octet that begins every escape: U+10FF80 is F4 8F BE 80.
  private static let first: UInt8 = 0xf4

  /// Returns the escaped form of a value or a line; `nil` if it can stay as it is.
  package static func escaped(_ octets: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard octets.contains(where: { $0 >= 0x80 }) else { return nil }
    guard String(validating: octets, as: UTF8.self) == nil || firstEscape(in: octets, from: 0) != nil else {
      return nil
    }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count * 2)
    for octet in octets {
      if octet < 0x80 {
        result.append(octet)
      } else {
        result += [first, 0x8f, 0xbe | octet >> 6 & 1, 0x80 | octet & 0x3f]
      }
    }
    return result
  }

  /// Returns the octets before ``escaped(_:)``; `nil` if nothing is escaped.
  package static func restored(_ octets: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard var place = firstEscape(in: octets, from: 0) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var copied = 0
    while true {
      result += octets[copied..<place]
      result.append(0x80 | (octets[place + 2] & 1) << 6 | octets[place + 3] & 0x3f)
      copied = place + 4
      guard let next = firstEscape(in: octets, from: copied) else { break }
      place = next
    }
    result += octets[copied...]
    return result
  }

  /// Whether a text has escaped octets.
  package static func hasEscapes(_ text: String) -> Bool {
    text.withUTF8Bytes { firstEscape(in: $0, from: 0) != nil }
  }

  private static func firstEscape(in octets: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = octets.baseAddress else { return nil }
    var start = start
    while start + 4 <= octets.count, let found = memchr(base + start, Int32(first), octets.count - start) {
      let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if place + 4 <= octets.count, octets[place + 1] == 0x8f, octets[place + 2] | 1 == 0xbf { return place }
      start = place + 1
    }
    return nil
  }
}

extension HTTPField {
  /// The value as it came or will be sent, which need not be UTF-8.
  package var octets: [UInt8] { withUnsafeBytesOfValue { Array($0) } }

  /// The value as text for an engine, and whether any octet of it is escaped.
  package var engineText: (text: String, isEscaped: Bool) {
    guard let escaped = withUnsafeBytesOfValue(FieldOctets.escaped) else { return (value, false) }
    return (String(decoding: escaped, as: UTF8.self), true)
  }

  /// Creates a field from the text of an engine.
  package init(name: Name, engineText: String) {
    if let octets = engineText.withUTF8Bytes({ FieldOctets.restored($0) }) {
      self.init(name: name, value: octets)
    } else {
      self.init(name: name, value: engineText)
    }
  }
}
