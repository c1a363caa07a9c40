/// Base64 and base64url (RFC 4648), read without regard to the alphabet, the padding, or the bits behind the last
/// octet.
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standard = letters + Array("+/".utf8)
  private static let urlSafe = letters + Array("-_".utf8)

  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// Returns the octets of digits, up to the first that is none.
  static func decode(_ digits: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for digit in digits {
      guard let value = value(of: digit) else { break }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return result
  }

  static func encode(_ octets: some Sequence<UInt8>, urlSafe: Bool = false, padded: Bool = true) -> [UInt8] {
    let alphabet = urlSafe ? self.urlSafe : standard
    var result: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for octet in octets {
      bits = bits << 8 | UInt32(octet)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { result.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    while padded, result.count % 4 != 0 { result.append(UInt8(ascii: "=")) }
    return result
  }

  /// The digits between the start of a group of three octets and the first digit that only depends on the octets
  /// after `offset`.
  static let leadingDigits = [0, 2, 3]

  /// Returns the digits that only depend on these octets if `offset` others come before them in their group of three.
  static func core(of octets: [UInt8], offset: Int, urlSafe: Bool) -> [UInt8] {
    let digits = encode(repeatElement(0, count: offset) + octets, urlSafe: urlSafe, padded: false)
    let complete = (offset + octets.count) * 8 / 6
    return Array(digits[leadingDigits[offset]..<complete])
  }
}
