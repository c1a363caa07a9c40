#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Numbers and truth values as XML Schema writes them (Part 2), read from UTF-8. White space around them is
/// ignored; anything else that does not belong makes them nil.
enum ScalarText {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// The text without white space around it.
  @inline(__always)
  static func trimmed(_ text: Bytes) -> Bytes {
    var start = 0, end = text.count
    while start < end, isSpace(text[start]) { start += 1 }
    while end > start, isSpace(text[end - 1]) { end -= 1 }
    return start == 0 && end == text.count ? text : Bytes(rebasing: text[start..<end])
  }

  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt8? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }

  static func bool(_ text: Bytes) -> Bool? {
    let text = trimmed(text)
    switch text.count {
    case 1: return text[0] == UInt8(ascii: "1") ? true : text[0] == UInt8(ascii: "0") ? false : nil
    case 4: return text.equals("true") ? true : nil
    case 5: return text.equals("false") ? false : nil
    default: return nil
    }
  }

  @inline(__always)
  static func integer<Number: FixedWidthInteger>(_ text: Bytes, as type: Number.Type) -> Number? {
    let text = trimmed(text)
    guard let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var index = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    // The digits that always fit into 64 bits; longer numbers are rare.
    guard index < text.count, text.count - index <= 18 else {
      return text.allSatisfy({ $0 < 0x80 }) ? Number(String(decoding: text, as: UTF8.self)) : nil
    }
    var value: Int64 = 0
    while index < text.count {
      guard let digit = digit(text[index]) else { return nil }
      value = value &* 10 &+ Int64(digit)
      index += 1
    }
    return Number(exactly: isNegative ? 0 &- value : value)
  }

  /// The parts of a decimal number: an optional sign, digits with at most one point, and for floating point an
  /// exponent.
  struct Parts {
    var isNegative = false
    /// The digits as a number, if no more than 19 matter.
    var mantissa: UInt64? = 0
    var exponent = 0

    init?(_ text: Bytes, allowingExponent: Bool) {
      var index = 0
      var digits = 0, significant = 0
      if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        isNegative = first == UInt8(ascii: "-")
        index = 1
      }
      var isFraction = false
      var value: UInt64 = 0
      while index < text.count {
        let byte = text[index]
        if let digit = ScalarText.digit(byte) {
          digits += 1
          if significant > 0 || digit != 0 { significant += 1 }
          value = value &* 10 &+ UInt64(digit)
          if isFraction { exponent -= 1 }
        } else if byte == UInt8(ascii: "."), !isFraction {
          isFraction = true
        } else {
          break
        }
        index += 1
      }
      guard digits > 0 else { return nil }
      mantissa = significant <= 19 ? value : nil
      guard index < text.count else { return }
      guard allowingExponent, text[index] | 0x20 == UInt8(ascii: "e"),
        let power = ScalarText.exponent(text, from: index + 1)
      else { return nil }
      exponent += power
    }
  }

  /// An exponent, cut off where it makes no difference.
  private static func exponent(_ text: Bytes, from start: Int) -> Int? {
    var index = start
    var isNegative = false
    if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      guard let digit = digit(text[index]) else { return nil }
      value = min(value * 10 + Int(digit), 1_000_000_000)
      index += 1
    }
    return isNegative ? -value : value
  }

  static func double(_ text: Bytes) -> Double? {
    let text = trimmed(text)
    guard let parts = Parts(text, allowingExponent: true) else { return special(text) }
    // Both numbers are exact, so a single operation rounds once.
    if let mantissa = parts.mantissa, mantissa <= 1 << 53, -22...22 ~= parts.exponent {
      let value = Double(mantissa)
      let scaled =
        parts.exponent < 0 ? value / powersOfTen[-parts.exponent] : value * powersOfTen[parts.exponent]
      return parts.isNegative ? -scaled : scaled
    }
    return Double(String(decoding: text, as: UTF8.self))
  }

  static func float(_ text: Bytes) -> Float? {
    let text = trimmed(text)
    guard Parts(text, allowingExponent: true) != nil else { return special(text).map(Float.init) }
    return Float(String(decoding: text, as: UTF8.self))
  }

  static func decimal(_ text: Bytes) -> Decimal? {
    let text = trimmed(text)
    guard let parts = Parts(text, allowingExponent: true), abs(parts.exponent) < 1000 else { return nil }
    return Decimal(string: String(decoding: text, as: UTF8.self))
  }

  private static func special(_ text: Bytes) -> Double? {
    if text.equals("INF") || text.equals("+INF") { return .infinity }
    if text.equals("-INF") { return -.infinity }
    return text.equals("NaN") ? .nan : nil
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]

  /// Returns a number in the notation of XML Schema.
  static func text<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-INF" : "INF" }
    return String(number)
  }
}
