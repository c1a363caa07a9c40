internal import StagecoachCore

/// Text in UTF-8: a string, or bytes of libxml2.
protocol MarkupText {
  func withMarkup<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
}

extension String: MarkupText {
  func withMarkup<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUTF8Bytes(body)
  }
}

extension UnsafeBufferPointer<UInt8>: MarkupText {
  func withMarkup<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { body(self) }
}

/// Appends markup to a buffer, in UTF-8 until it is finished.
///
/// Functions that append characters replace those that XML does not allow by U+FFFD and return the first of them.
struct MarkupWriter {
  /// The place of characters, which determines their escaping.
  enum Place {
    case text
    /// Between double quotes.
    case attribute
    /// A place without references: names, comments, processing instructions, CDATA sections.
    case verbatim
    /// The same in HTML (HTML 13.3).
    case htmlText, htmlAttribute
  }

  private let charset: Charset
  /// Whether a character has a place in the charset, as far as it was asked; nil for a charset that has all.
  private var places: [Unicode.Scalar: Bool]?
  /// All that was written, in UTF-8.
  private(set) var output: [UInt8] = []

  init(_ options: XML.WritingOptions) {
    charset = options.charset
    places = charset.name.hasPrefix("UTF-") ? nil : [:]
    if options.hasDeclaration { append("<?xml version=\"1.0\" encoding=\"\(charset.name)\"?>\n") }
  }

  /// All that was written, in the charset.
  consuming func finish() throws(CharsetError) -> [UInt8] {
    charset == .utf8 ? output : try charset.encode(String(decoding: output, as: UTF8.self))
  }

  /// All that was written, as text.
  consuming func text() -> String { String(decoding: output, as: UTF8.self) }

  /// Appends markup as it is.
  mutating func append(_ markup: some MarkupText) { markup.withMarkup { output.append(contentsOf: $0) } }

