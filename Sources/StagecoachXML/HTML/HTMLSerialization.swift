internal import CLibXML2

extension XML.Node {
  /// The node as HTML: void elements without an end tag, scripts and style sheets unchanged, text and attributes
  /// escaped (HTML 13.3).
  ///
  /// It is meant for documents from ``XML/HTMLParser``. The document is written with its document type, an attribute
  /// with its value, and an element with its tags.
  public var htmlString: String {
    var output: [UInt8] = []
    HTMLWriter.write(self, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

extension XML.Document {
  /// The document as HTML in Unicode; a `<meta>` with another charset is not changed.
  public var htmlString: String { node.htmlString }
}

/// Writes nodes as HTML, without recursion.
enum HTMLWriter {
  static func write(_ root: XML.Node, to output: inout [UInt8]) {
    // The remaining items to write: nodes, and the end tags of open elements.
    enum Step {
      case node(XML.Node, isRaw: Bool)
      case end(String)
    }
    var steps = [Step.node(root, isRaw: false)]
    while let step = steps.popLast() {
      switch step {
      case .end(let name): output += "</\(name)>".utf8
      case .node(let node, let isRaw):
        var isRawInside = false
        if node.kind == .element {
          let name = node.name
          output += "<\(name)".utf8
          for attribute in node.attributes {
            output.append(UInt8(ascii: " "))
            write(attribute: attribute, to: &output)
          }
          output.append(UInt8(ascii: ">"))
          isRawInside = HTMLElements.raw.contains(name)
          // Content that a void element has in another document comes behind it.
          if !HTMLElements.void.contains(name) { steps.append(.end(name)) }
        } else if node.kind != .document {
          write(leaf: node, isRaw: isRaw, to: &output)
        }
        for child in node.children.reversed() { steps.append(.node(child, isRaw: isRawInside)) }
      }
    }
  }

  private static func write(leaf node: XML.Node, isRaw: Bool, to output: inout [UInt8]) {
    switch node.kind {
    case .text, .cdata:
      let text = node.text
      if isRaw { output += text.utf8 } else { escape(text, isAttribute: false, to: &output) }
    case .comment: output += "<!--\(node.text)-->".utf8
    case .processingInstruction: output += "<?\(node.name) \(node.text)>".utf8
    case .documentType:
      let (publicID, systemID) = node.documentTypeIDs
      output += "<!DOCTYPE \(node.name)".utf8
      if let publicID {
        output += " PUBLIC \"\(publicID)\"".utf8
      } else if systemID != nil {
        output += " SYSTEM".utf8
      }
      if let systemID { output += " \"\(systemID)\"".utf8 }
      output.append(UInt8(ascii: ">"))
    case .attribute: write(attribute: node, to: &output)
    default: break
    }
  }

  private static func write(attribute: XML.Node, to output: inout [UInt8]) {
    output += attribute.name.utf8
    output += "=\"".utf8
    escape(attribute.text, isAttribute: true, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private static func escape(_ text: String, isAttribute: Bool, to output: inout [UInt8]) {
    var wasC2 = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "\"") where isAttribute: output += "&quot;".utf8
      case UInt8(ascii: "<") where !isAttribute: output += "&lt;".utf8
      case UInt8(ascii: ">") where !isAttribute: output += "&gt;".utf8
      case 0xA0 where wasC2:
        // U+00A0 is C2 A0.
        output.removeLast()
        output += "&nbsp;".utf8
      default: output.append(byte)
      }
      wasC2 = byte == 0xC2
    }
  }
}
