/// Classes of octets in URIs (RFC 3986 2 and 3).
///
/// The sets are bitmaps over ASCII, so that the one loop over a URI needs neither a table in memory nor a
/// lazily initialized global.
extension UInt8 {
  /// Whether the octet is not escaped after the authority, in any component: unreserved characters except the dot,
  /// sub-delimiters, and `:@/[]`. Brackets are not allowed by RFC 3986, but common in `a[]=1`.
  var isPlainInURI: Bool { isIn(low: 0x2FFF_BFD2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFF) }

  /// Whether the octet is allowed unescaped in a registered name (RFC 3986 3.2.2).
  var isRegisteredName: Bool { isIn(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

  /// Whether the octet is allowed in a scheme after its first letter (RFC 3986 3.1).
  var isSchemeOctet: Bool {
    isLetterOfURI || isDigitOfURI || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }

  package var isLetterOfURI: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  package var isDigitOfURI: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  package var isHexDigitOfURI: Bool {
    isDigitOfURI || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }

  /// C0 and DEL.
  var isControlInURI: Bool { self < 0x20 || self == 0x7F }

  private func isIn(low: UInt64, high: UInt64) -> Bool {
    switch self {
    case 0..<64: low & (1 << UInt64(self)) != 0
    case 64..<128: high & (1 << UInt64(self - 64)) != 0
    default: false
    }
  }
}
