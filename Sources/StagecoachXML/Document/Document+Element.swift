extension XML.Document {
  /// Creates a document with an element as its root.
  ///
  /// The document is the result of parsing the element's text, so the limits of a parsed document apply. Lines are
  /// counted in the compact text.
  ///
  /// - Parameters:
  ///   - element: The root element.
  ///   - limits: The limits of the document.
  /// - Throws: ``XML/ElementError`` for anything that XML cannot represent, with its position, or for an exceeded
  ///   limit.
  public convenience init(
    element: XML.Element,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ElementError) {
    let bytes = try element.serialized()
    let parser = XML.DocumentParser(encoding: "utf-8", limits: limits)
    do throws(XML.ParseError) {
      try bytes.withUnsafeBufferPointer { bytes throws(XML.ParseError) in
        try parser.append(UnsafeRawBufferPointer(bytes))
      }
      self.init(sharing: try parser.finish())
    } catch {
      let path = "/" + element.name.qualifiedName
      guard case .limit(let name, let value) = error.reason else {
        throw XML.ElementError(reason: .unreadable(error.reason), path: path)
      }
      throw XML.ElementError(reason: .limit(name: name, value: value), path: path)
    }
  }
}
