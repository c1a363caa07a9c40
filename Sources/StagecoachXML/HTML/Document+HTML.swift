public import StagecoachCore

extension XML.Document {
  /// Parses a complete HTML page; see ``XML/HTMLParser``.
  ///
  /// - Parameters:
  ///   - bytes: The page.
  ///   - encoding: The charset of the transport, which overrides the charset in the page.
  ///   - limits: The limits of the page.
  /// - Throws: ``XML/ParseError`` if a limit is exceeded; `empty` if there is neither an element nor text.
  public convenience init(
    parsingHTML bytes: Bytes,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    let parser = XML.HTMLParser(encoding: encoding, limits: limits)
    try parser.append(bytes)
    self.init(sharing: try parser.finish())
  }

  /// Parses an HTML page from a text, ignoring its declared charset; see ``init(parsingHTML:encoding:limits:)``.
  public convenience init(
    parsingHTML text: String,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    try self.init(parsingHTML: Bytes(text), encoding: "utf-8", limits: limits)
  }
}

extension XML.HTMLParser {
  /// Parses the next bytes, such as a chunk of a body.
  ///
  /// - Throws: ``XML/ParseError`` if a limit is exceeded. Every later call throws it again.
  public func append(_ bytes: Bytes) throws(XML.ParseError) {
    try bytes.withUnsafeBytes { bytes throws(XML.ParseError) in try append(bytes) }
  }
}
