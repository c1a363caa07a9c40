public import StagecoachCore

extension XML.Node {
  /// The node as XML.
  ///
  /// An element carries all namespace declarations that are in scope, also those of its ancestors, so the
  /// text is well formed by itself and prefixes in values keep their meaning. The options for a
  /// declaration and layout are for elements and documents.
  ///
  /// - Parameter options: How it is written; compact, without a declaration, in UTF-8 by default.
  /// - Throws: If the system does not know the charset, or it lacks a character of a name, comment,
  ///   processing instruction, CDATA section or DTD. Characters of texts and attributes become references.
  public func serialized(
    _ options: XML.WritingOptions = XML.WritingOptions()
  ) throws(CharsetError) -> [UInt8] {
    try written(options).finish()
  }

  /// The node as XML, compact and in UTF-8; of the document it is the whole text with a declaration, of
  /// any other node the text alone. See ``serialized(_:)``.
  public var xmlString: String {
    written(XML.WritingOptions(hasDeclaration: kind == .document)).text()
  }

  private func written(_ options: XML.WritingOptions) -> MarkupWriter {
    var options = options
    if kind != .document, kind != .element { options.hasDeclaration = false }
    var writer = NodeWriter(document, options)
    writer.write(self)
    return writer.markup
  }
}

extension XML.Document {
  /// The document as XML, with the DTD it came with; see ``XML/Node/serialized(_:)``.
  ///
  /// - Parameter options: How it is written; compact, without a declaration, in UTF-8 by default.
  /// - Throws: What the charset cannot say.
  public func serialized(
    _ options: XML.WritingOptions = XML.WritingOptions()
  ) throws(CharsetError) -> [UInt8] {
    try node.serialized(options)
  }
}
