public import StagecoachCore

extension XML.Node {
  /// Returns the node as XML.
  ///
  /// An element is written with all namespace declarations in scope, including those of its ancestors, so that the
  /// text is well-formed by itself and prefixes in values keep their meaning. The options for a declaration and layout
  /// apply to elements and documents.
  ///
  /// - Parameter options: The options for writing; compact, without a declaration, in UTF-8 by default.
  /// - Throws: `CharsetError` if the system does not support the charset, or a name, comment, processing instruction,
  ///   CDATA section or DTD contains a character that is not in it. In texts and attributes such characters become
  ///   references.
  public func serialized(
    _ options: XML.WritingOptions = XML.WritingOptions()
  ) throws(CharsetError) -> [UInt8] {
    try written(options).finish()
  }

  /// The node as compact XML in UTF-8, with a declaration if it is the document. See ``serialized(_:)``.
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
  /// Returns the document as XML, with its DTD; see ``XML/Node/serialized(_:)``.
  ///
  /// - Parameter options: The options for writing; compact, without a declaration, in UTF-8 by default.
  /// - Throws: `CharsetError` for anything that the charset cannot represent.
  public func serialized(
    _ options: XML.WritingOptions = XML.WritingOptions()
  ) throws(CharsetError) -> [UInt8] {
    try node.serialized(options)
  }
}
