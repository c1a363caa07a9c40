/// Hexadecimal digits.
package enum Hexadecimal {
  static func lowerCaseDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The two digits of an octet.
  static func upperCaseDigits(_ octet: UInt8) -> (high: UInt8, low: UInt8) {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
    return (digit(octet >> 4), digit(octet & 15))
  }

  /// Returns the value of a digit, ignoring case; `nil` if it is not a digit.
  @inlinable
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns the octets of digits, ignoring case; `nil` if there is another character or an odd number of digits.
  @inlinable
  package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = value(digit) else { return nil }
      if let first = high { octets.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    return octets
  }
}

extension Collection<UInt8> {
  /// The octets as lower-case hexadecimal digits, two per octet.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * count) { digits in
      for (offset, octet) in enumerated() {
        digits[2 * offset] = Hexadecimal.lowerCaseDigit(octet >> 4)
        digits[2 * offset + 1] = Hexadecimal.lowerCaseDigit(octet & 15)
      }
      return 2 * count
    }
  }
}
