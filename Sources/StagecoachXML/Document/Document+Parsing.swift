public import StagecoachCore

extension XML.Document {
  /// Parses a document that is there as a whole.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - limits: What the document may cost.
  /// - Throws: The reason why this is no document that can be read.
  public convenience init(
    parsing bytes: Bytes,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    let parser = XML.DocumentParser(encoding: encoding, limits: limits)
    try parser.append(bytes)
    self.init(sharing: try parser.finish())
  }

  /// Parses a document that is a text, whatever encoding it declares; see ``init(parsing:encoding:limits:)``.
  public convenience init(
    parsing text: String,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    try self.init(parsing: Bytes(text), encoding: "utf-8", limits: limits)
  }

  /// Parses a page that is there as a whole; see ``XML/HTMLParser``.
  ///
  /// - Parameters:
  ///   - bytes: The page.
  ///   - encoding: The charset of the transport, which wins over what the page says.
  ///   - limits: What the page may cost.
  /// - Throws: The limit that does not hold; `empty` if there is neither an element nor text.
  public convenience init(
    parsingHTML bytes: Bytes,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    let parser = XML.HTMLParser(encoding: encoding, limits: limits)
    try parser.append(bytes)
    self.init(sharing: try parser.finish())
  }

  /// Parses a page that is a text, whatever charset it names; see ``init(parsingHTML:encoding:limits:)``.
  public convenience init(
    parsingHTML text: String,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    try self.init(parsingHTML: Bytes(text), encoding: "utf-8", limits: limits)
  }
}

extension XML.DocumentParser {
  /// Parses the next bytes, such as a chunk of a body.
  ///
  /// - Throws: The reason why this is no document that can be read. Every later call throws it again.
  public func append(_ bytes: Bytes) throws(XML.ParseError) {
    try bytes.withUnsafeBytes { bytes throws(XML.ParseError) in try append(bytes) }
  }
}

extension XML.HTMLParser {
  /// Parses the next bytes, such as a chunk of a body.
  ///
  /// - Throws: The limit that does not hold. Every later call throws it again.
  public func append(_ bytes: Bytes) throws(XML.ParseError) {
    try bytes.withUnsafeBytes { bytes throws(XML.ParseError) in try append(bytes) }
  }
}
