internal import CLibXML2

/// Writes a document of a schema for libxml2 to compile: the parsed content without document type, comments and
/// processing instructions, and with other references.
///
/// So libxml2 only sees content within the limits, and requests documents by generated names. Every start tag ends in
/// its original line, so that the lines of errors are correct.
struct SchemaText {
  private var markup = MarkupWriter(XML.WritingOptions())
  private var line = 1
  /// Returns the replacement of the value of an attribute; `nil` for the value itself.
  private let replacement: (XML.Node, XML.Node) -> String?

  init(of document: XML.Document, replacing replacement: @escaping (XML.Node, XML.Node) -> String?) {
    self.replacement = replacement
    append(document.root)
  }

  var bytes: [UInt8] { markup.output }

  /// Appends an element. The depth of a document is limited.
  private mutating func append(_ element: XML.Node) {
    markup.append("<")
    markup.append(element.name)
    element.forEachDeclaration { prefix, uri in
      markup.append(" xmlns")
      if let prefix { markup.append(":" + String(libxml: prefix)) }
      write(value: String(libxml: uri))
      return true
    }
    for attribute in element.attributes {
      // References are complete without it.
      if attribute.localName == "base", attribute.namespaceURI == XML.Name.xmlNamespace { continue }
      markup.append(" " + attribute.name)
      write(value: replacement(element, attribute) ?? attribute.text)
    }
    while let end = element.line, line < end {
      markup.startLine(0)
      line += 1
    }
    markup.append(">")
    for child in element.children {
      switch child.kind {
      case .element: append(child)
      case .text, .cdata:
        let text = child.text
        markup.append(text, in: .text)
        line += text.utf8.count { $0 == UInt8(ascii: "\n") }
      default: break
      }
    }
    markup.append("</")
    markup.append(element.name)
    markup.append(">")
  }

  private mutating func write(value: String) {
    markup.append("=\"")
    markup.append(value, in: .attribute)
    markup.append("\"")
  }
}