  /// Starts a line, `level` levels deep.
  mutating func startLine(_ level: Int) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<level { append("  ") }
  }

  /// Appends a name; an empty prefix is none.
  mutating func appendName(_ name: some MarkupText, prefix: some MarkupText) {
    if !prefix.withMarkup(\.isEmpty) {
      append(prefix)
      output.append(UInt8(ascii: ":"))
    }
    append(name)
  }

  /// Appends the declaration of a namespace; an empty prefix is that of the default namespace.
  @discardableResult
  mutating func appendDeclaration(of prefix: some MarkupText, _ uri: some MarkupText) -> Unicode.Scalar? {
    append(prefix.withMarkup(\.isEmpty) ? " xmlns" : " xmlns:")
    append(prefix)
    return appendValue(uri)
  }

  /// Appends the value of an attribute.
  @discardableResult
  mutating func appendValue(_ value: some MarkupText, in place: Place = .attribute) -> Unicode.Scalar? {
    append("=\"")
    defer { output.append(UInt8(ascii: "\"")) }
    return append(value, in: place)
  }

  /// Appends the identifiers of a document type, which has none with both kinds of quotes.
  @discardableResult
  mutating func appendIDs(_ publicID: String?, _ systemID: String?) -> Unicode.Scalar? {
    if publicID != nil { append(" PUBLIC") } else if systemID != nil { append(" SYSTEM") }
    var unwritable: Unicode.Scalar?
    for identifier in [publicID, systemID].compactMap({ $0 }) {
      let quote = identifier.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
      append(" " + quote)
      unwritable = append(identifier, in: .verbatim) ?? unwritable
      append(quote)
    }
    return unwritable
  }

  /// Appends characters, escaped for their place.
  @discardableResult
  mutating func append(_ text: some MarkupText, in place: Place) -> Unicode.Scalar? {
    text.withMarkup { append(characters: $0, in: place) }
  }

  private mutating func append(
    characters text: UnsafeBufferPointer<UInt8>,
    in place: Place
  ) -> Unicode.Scalar? {
    guard places != nil, place != .verbatim, !text.allSatisfy({ $0 < 0x80 }) else {
      return appendEscaped(text, in: place)
    }
    var forbidden: Unicode.Scalar?
    var run = ""
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      guard !hasPlace(scalar) else {
        run.unicodeScalars.append(scalar)
        continue
      }
      forbidden = run.withUTF8 { appendEscaped($0, in: place) } ?? forbidden
      run = ""
      append("&#\(scalar.value);")
    }
    return run.withUTF8 { appendEscaped($0, in: place) } ?? forbidden
  }

  private mutating func appendEscaped(
    _ text: UnsafeBufferPointer<UInt8>,
    in place: Place
  ) -> Unicode.Scalar? {
    var forbidden: Unicode.Scalar?
    var start = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte < 0x40 && Self.special >> byte & 1 != 0 || byte == 0xEF || byte == 0xC2,
        let escape = Self.escape(byte, in: place)
      else {
        index += 1
        continue
      }
      var length = 1
      if byte == 0xC2 {
        // U+00A0 is C2 A0.
        guard index + 1 < text.count, text[index + 1] == 0xA0 else {
          index += 1
          continue
        }
        length = 2
      } else if escape.isEmpty {
        guard let scalar = Self.forbidden(text, at: index) else {
          index += 1
          continue
        }
        forbidden = scalar
        length = scalar.utf8.count
      }
      output.append(contentsOf: text[start..<index])
      append(escape.isEmpty ? "\u{FFFD}" : escape)
      index += length
      start = index
    }
    output.append(contentsOf: text[start...])
    return forbidden
  }

  /// The bytes below 0x40 that have an escape anywhere: controls and `"&<>`, one bit each.
  private static let special: UInt64 = 0x5000_0044_FFFF_FFFF

  /// Returns the escape of a byte, if any; empty for a byte that may start a character that XML does not allow.
  private static func escape(_ byte: UInt8, in place: Place) -> String? {
    switch (byte, place) {
    case (0xC2, .htmlText), (0xC2, .htmlAttribute): "&nbsp;"
    case (0xC2, _): nil
    case (0xEF, _): ""
    case (..<0x20, .htmlText), (..<0x20, .htmlAttribute): nil
    // Readers make spaces of these in attributes, and a line feed of a carriage return.
    case (0x9, .attribute): "&#9;"
    case (0xA, .attribute): "&#10;"
    case (0xD, .text), (0xD, .attribute): "&#13;"
    case (0x9, _), (0xA, _), (0xD, _): nil
    case (..<0x20, _): ""
    case (_, .verbatim): nil
    case (UInt8(ascii: "&"), _): "&amp;"
    case (UInt8(ascii: "\""), .attribute), (UInt8(ascii: "\""), .htmlAttribute): "&quot;"
    case (_, .htmlAttribute): nil
    case (UInt8(ascii: "<"), _): "&lt;"
    // In text only needed behind `]]`.
    case (UInt8(ascii: ">"), _): "&gt;"
    default: nil
    }
  }

  /// The character at a place, if XML does not have it: controls, U+FFFE and U+FFFF (XML 1.0, section 2.2).
  private static func forbidden(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Unicode.Scalar? {
    guard text[index] == 0xEF else { return Unicode.Scalar(text[index]) }
    guard index + 2 < text.count, text[index + 1] == 0xBF, text[index + 2] >= 0xBE else { return nil }
    return text[index + 2] == 0xBE ? "\u{FFFE}" : "\u{FFFF}"
  }

  /// Appends a CDATA section, or several where the characters would end it or have to be escaped.
  @discardableResult
  mutating func appendCDATA(_ text: some MarkupText) -> Unicode.Scalar? {
    append("<![CDATA[")
    defer { append("]]>") }
    return text.withMarkup { text in
      var forbidden: Unicode.Scalar?
      var start = 0
      for (index, byte) in text.enumerated() {
        let isReturn = byte == 0xD
        guard isReturn || (byte == UInt8(ascii: ">") && text[..<index].suffix(2).elementsEqual("]]".utf8))
        else { continue }
        forbidden = append(UnsafeBufferPointer(rebasing: text[start..<index]), in: .verbatim) ?? forbidden
        append(isReturn ? "]]>&#13;<![CDATA[" : "]]><![CDATA[")
        start = isReturn ? index + 1 : index
      }
      return append(UnsafeBufferPointer(rebasing: text[start...]), in: .verbatim) ?? forbidden
    }
  }

  /// Appends a comment. Dashes that cannot follow each other are kept apart by spaces.
  @discardableResult
  mutating func appendComment(_ text: some MarkupText) -> Unicode.Scalar? {
    append("<!--")
    defer { append("-->") }
    return text.withMarkup { text in
      var forbidden: Unicode.Scalar?
      var isFirst = true
      for part in text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
        if !isFirst { append(part.isEmpty ? "- " : "-") }
        isFirst = false
        forbidden = append(UnsafeBufferPointer(rebasing: part), in: .verbatim) ?? forbidden
      }
      return forbidden
    }
  }

  /// Appends a processing instruction.
  @discardableResult
  mutating func appendProcessingInstruction(_ target: String, _ data: String) -> Unicode.Scalar? {
    append("<?" + target)
    if !data.isEmpty { append(" ") }
    defer { append("?>") }
    return append(data, in: .verbatim)
  }

  /// Whether the charset has a character.
  private mutating func hasPlace(_ scalar: Unicode.Scalar) -> Bool {
    // What XML does not have must not become a reference either.
    if scalar.isASCII || (0xFFFE...0xFFFF).contains(scalar.value) { return true }
    // Readers take ISO-8859-1 for windows-1252, which has other characters there.
    if charset == .isoLatin1, 0x80...0x9F ~= scalar.value { return false }
    if let known = places?[scalar] { return known }
    let hasPlace = (try? charset.encode(String(scalar))) != nil
    places?[scalar] = hasPlace
    return hasPlace
  }
}
