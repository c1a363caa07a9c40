/// The value of an extended parameter (RFC 8187 3.2): a charset, a language and percent-encoded text.
enum ExtendedValue {
  /// The text in UTF-8, without a language.
  static func encode(_ text: String) -> String {
    var result = "UTF-8''"
    for octet in text.utf8 {
      if octet.isAttributeCharacter {
        result.unicodeScalars.append(Unicode.Scalar(octet))
      } else {
        result += octet < 16 ? "%0" : "%"
        result += String(octet, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// The text, or nil: two apostrophes are missing, the charset is not known here, a percent sign is not
  /// followed by two digits, or the octets are not text in the charset.
  static func decode(_ value: [UInt8]) -> String? {
    let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let charset = Charset(String(decoding: parts[0], as: UTF8.self)) else {
      return nil
    }
    var octets: [UInt8] = []
    var rest = parts[2]
    while let octet = rest.popFirst() {
      if octet == UInt8(ascii: "%") {
        guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
          return nil
        }
        octets.append(high << 4 | low)
      } else {
        octets.append(octet)
      }
    }
    return try? charset.decode(octets)
  }
}

extension UInt8 {
  /// `attr-char` (RFC 8187 3.2.1): a token character but `*`, `'` and `%`.
  fileprivate var isAttributeCharacter: Bool {
    isTokenOctet && self != UInt8(ascii: "*") && self != UInt8(ascii: "'") && self != UInt8(ascii: "%")
  }

  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
