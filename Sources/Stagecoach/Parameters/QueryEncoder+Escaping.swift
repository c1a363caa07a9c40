extension QueryEncoder {
  /// Which characters of keys and values stay as they are in a query.
  ///
  /// All others are written as their UTF-8 bytes, each as "%" and two upper-case hexadecimal digits. What is escaped
  /// already is escaped again, so that a decoder gets exactly the text that was given.
  @nonexhaustive
  public enum Escaping: Sendable, Hashable {
    /// ASCII letters, digits and `-._~/?` stay: `/` and `?` are data in a query (RFC 3986, section 3.4), all other
    /// delimiters are escaped.
    case afnetworking
    /// The unreserved characters of RFC 3986 section 2.3 stay: ASCII letters, digits and `-._~`.
    case strict
    /// The rules of `application/x-www-form-urlencoded` (WHATWG URL, section 5.2): ASCII letters, digits and `*-._`
    /// stay, a space becomes "+".
    case form

    /// Appends `text`, escaped, to `output`.
    func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
      let (low, high) = plain
      let spaceIsPlus = self == .form
      var run = 0
      for (index, byte) in text.enumerated() {
        let mask = byte < 64 ? low : byte < 128 ? high : 0
        if mask >> UInt64(byte & 63) & 1 == 1 { continue }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<index]))
        run = index + 1
        if byte == UInt8(ascii: " "), spaceIsPlus {
          output.append(UInt8(ascii: "+"))
        } else {
          output.append(UInt8(ascii: "%"))
          output.append(Self.hexadecimalDigit(byte >> 4))
          output.append(Self.hexadecimalDigit(byte & 15))
        }
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[run...]))
    }

    /// A bit for every ASCII character that stays: 0-63 and 64-127.
    private var plain: (low: UInt64, high: UInt64) {
      switch self {
      case .afnetworking: (Self.digits | Self.bits("-./?"), Self.letters | Self.bits("_~"))
      case .strict: (Self.digits | Self.bits("-."), Self.letters | Self.bits("_~"))
      case .form: (Self.digits | Self.bits("*-."), Self.letters | Self.bits("_"))
      }
    }

    private static let digits: UInt64 = 0x03FF_0000_0000_0000
    private static let letters: UInt64 = 0x07FF_FFFE_07FF_FFFE

    @inline(__always)
    private static func bits(_ characters: StaticString) -> UInt64 {
      (0..<characters.utf8CodeUnitCount).reduce(0) { $0 | 1 << UInt64(characters.utf8Start[$1] & 63) }
    }

    @inline(__always)
    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
  }
}
