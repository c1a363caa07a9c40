package import StagecoachCore

/// The charset of a document, before its own declaration has been parsed (RFC 7303, section 3). Text in another charset
/// than UTF-8 is decoded before libxml2 gets it.
struct DocumentEncoding {
  let charset: Charset
  /// The length of the byte order mark.
  private(set) var markLength = 0
  /// The label in the XML declaration, unless a byte order mark or the transport decides.
  private(set) var declared: String?

  /// The maximum number of bytes that are searched for the end of an XML declaration.
  static let lookahead = 1024

  /// Whether these first bytes are enough to determine the encoding.
  static func isDecided(by start: [UInt8]) -> Bool {
    // Four octets are one character of UTF-32.
    guard start.count >= (start.prefix(4).contains(0) ? 8 : 4) else { return false }
    let hasDeclaration = start.prefix(8).filter { $0 != 0 }.starts(with: "<?".utf8)
    return !hasDeclaration || start.count >= lookahead || start.contains(UInt8(ascii: ">"))
  }

  /// Determines the encoding from the start of a document: a byte order mark overrides the charset of the transport,
  /// which overrides the XML declaration. Labels mean what they mean on the web.
  ///
  /// - Parameters:
  ///   - start: The first bytes, up to the end of the XML declaration.
  ///   - label: The charset of the transport.
  init(start: [UInt8], charset label: String?) throws(XML.ParseError) {
    if let (charset, length) = start.withUnsafeBytes({ Charset.detectBOM($0) }) {
      (self.charset, markLength) = (charset, length)
      guard charset.isSupported else {
        throw XML.ParseError(reason: .unsupportedEncoding(name: charset.name))
      }
    } else if let label {
      guard let charset = Charset(label)?.settingByteOrder(by: start), charset.isSupported else {
        throw XML.ParseError(reason: .unsupportedEncoding(name: label))
      }
      self.charset = charset
    } else {
      declared = start.filter { $0 != 0 }.withUnsafeBytes(Self.declaredLabel)
      let charset = Self.widths.first { start.starts(with: $0.start) }?.charset
      // An invalid label is left to libxml2.
      self.charset = charset ?? declared.flatMap { Charset($0)?.compatibleWithASCII } ?? .utf8
      guard self.charset.isSupported else {
        let name = declared ?? self.charset.name
        throw XML.ParseError(reason: .unsupportedEncoding(name: name), line: 1, column: 1)
      }
    }
  }

  /// How markup begins in charsets without a byte order mark (XML 1.0, appendix F); the widest first.
  private static let widths: [(start: [UInt8], charset: Charset)] = [
    ([0x3C, 0, 0, 0], .utf32LE), ([0, 0, 0, 0x3C], .utf32BE), ([0x3C, 0], .utf16LE), ([0, 0x3C], .utf16BE),
  ]

  /// The label in `<?xml … encoding="…"?>`, if that is ASCII.
  static func declaredLabel(in start: UnsafeRawBufferPointer) -> String? {
    let bytes = start.assumingMemoryBound(to: UInt8.self)
    guard bytes.starts(with: "<?xml".utf8), bytes.dropFirst(5).first?.isHTMLSpace == true,
      let end = bytes.firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    var tag = HTMLTagScanner()
    // Read like a tag it has the same attributes.
    guard tag.scan(UnsafeBufferPointer(rebasing: bytes[...end])) != nil else { return nil }
    let attribute = tag.attributes.first {
      bytes[$0.name].lazy.map(\.asciiLowercased).elementsEqual("encoding".utf8)
    }
    return attribute?.value.map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}

extension Charset {
  /// The charset, in big-endian order if it is UTF-16LE and markup begins in big-endian order: the label `utf-16` means
  /// either, and the byte order mark that would tell is missing.
  func settingByteOrder(by start: [UInt8]) -> Charset {
    self == .utf16LE && start.starts(with: [0, UInt8(ascii: "<")]) ? .utf16BE : self
  }

  /// The charset, or UTF-8 instead of UTF-16 and UTF-32: a declaration that was read as ASCII is in neither.
  var compatibleWithASCII: Charset {
    let wide: [Charset] = [.utf16, .utf16BE, .utf16LE, .utf32, .utf32BE, .utf32LE]
    return wide.contains(self) ? .utf8 : self
  }

  /// The charset that an XML declaration names at the start of a document; `nil` if there is none or it is unknown.
  package static func declared(inXML bytes: UnsafeRawBufferPointer) -> Charset? {
    DocumentEncoding.declaredLabel(in: bytes).flatMap { Charset($0) }.flatMap { $0.isSupported ? $0 : nil }
  }

  /// The charset that HTML declares in its first 1024 bytes; `nil` if there is none or it is unknown.
  package static func declared(inHTML bytes: UnsafeRawBufferPointer) -> Charset? {
    HTMLPrescan.charset(of: Array(bytes.prefix(HTMLEncoding.lookahead))).flatMap { $0.isSupported ? $0 : nil }
  }
}
