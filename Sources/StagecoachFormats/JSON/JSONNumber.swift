/// A number of a JSON text with its literal (RFC 8259 6).
///
/// `1`, `1.0` and `1e0` are three different literals: they are not equal and are written unchanged, whatever their
/// size or number of digits. Use ``int64``, ``uint64`` or ``double`` for the value.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The literal, which follows the grammar of RFC 8259.
  public let text: String

  /// Creates a number with the literal `text`, or `nil` if it does not follow the grammar of RFC 8259 (`+1`, `01`,
  /// `.5`, `1.`, `NaN` and the like).
  public init?(_ text: String) {
    var copy = text
    let isValid = copy.withUTF8 { bytes in
      var reader = JSONReader(bytes, limits: JSONValue.Limits(numberLength: .max))
      return (try? reader.number()) != nil && reader.isAtEnd
    }
    guard isValid else { return nil }
    self.text = text
  }

  /// Creates a number with the decimal digits of `value`.
  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// Creates a number with the shortest literal that represents `value` exactly, or `nil` for a NaN or an infinity,
  /// which JSON cannot represent. An integral value keeps its fraction: `2.0`.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// A number whose literal the reader has checked.
  init(checked text: String) {
    self.text = text
  }

  /// The value if it is integral and fits, also if it is written as `1.50e2`; otherwise `nil`. Never rounded.
  public var int64: Int64? { exactInteger() }

  /// The value if it is integral, not negative and fits; otherwise `nil`. Never rounded.
  public var uint64: UInt64? { exactInteger() }

  /// The nearest double, or `nil` if the magnitude is larger than the largest finite one. Excess digits are rounded,
  /// and magnitudes below the smallest subnormal become zero.
  public var double: Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The literal.
  public var description: String { text }

  /// Whether the literal has neither a fraction nor an exponent.
  var isIntegerLiteral: Bool {
    !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  }

  private func exactInteger<Integer: FixedWidthInteger>() -> Integer? {
    if let value = Integer(text) { return value }
    return isIntegerLiteral ? nil : plainDigits.flatMap { Integer($0) }
  }

  /// The value written without fraction and exponent, or nil if it is not whole or has more digits than any
  /// 64-bit integer.
  private var plainDigits: String? {
    let parts = text.utf8.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    var mantissa = parts[0]
    let isNegative = mantissa.first == UInt8(ascii: "-")
    if isNegative { mantissa.removeFirst() }

    let halves = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1)
    let fraction = halves.count > 1 ? halves[1].count : 0
    let digits = halves.joined().drop { $0 == UInt8(ascii: "0") }
    let significant = digits.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    if significant.isEmpty { return "0" }

    // An exponent beyond Int belongs to a number far out of range, or to a fraction.
    guard let exponent = parts.count > 1 ? Int(Substring(parts[1])) : 0 else { return nil }
    let (zeros, overflow) = exponent.subtractingReportingOverflow(
      fraction - (digits.count - significant.count)
    )
    guard !overflow, zeros >= 0, zeros <= 20, significant.count + zeros <= 20 else { return nil }
    return (isNegative ? "-" : "") + String(decoding: significant, as: UTF8.self)
      + String(repeating: "0", count: zeros)
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a number with the decimal digits of the literal.
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Creates a number with the shortest literal of the double. A source literal must be finite.
  public init(floatLiteral value: Double) {
    precondition(value.isFinite, "JSON cannot represent \(value)")
    text = value.description
  }
}
