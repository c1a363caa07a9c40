package import StagecoachCore

/// Which encoding a document is in, before its own declaration has been parsed (RFC 7303, section 3).
enum DocumentEncoding: Equatable {
  /// A Unicode encoding, which libxml2 reads, by the transport or a byte order mark of this length; or an encoding with
  /// a name that only libxml2 may know.
  case known(name: String, markLength: Int)
  /// A charset that is decoded before libxml2 gets the text, and its name in the declaration if that decides.
  case decoded(Charset, declared: String?)
  /// The document's declaration decides, or else it is UTF-8.
  case declared

  /// The maximum number of bytes that are searched for the end of an XML declaration.
  private static let lookahead = 1024

  /// Whether these first bytes are enough to determine the encoding.
  static func isDecided(by start: [UInt8]) -> Bool {
    guard start.count >= 4 else { return false }
    return !start.starts(with: "<?xm".utf8) || start.last == UInt8(ascii: ">") || start.count >= lookahead
  }

  /// Determines the encoding from the start of a document: a byte order mark overrides the charset of the transport,
  /// which overrides the XML declaration. Labels mean what they mean on the web.
  ///
  /// - Parameters:
  ///   - start: The first bytes, up to the end of the XML declaration.
  ///   - label: The charset of the transport.
  init(start: [UInt8], charset label: String?) {
    if let (name, count) = Self.mark(of: start) {
      self = .known(name: name, markLength: count)
    } else if let label {
      guard let charset = Charset(label)?.settingByteOrder(by: start), charset.isSupported else {
        self = .known(name: label, markLength: 0)
        return
      }
      self =
        charset.isUnicode ? .known(name: charset.name, markLength: 0) : .decoded(charset, declared: nil)
    } else if let label = start.withUnsafeBytes(Self.declaredLabel), let charset = Charset(label),
      charset.isSupported, !charset.isUnicode
    {
      self = .decoded(charset, declared: label)
    } else {
      self = .declared
    }
  }

  private static func mark(of start: [UInt8]) -> (name: String, count: Int)? {
    // UTF-32 first: its little-endian mark begins with that of UTF-16.
    let marks: [(mark: [UInt8], name: String)] = [
      ([0xFF, 0xFE, 0, 0], "UTF-32LE"),
      ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
      ([0xEF, 0xBB, 0xBF], "UTF-8"),
      ([0xFF, 0xFE], "UTF-16LE"),
      ([0xFE, 0xFF], "UTF-16BE"),
    ]
    return marks.first { start.starts(with: $0.mark) }.map { ($0.name, $0.mark.count) }
  }

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
  /// Whether libxml2 itself reads the charset: UTF-8, UTF-16 or UTF-32.
  fileprivate var isUnicode: Bool {
    self == .utf8 || name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32")
  }

  /// The charset, in big-endian order if it is UTF-16LE and markup begins in big-endian order: the label `utf-16` means
  /// either, and the byte order mark that would tell is missing.
  func settingByteOrder(by start: [UInt8]) -> Charset {
    self == .utf16LE && start.starts(with: [0, UInt8(ascii: "<")]) ? .utf16BE : self
  }

  /// The charset that an XML declaration names at the start of a document; `nil` if there is none or it is unknown.
  package static func declared(inXML bytes: UnsafeRawBufferPointer) -> Charset? {
    DocumentEncoding.declaredLabel(in: bytes).flatMap { Charset($0) }.flatMap { $0.isSupported ? $0 : nil }
  }

  /// The charset that HTML declares in its first 1024 bytes; `nil` if there is none or it is unknown.
  package static func declared(inHTML bytes: UnsafeRawBufferPointer) -> Charset? {
    HTMLPrescan.charset(of: Array(bytes.prefix(HTMLEncoding.lookahead)))
  }
}
