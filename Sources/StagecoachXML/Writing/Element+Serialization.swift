extension XML.Element {
  /// Returns the element as an XML document.
  ///
  /// Namespaces are declared where they are first needed. A name keeps its prefix unless that has another meaning
  /// there; attributes that need a prefix and have none get `ns1` and so on; elements without prefix use the default
  /// namespace. Parsing the text gives an equal element, except for line ends in comments and processing instructions,
  /// and adjacent texts, which are merged.
  ///
  /// - Parameter options: The options for writing; compact, without a declaration, in UTF-8 by default.
  /// - Throws: ``XML/ElementError`` for anything that XML cannot represent, with its position.
  public func serialized(
    _ options: XML.WritingOptions = XML.WritingOptions()
  ) throws(XML.ElementError) -> [UInt8] {
    try ElementWriter.write(self, options)
  }

  /// The element as compact XML without a declaration; see ``serialized(_:)``.
  ///
  /// - Throws: ``XML/ElementError`` for anything that XML cannot represent, with its position.
  public var xmlString: String {
    get throws(XML.ElementError) { try ElementWriter.text(of: self) }
  }
}
