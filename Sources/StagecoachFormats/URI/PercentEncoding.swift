/// A percent-encoding table: the octets that stay, and the escape of each other octet, `%` and two hexadecimal digits
/// in upper case (RFC 3986 2.1).
///
/// `@unchecked Sendable` is safe: the memory is written before the table is made and never freed.
package struct PercentEncoding: @unchecked Sendable {
  /// One to three bytes per octet, the first one lowest, with their count in the highest byte. Not an array, because
  /// retaining one costs more than escaping a short text.
  private let entries: UnsafePointer<UInt32>

  subscript(byte: UInt8) -> UInt32 { entries[Int(byte)] }

  /// Leaves ASCII letters and digits.
  package static let alphanumeric = PercentEncoding(leaving: "")
  /// Leaves the unreserved characters (RFC 3986 2.3).
  package static let unreserved = PercentEncoding(leaving: "-._~")
  static let afnetworking = PercentEncoding(leaving: "-._~/?")
  static let literalBrackets = PercentEncoding(leaving: "-._~[]")
  /// Leaves the characters of a path and a query (RFC 3986 3.3), and percent signs, which begin an existing escape.
  package static let target = PercentEncoding(leaving: "-._~!$&'()*+,;=:@/?%")
  static let form = PercentEncoding { byte in
    byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : isPlain(byte, besides: "*-._") ? byte : nil
  }
  /// Leaves `attr-char` (RFC 8187 3.2.1): token characters except `*`, `'` and `%`.
  static let attribute = PercentEncoding { $0.isTokenOctet && !"*'%".utf8.contains($0) ? $0 : nil }
  /// Encodes only the octets that the HTML standard encodes in the names of a form.
  static let formName = PercentEncoding { isEncodedInFormName($0) ? nil : $0 }

  /// Creates a table that leaves ASCII letters, digits and the given characters.
  private init(leaving characters: String) {
    self.init { Self.isPlain($0, besides: characters) ? $0 : nil }
  }

  /// Creates a table from the substitute of each byte; a byte without a substitute is escaped.
  private init(_ substitute: (UInt8) -> UInt8?) {
    let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      let digits = Hexadecimal.upperCaseDigits(byte)
      let escape = 3 << 24 | UInt32(digits.low) << 16 | UInt32(digits.high) << 8 | UInt32(UInt8(ascii: "%"))
      (entries + Int(byte)).initialize(to: substitute(byte).map { 1 << 24 | UInt32($0) } ?? escape)
    }
    self.entries = UnsafePointer(entries)
  }

  private static func isPlain(_ byte: UInt8, besides characters: String) -> Bool {
    byte.isLetterOfURI || byte.isDigitOfURI || characters.utf8.contains(byte)
  }

  /// Whether an octet is encoded in the names of a form (multipart/form-data encoding algorithm).
  static func isEncodedInFormName(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "\"") || octet == 0x0D || octet == 0x0A
  }
}

extension StringProtocol {
  /// Returns the UTF-8 of the text with all octets encoded except those that the encoding leaves.
  package func percentEncoded(_ encoding: PercentEncoding) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    for octet in utf8 {
      var written = encoding[octet]
      for _ in 0..<(written >> 24) {
        result.append(UInt8(truncatingIfNeeded: written))
        written >>= 8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
