/// A character encoding scheme by its IANA name, with a decoder and an encoder for it.
///
/// UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 and windows-1252 are built in. Every other name goes to the
/// `iconv` of the C library, so which ones exist depends on the system: ``isSupported`` tells.
public struct Charset: Sendable, Hashable {
  /// The preferred name of IANA where the label is a known alias of it, else the label in upper case.
  public let name: String

  let coding: Coding

  /// How the octets are decoded.
  enum Coding: Sendable, Hashable {
    case utf8
    /// Without an order, a byte order mark decides, else it is big-endian.
    case utf16(ByteOrder?)
    case utf32(ByteOrder?)
    case ascii
    case latin1
    case windows1252
    /// By `iconv`, under the name it goes by there.
    case system(String)
  }

  enum ByteOrder: Sendable, Hashable {
    case bigEndian, littleEndian
  }

  init(name: String, coding: Coding) {
    self.name = name
    self.coding = coding
  }

  /// The charset with this label, in any case, or nil if the label cannot be a name: a letter or digit, then
  /// up to 39 letters, digits and `.` `_` `:` `+` `-`.
  ///
  /// Common aliases are known (`utf8`, `latin1`, `cp1252`, `sjis` ...). As on the web (WHATWG Encoding),
  /// a name also stands for the superset that is really sent under it: `gb2312` for GBK, `shift_jis` for
  /// windows-31J, `euc-kr` for windows-949. ISO-8859-1 and US-ASCII are taken at their word.
  public init?(_ label: String) {
    // Of a name like "+", glibc drops everything, and takes the empty rest for the locale's charset.
    guard label.utf8.count <= 40, label.utf8.first?.isCharsetNameStart == true,
      label.utf8.allSatisfy(\.isCharsetNameOctet)
    else { return nil }
    let key = label.lowercased()
    self = Self.aliases[key] ?? Charset(name: label.uppercased(), coding: .system(label.uppercased()))
  }

  /// Whether octets in this charset can be decoded on this system.
  public var isSupported: Bool {
    if case .system(let name) = coding { SystemDecoder.isKnown(name) } else { true }
  }

  /// What becomes of octets that are not text in the charset.
  public enum Mode: Sendable, Hashable {
    /// The first one is an error. This includes the five octets that windows-1252 leaves unassigned.
    case strict
    /// Each becomes U+FFFD and decoding goes on. The five unassigned octets of windows-1252 become the C1
    /// control characters of the same number, as on the web.
    case lossy
  }

  /// Decodes octets.
  ///
  /// UTF-16 and UTF-32, without an order in the name, read their byte order mark and leave it out, and are
  /// big-endian without one (RFC 2781 4.3). In all other charsets a byte order mark is a character like any
  /// other, U+FEFF; `decodeText(_:contentType:override:mode:)` leaves it out. The text may take
  /// several times as many octets as were given: limit those.
  ///
  /// - Throws: ``CharsetError/unknown(_:)`` if the system has no decoder, and in strict mode
  ///   ``CharsetError/undecodable(_:offset:)``.
  public func decode(_ bytes: UnsafeRawBufferPointer, mode: Mode = .strict) throws(CharsetError) -> String {
    let decoded: DecodingResult =
      switch coding {
      case .utf8: UTF8Decoder.decode(bytes, mode: mode)
      case .utf16(let order): UTF16Decoder.decode(bytes, order: order, mode: mode)
      case .utf32(let order): UTF32Decoder.decode(bytes, order: order, mode: mode)
      case .ascii, .latin1, .windows1252: SingleByteDecoder.decode(bytes, coding: coding, mode: mode)
      case .system(let name): SystemDecoder.decode(bytes, from: name, mode: mode)
      }
    switch decoded {
    case .text(let text): return text
    case .unknown: throw .unknown(name)
    case .undecodable(let offset): throw .undecodable(name, offset: offset)
    }
  }

  /// Decodes octets: as for a raw buffer.
  public func decode(_ bytes: [UInt8], mode: Mode = .strict) throws(CharsetError) -> String {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(CharsetError) in try decode(bytes, mode: mode) }
    }.get()
  }
}

/// What a decoder made of the octets.
enum DecodingResult {
  case text(String)
  /// There is no decoder of that name.
  case unknown
  /// The octets at the offset are wrong or cut off; in strict mode only.
  case undecodable(offset: Int)
}

extension UInt8 {
  fileprivate var isCharsetNameStart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  fileprivate var isCharsetNameOctet: Bool {
    switch self {
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: isCharsetNameStart
    }
  }
}
