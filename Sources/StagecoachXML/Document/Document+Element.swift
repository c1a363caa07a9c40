extension XML.Document {
  /// A document with this element as its root.
  ///
  /// It is what a reader makes of the element's text, so it has the limits of a document that was parsed.
  /// Lines are counted in the compact text.
  ///
  /// - Parameters:
  ///   - element: The root.
  ///   - limits: What the document may cost.
  /// - Throws: What XML cannot say, and where it stands; a limit of the parser.
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
