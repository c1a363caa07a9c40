internal import CLibXML2

/// Writes a document of a schema anew for libxml2 to compile: what the parser made of it, without document
/// type, comments and processing instructions, and with other references.
///
/// libxml2 so sees only what passed the limits, and asks for documents by names of ours. Every start tag ends
/// in the line in which it ended before, so that the lines of errors stay true.
struct SchemaText {
  private(set) var bytes: [UInt8] = []
  private var line = 1
  /// What stands in place of the value of an attribute; nil for the value itself.
  private let replacement: (XML.Node, XML.Node) -> String?

  init(of document: XML.Document, replacing replacement: @escaping (XML.Node, XML.Node) -> String?) {
    self.replacement = replacement
    append(document.root)
  }

  /// Appends an element. The depth of a document is limited.
  private mutating func append(_ element: XML.Node) {
    write("<")
    write(element.name)
    element.forEachDeclaration { prefix, uri in
      write(" xmlns")
      if let prefix { write(":" + String(libxml: prefix)) }
      write(value: String(libxml: uri))
      return true
    }
    for attribute in element.attributes {
      // References are complete without it.
      if attribute.localName == "base", attribute.namespaceURI == XML.Name.xmlNamespace { continue }
      write(" " + attribute.name)
      write(value: replacement(element, attribute) ?? attribute.text)
    }
    while let end = element.line, line < end {
      bytes.append(UInt8(ascii: "\n"))
      line += 1
    }
    write(">")
    for child in element.children {
      switch child.kind {
      case .element: append(child)
      case .text, .cdata: write(escaping: child.text, isValue: false)
      default: break
      }
    }
    write("</")
    write(element.name)
    write(">")
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func write(value: String) {
    write("=\"")
    write(escaping: value, isValue: true)
    write("\"")
  }

  private mutating func write(escaping text: String, isValue: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): write("&amp;")
      case UInt8(ascii: "<"): write("&lt;")
      case UInt8(ascii: ">"): write("&gt;")
      case UInt8(ascii: "\""): write("&quot;")
      case 0xD: write("&#13;")
      case 0x9 where isValue: write("&#9;")
      case 0xA where isValue: write("&#10;")
      case 0xA:
        line += 1
        bytes.append(byte)
      default: bytes.append(byte)
      }
    }
  }
}
