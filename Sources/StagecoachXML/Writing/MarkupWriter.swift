internal import StagecoachCore

/// Appends markup to a buffer, in UTF-8 until it is finished.
struct MarkupWriter {
  /// The place of characters, which determines their escaping.
  enum Place {
    case text
    /// Between double quotes.
    case attribute
    /// A place without references: names, comments, processing instructions, CDATA sections.
    case verbatim
  }

  private let charset: Charset
  /// Whether a character has a place in the charset, as far as it was asked; nil for a charset that has all.
  private var places: [Unicode.Scalar: Bool]?
  /// All that was written, in UTF-8.
  private(set) var output: [UInt8] = []

  init(_ options: XML.WritingOptions) {
    charset = options.charset
    places = charset.name.hasPrefix("UTF-") ? nil : [:]
    guard options.hasDeclaration else { return }
    append("<?xml version=\"1.0\" encoding=\"")
    append(charset.name)
    append("\"?>\n")
  }

  /// All that was written, in the charset.
  consuming func finish() throws(CharsetError) -> [UInt8] {
    charset == .utf8 ? output : try charset.encode(String(decoding: output, as: UTF8.self))
  }

  /// All that was written, as text.
  consuming func text() -> String { String(decoding: output, as: UTF8.self) }

  /// Appends markup as it is.
  mutating func append(_ markup: StaticString) {
    markup.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  /// Appends a text that needs no escaping.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { output.append(contentsOf: $0) }
  }

  /// Appends bytes that need no escaping.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { output.append(contentsOf: bytes) }

  /// Starts a line, `level` levels deep.
  mutating func startLine(_ level: Int) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<level { append("  ") }
  }

  /// Appends characters, escaped for their place.
  ///
  /// - Returns: A character that XML does not allow, if any, which is replaced by U+FFFD.
  @discardableResult
  mutating func append(_ text: String, in place: Place) -> Unicode.Scalar? {
    var text = text
    return text.withUTF8 { append($0, in: place) }
  }

  /// Appends UTF-8, escaped for its place.
  ///
  /// - Returns: A character that XML does not allow, if any, which is replaced by U+FFFD.
  @discardableResult
  mutating func append(_ text: UnsafeBufferPointer<UInt8>, in place: Place) -> Unicode.Scalar? {
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
      guard byte < 0x40 || byte == 0xEF, let escape = Self.escape(byte, in: place) else {
        index += 1
        continue
      }
      var length = 1
      if escape.utf8CodeUnitCount == 0 {
        guard let scalar = Self.forbidden(text, at: index) else {
          index += 1
          continue
        }
        forbidden = scalar
        length = scalar.utf8.count
      }
      output.append(contentsOf: text[start..<index])
      append(escape.utf8CodeUnitCount == 0 ? "\u{FFFD}" : escape)
      index += length
      start = index
    }
    output.append(contentsOf: text[start...])
    return forbidden
  }

  /// Returns the escape of a byte, if any; empty for a byte that may start a character that XML does not allow.
  private static func escape(_ byte: UInt8, in place: Place) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): place == .verbatim ? nil : "&amp;"
    case UInt8(ascii: "<"): place == .verbatim ? nil : "&lt;"
    // In text only needed behind `]]`.
    case UInt8(ascii: ">"): place == .verbatim ? nil : "&gt;"
    case UInt8(ascii: "\""): place == .attribute ? "&quot;" : nil
    // Readers make spaces of these in attributes, and a line feed of a carriage return.
    case 0x9: place == .attribute ? "&#9;" : nil
    case 0xA: place == .attribute ? "&#10;" : nil
    case 0xD: place == .verbatim ? nil : "&#13;"
    case 0..<0x20, 0xEF: ""
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
  mutating func appendCDATA(_ text: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    var forbidden: Unicode.Scalar?
    var start = 0
    append("<![CDATA[")
    for (index, byte) in text.enumerated() {
      let isReturn = byte == 0xD
      guard isReturn || (byte == UInt8(ascii: ">") && text[..<index].suffix(2).elementsEqual("]]".utf8))
      else {
        continue
      }
      forbidden = append(UnsafeBufferPointer(rebasing: text[start..<index]), in: .verbatim) ?? forbidden
      append(isReturn ? "]]>&#13;<![CDATA[" : "]]><![CDATA[")
      start = isReturn ? index + 1 : index
    }
    forbidden = append(UnsafeBufferPointer(rebasing: text[start...]), in: .verbatim) ?? forbidden
    append("]]>")
    return forbidden
  }

  /// Appends a CDATA section.
  mutating func appendCDATA(_ text: String) -> Unicode.Scalar? {
    var text = text
    return text.withUTF8 { appendCDATA($0) }
  }

  /// Appends a comment. Dashes that cannot follow each other are kept apart by spaces.
  @discardableResult
  mutating func appendComment(_ text: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    var forbidden: Unicode.Scalar?
    append("<!--")
    var isFirst = true
    for part in text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      if !isFirst { append(part.isEmpty ? "- " : "-") }
      isFirst = false
      forbidden = append(UnsafeBufferPointer(rebasing: part), in: .verbatim) ?? forbidden
    }
    append("-->")
    return forbidden
  }

  /// Appends a comment.
  mutating func appendComment(_ text: String) -> Unicode.Scalar? {
    var text = text
    return text.withUTF8 { appendComment($0) }
  }

  /// Appends a processing instruction.
  @discardableResult
  mutating func appendProcessingInstruction(_ target: String, _ data: String) -> Unicode.Scalar? {
    append("<?")
    append(target)
    if !data.isEmpty { append(" ") }
    let forbidden = append(data, in: .verbatim)
    append("?>")
    return forbidden
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
