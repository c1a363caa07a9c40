import StagecoachCore

/// The boundary between parts (RFC 2046 5.1.1).
enum MultipartBoundary {
  static let maximumLength = 70

  /// A boundary of 128 random bits, a token so that it needs no quotes.
  static func draw(from random: any RandomSource) -> String {
    "stagecoach-" + (random.next().bigEndianBytes + random.next().bigEndianBytes).hexadecimal
  }

  /// Whether text can be a boundary.
  static func isValid(_ boundary: String) -> Bool {
    (1...maximumLength).contains(boundary.utf8.count) && boundary.utf8.last != UInt8(ascii: " ")
      && boundary.utf8.allSatisfy(isBoundaryOctet)
  }

  private static func isBoundaryOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "'()+_,-./:=? ".utf8.contains(octet)
    }
  }

  /// The boundary as the value of a parameter: quoted unless it is a token. Its characters need no escaping.
  static func parameterValue(_ boundary: String) -> String {
    boundary.utf8.allSatisfy(\.isTokenOctet) ? boundary : "\"\(boundary)\""
  }
}
