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
    self.init(sharing: try Self.parse(element.serialized(), with: element, limits: limits))
  }

  /// Returns the document with another root element, such as a changed copy of its own.
  ///
  /// The document type keeps its name and identifiers. Its internal subset is dropped: a document has the text of its
  /// entities in place of references, and the default attributes. Comments and processing instructions outside of the
  /// root keep their places. Otherwise as ``init(element:limits:)``.
  ///
  /// ```swift
  /// let document = try XML.Document(parsing: bytes)
  /// var page = XML.Element(document)
  /// page["lang"] = "en"
  /// let changed = try document.replacingRoot(with: page)
  /// ```
  ///
  /// - Parameters:
  ///   - element: The root element.
  ///   - limits: The limits of the document.
  /// - Throws: ``XML/ElementError`` for anything that XML cannot represent, with its position, or for an exceeded
  ///   limit.
  public func replacingRoot(
    with element: XML.Element,
    limits: XML.Limits = XML.Limits()
  ) throws(XML.ElementError) -> XML.Document {
    var writer = NodeWriter(self)
    for child in node.children {
      switch child.kind {
      case .element: writer.markup.append(try element.xmlString)
      case .documentType: child.withPointer { writer.writeDocumentType($0, hasSubset: false) }
      case .processingInstruction where isHTML:
        writer.markup.appendProcessingInstruction(child.name.asXMLName, child.text)
      default: writer.write(child)
      }
      writer.markup.startLine(0)
    }
    return try Self.parse(writer.markup.output, with: element, limits: limits)
  }

  private static func parse(
    _ bytes: [UInt8],
    with element: XML.Element,
    limits: XML.Limits
  ) throws(XML.ElementError) -> XML.Document {
    let parser = XML.DocumentParser(encoding: "utf-8", limits: limits)
    do throws(XML.ParseError) {
      try bytes.withUnsafeBufferPointer { bytes throws(XML.ParseError) in
        try parser.append(UnsafeRawBufferPointer(bytes))
      }
      return try parser.finish()
    } catch {
      let path = "/" + element.name.qualifiedName
      guard case .limit(let name, let value) = error.reason else {
        throw XML.ElementError(reason: .unreadable(error.reason), path: path)
      }
      throw XML.ElementError(reason: .limit(name: name, value: value), path: path)
    }
  }
}
