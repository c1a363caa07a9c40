public import StagecoachCore

extension XML.Document {
  /// Parses a complete document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - encoding: The charset of the transport, which overrides the document's declaration.
  ///   - limits: The limits of the document.
  /// - Throws: ``XML/ParseError`` if it is not a valid document.
  public convenience init(
    parsing bytes: Bytes,
    encoding: String? = nil,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    let parser = XML.DocumentParser(encoding: encoding, limits: limits)
    try parser.append(bytes)
    self.init(sharing: try parser.finish())
  }

  /// Parses a document from a text, ignoring its declared encoding; see ``init(parsing:encoding:limits:)``.
  public convenience init(
    parsing text: String,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ParseError) {
    try self.init(parsing: Bytes(text), encoding: "utf-8", limits: limits)
  }
}

extension XML.DocumentParser {
  /// Parses the next bytes, such as a chunk of a body.
  ///
  /// - Throws: ``XML/ParseError`` if it is not a valid document. Every later call throws it again.
  public func append(_ bytes: Bytes) throws(XML.ParseError) {
    try bytes.withUnsafeBytes { bytes throws(XML.ParseError) in try append(bytes) }
  }
}
