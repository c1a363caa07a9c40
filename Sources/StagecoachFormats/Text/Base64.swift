/// Base64 and base64url (RFC 4648), read in either alphabet, with or without padding.
package enum Base64 {
  @usableFromInline static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
  )
  @usableFromInline static let standard = letters + Array("+/".utf8)
  @usableFromInline static let urlSafe = letters + Array("-_".utf8)

  /// Returns the six bits of a digit; `nil` if it is in neither alphabet.
  @inlinable
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// Returns the octets of the digits before the first other character. The bits after the last octet are ignored.
  @inlinable
  package static func decode(_ digits: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(digits.underestimatedCount * 3 / 4)
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

  /// Returns the digits of octets, with "=" up to a multiple of four if `padded`.
  @inlinable
  package static func encode(
    _ octets: some Sequence<UInt8>,
    urlSafe: Bool = false,
    padded: Bool = true
  ) -> [UInt8] {
    let alphabet = urlSafe ? self.urlSafe : standard
    var result: [UInt8] = []
    result.reserveCapacity((octets.underestimatedCount + 2) / 3 * 4)
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
    while padded, !result.count.isMultiple(of: 4) { result.append(UInt8(ascii: "=")) }
    return result
  }
}
