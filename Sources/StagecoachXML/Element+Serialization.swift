extension XML.Element {
  /// The element as XML, a document of its own.
  ///
  /// Namespaces are declared where they are needed first. A name keeps its prefix unless that means
  /// something else there; attributes that need one and have none get `ns1` and so on; elements without
  /// prefix use the default namespace. Parsing the text gives back an equal element, but for line ends in
  /// comments and processing instructions, and texts that stand side by side, which become one.
  ///
  /// - Parameter options: How it is written; compact, without a declaration, in UTF-8 by default.
  /// - Throws: What XML cannot say, and where it stands.
  public func serialized(
    _ options: XML.WritingOptions = XML.WritingOptions()
  ) throws(XML.ElementError) -> [UInt8] {
    try ElementWriter.write(self, options)
  }

  /// The element as XML, compact and without a declaration; see ``serialized(_:)``.
  ///
  /// - Throws: What XML cannot say, and where it stands.
  public var xmlString: String {
    get throws(XML.ElementError) { try ElementWriter.text(of: self) }
  }
}
