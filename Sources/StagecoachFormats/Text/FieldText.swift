extension String {
  /// Whether this is a token (RFC 9110 5.6.2).
  package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenOctet) }

  /// Whether this is a token68 (RFC 9110 11.2), which is also the b64token of RFC 6750 2.1.
  package var isToken68: Bool {
    let octets = utf8
    guard let end = octets.firstIndex(where: { !$0.isToken68Octet }) else { return !octets.isEmpty }
    return end > octets.startIndex && octets[end...].allSatisfy { $0 == UInt8(ascii: "=") }
  }

  /// The text as a quoted string (RFC 9110 5.6.4).
  package var quotedInField: String {
    var text = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }

  /// As a value of a parameter (RFC 9110 5.6.6).
  var quotedUnlessToken: String { isToken ? self : quotedInField }

  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.lowercasedInField == $1.lowercasedInField }
  }
}

extension UInt8 {
  /// Whether the octet may occur in a token68, apart from the equals signs at its end.
  package var isToken68Octet: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
