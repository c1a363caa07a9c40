/// A character encoding with its IANA name, which can decode and encode text.
///
/// UTF-8, ISO-8859-1 and windows-1252 are built in. All other charsets use the `iconv` of the C library, so their
/// availability and their characters depend on the system: see ``isSupported``. A program that is linked to glibc
/// statically, or runs in a container without the directory `gconv`, has none of them but US-ASCII; musl contains the
/// common ones.
public struct Charset: Sendable, Hashable {
  /// The name of the charset, which is one of its labels; for an unknown label, the label in upper case.
  public let name: String

  package let coding: Coding

  /// The implementation of a charset.
  package enum Coding: Sendable, Hashable {
    case utf8
    case latin1
    case windows1252
    /// A charset of `iconv`, with its name there.
    case system(String)
  }

  init(name: String, coding: Coding) {
    self.name = name
    self.coding = coding
  }

  /// Creates the charset with a label, ignoring case and whitespace around it, or `nil` if the label is not a valid
  /// name: a letter or digit, then up to 39 letters, digits and `.` `_` `:` `+` `-`.
  ///
  /// Labels mean what they mean on the web (WHATWG Encoding 4.2), which is often a superset: `gb2312` means GBK,
  /// `euc-kr` windows-949, `iso-8859-1` and `us-ascii` windows-1252, `utf-16` UTF-16LE. The charsets that browsers
  /// refuse, ISO-2022-KR and its like, are never supported. Other labels are names of Unicode charsets or of the `iconv`
  /// of this system.
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
    if case .system(let name) = coding { SystemDecoder(name) != nil } else { true }
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
  /// 0x80-0x9F are the control characters with the same number, as on the web. In lossy mode an ASCII octet is never
  /// part of what becomes U+FFFD, since it could end an attribute or a tag. The text may need several times as many
  /// octets as the input, so limit the input.
  ///
  /// - Throws: ``CharsetError/unknown(_:)`` if the system has no decoder, and in strict mode
  ///   ``CharsetError/undecodable(_:offset:)``.
  public func decode(_ bytes: UnsafeRawBufferPointer, mode: Mode = .strict) throws(CharsetError) -> String {
    switch coding {
    case .utf8:
      if mode == .lossy { return String(decoding: bytes, as: UTF8.self) }
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      throw .undecodable(name, offset: Self.lengthOfUTF8(at: bytes))
    case .latin1, .windows1252: return SingleByteCoder.decode(bytes, coding)
    case .system(var systemName):
      let isOrdered = self != .utf16 && self != .utf32
      if !isOrdered, bytes.starts(with: [0xFF, 0xFE]) { systemName += "LE" }
      guard let decoder = SystemDecoder(systemName) else { throw .unknown(name) }
      var (text, count, isMalformed) = decoder.decode(bytes, mode: mode, isLast: true)
      if isMalformed { throw .undecodable(name, offset: count) }
      if !isOrdered, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
      return text
    }
  }

  /// The number of octets before the first ill-formed sequence.
  private static func lengthOfUTF8(at bytes: UnsafeRawBufferPointer) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var octets = bytes.makeIterator()
    var length = 0
    while case .valid(let scalar) = parser.parseScalar(from: &octets) { length += scalar.count }
    return length
  }

  /// Decodes octets, like the function for a raw buffer.
  public func decode(_ bytes: [UInt8], mode: Mode = .strict) throws(CharsetError) -> String {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(CharsetError) in try decode(bytes, mode: mode) }
    }.get()
  }
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
