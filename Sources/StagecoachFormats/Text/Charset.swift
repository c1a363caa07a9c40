/// A character encoding with its IANA name, which can decode and encode text.
///
/// UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 and windows-1252 are built in. All other charsets use the `iconv` of
/// the C library, so their availability depends on the system: see ``isSupported``. With glibc, a charset of the web
/// (WHATWG Encoding 4.2) is decoded as there, and in lossy mode U+FFFD stands for the same malformed octets; another
/// C library can have other characters for some octets.
public struct Charset: Sendable, Hashable {
  /// The name of the charset, which is one of its labels; for an unknown label, the label in upper case.
  public let name: String

  package let coding: Coding

  /// The implementation of a charset.
  package enum Coding: Sendable, Hashable {
    case utf8
    /// UTF-16; without a byte order, a byte order mark decides, otherwise it is big-endian.
    case utf16(ByteOrder?)
    case utf32(ByteOrder?)
    case ascii
    case latin1
    case windows1252
    /// ASCII, and U+F780 to U+F7FF for the other octets.
    case userDefined
    /// Any text is one U+FFFD: a charset that browsers refuse, because it hides markup.
    case replacement
    /// ISO-2022-JP as on the web; the characters are those of `iconv`.
    case iso2022JP
    /// A charset of `iconv`, with its name there.
    case system(String)
  }

  package enum ByteOrder: Sendable, Hashable {
    case bigEndian, littleEndian
  }

  init(name: String, coding: Coding) {
    self.name = name
    self.coding = coding
  }

  /// Creates the charset with a label, ignoring case and whitespace around it, or `nil` if the label is not a valid
  /// name: a letter or digit, then up to 39 letters, digits and `.` `_` `:` `+` `-`.
  ///
  /// Labels mean what they mean on the web (WHATWG Encoding 4.2), which is often a superset: `gb2312` means GBK,
  /// `euc-kr` windows-949, `iso-8859-1` and `us-ascii` windows-1252, `utf-16` UTF-16LE. Other labels are names of
  /// Unicode charsets or of the `iconv` of this system.
  public init?(_ label: String) {
    let label = label.trimmingASCIISpace
    // Of a name like "+", glibc drops everything, and takes the empty rest for the locale's charset.
    guard label.utf8.count <= 40, label.utf8.first?.isCharsetNameStart == true,
      label.utf8.allSatisfy(\.isCharsetNameOctet)
    else { return nil }
    self = Self.labelled(label) ?? Charset(name: label.uppercased(), coding: .system(label.uppercased()))
  }

  /// Whether this system can decode octets in this charset.
  public var isSupported: Bool {
    switch coding {
    case .system(let name): SystemDecoder.isKnown(name)
    case .iso2022JP: ISO2022JPDecoder() != nil
    default: true
    }
  }

  /// The handling of octets that are not text in the charset.
  public enum Mode: Sendable, Hashable {
    /// The first such octet is an error.
    case strict
    /// Each such sequence becomes U+FFFD.
    case lossy
  }

  /// Decodes octets.
  ///
  /// UTF-16 and UTF-32, without a byte order in the name, read and remove a byte order mark, and are big-endian
  /// without one (RFC 2781 4.3). In all other charsets a byte order mark is an ordinary character, U+FEFF;
  /// `decodeText(_:contentType:override:mode:)` removes it. Octets that a windows charset leaves unassigned in
  /// 0x80-0x9F are the control characters with the same number, as on the web. The text may need several times as many
  /// octets as the input, so limit the input.
  ///
  /// - Throws: ``CharsetError/unknown(_:)`` if the system has no decoder, and in strict mode
  ///   ``CharsetError/undecodable(_:offset:)``.
  public func decode(_ bytes: UnsafeRawBufferPointer, mode: Mode = .strict) throws(CharsetError) -> String {
    let decoded: DecodingResult =
      switch coding {
      case .utf8: UTF8Decoder.decode(bytes, mode: mode)
      case .utf16(let order): UTF16Decoder.decode(bytes, order: order, mode: mode)
      case .utf32(let order): UTF32Decoder.decode(bytes, order: order, mode: mode)
      case .ascii, .latin1, .windows1252, .userDefined:
        SingleByteDecoder.decode(bytes, coding: coding, mode: mode)
      case .replacement:
        bytes.isEmpty ? .text("") : mode == .strict ? .undecodable(offset: 0) : .text("\u{FFFD}")
      case .iso2022JP: ISO2022JPDecoder.decode(bytes, mode: mode)
      case .system(let name): SystemDecoder.decode(bytes, from: name, mode: mode)
      }
    switch decoded {
    case .text(let text): return text
    case .unknown: throw .unknown(name)
    case .undecodable(let offset): throw .undecodable(name, offset: offset)
    }
  }

  /// Decodes octets, like the function for a raw buffer.
  public func decode(_ bytes: [UInt8], mode: Mode = .strict) throws(CharsetError) -> String {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(CharsetError) in try decode(bytes, mode: mode) }
    }.get()
  }
}

/// The result of a decoder.
enum DecodingResult {
  case text(String)
  /// There is no decoder with that name.
  case unknown
  /// The octets at the offset are ill-formed or incomplete; only in strict mode.
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
