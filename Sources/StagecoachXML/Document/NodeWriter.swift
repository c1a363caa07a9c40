internal import CLibXML2
internal import StagecoachCore

/// Writes nodes of a tree. It only reads the tree, so any number may write at once.
///
/// Trees that come from HTML may hold what XML cannot say; that is written as what comes next.
struct NodeWriter {
  var markup: MarkupWriter
  private let document: XML.Document
  private let isPretty: Bool

  init(_ document: XML.Document, _ options: XML.WritingOptions) {
    self.document = document
    markup = MarkupWriter(options)
    isPretty = options.isPretty
  }

  /// Writes a node with all in it. An element gets the declarations of its ancestors too.
  mutating func write(_ node: XML.Node) {
    switch node.kind {
    case .document:
      for child in node.children {
        write(child)
        markup.startLine(0)
      }
    case .element: node.withPointer { writeElement($0) }
    case .attribute: node.withPointer { writeAttribute($0) }
    case .documentType: markup.append(node.withPointer { DTDText($0).text })
    case .text, .cdata, .comment, .processingInstruction: node.withPointer { writeLeaf($0) }
    }
  }

  /// Without recursion: the way back is in the tree.
  private mutating func writeElement(_ top: xmlNodePtr) {
    var level = 0
    // The end of content in which no white space may be added.
    var inlineLevel = isPretty ? Int.max : 0
    var node = top
    while true {
      if node != top, level <= inlineLevel { markup.startLine(level) }
      if node.pointee.type == XML_ELEMENT_NODE {
        let hasChildren = node.pointee.children != nil
        writeTag(node, isTop: node == top, isEmpty: !hasChildren)
        if let child = node.pointee.children {
          if level < inlineLevel, isMixed(node) { inlineLevel = level }
          level += 1
          node = child
          continue
        }
      } else {
        writeLeaf(node)
      }
      while node == top || node.pointee.next == nil {
        guard node != top, let parent = node.pointee.parent else { return }
        node = parent
        level -= 1
        if level < inlineLevel { markup.startLine(level) }
        if level == inlineLevel, isPretty { inlineLevel = .max }
        writeEndTag(node)
      }
      guard let next = node.pointee.next else { return }
      node = next
    }
  }

  private mutating func writeTag(_ element: xmlNodePtr, isTop: Bool, isEmpty: Bool) {
    let node = XML.Node(document: document, pointer: element)
    markup.append("<")
    writeName(element.pointee.name, element.pointee.ns)
    var inherited = isTop ? node.namespacesInScope : [:]
    node.forEachDeclaration { prefix, uri in
      markup.append(prefix == nil ? " xmlns" : " xmlns:")
      markup.append(bytes(of: prefix))
      markup.append("=\"")
      markup.append(bytes(of: uri), in: .attribute)
      markup.append("\"")
      if isTop { inherited[String(libxml: prefix)] = nil }
      return true
    }
    for (prefix, uri) in inherited.sorted(by: { $0.key < $1.key }) {
      markup.append(prefix.isEmpty ? " xmlns" : " xmlns:")
      markup.append(prefix)
      markup.append("=\"")
      markup.append(uri, in: .attribute)
      markup.append("\"")
    }
    node.forEachAttribute { attribute in
      markup.append(" ")
      writeAttribute(XML.Node.node(attribute))
      return true
    }
    markup.append(isEmpty ? "/>" : ">")
  }

  private mutating func writeEndTag(_ element: xmlNodePtr) {
    markup.append("</")
    writeName(element.pointee.name, element.pointee.ns)
    markup.append(">")
  }

  private mutating func writeName(_ name: UnsafePointer<xmlChar>?, _ namespace: xmlNsPtr?) {
    if let prefix = namespace?.pointee.prefix {
      markup.append(bytes(of: prefix))
      markup.append(":")
    }
    markup.append(bytes(of: name))
  }

  /// An attribute has the same first fields as other nodes, but its namespace elsewhere.
  private mutating func writeAttribute(_ node: xmlNodePtr) {
    writeName(node.pointee.name, XML.Node.namespace(of: node))
    markup.append("=\"")
    var next = node.pointee.children
    while let child = next {
      markup.append(bytes(of: child.pointee.content), in: .attribute)
      next = child.pointee.next
    }
    markup.append("\"")
  }

  private mutating func writeLeaf(_ node: xmlNodePtr) {
    let content = bytes(of: node.pointee.content)
    switch node.pointee.type {
    case XML_TEXT_NODE: markup.append(content, in: .text)
    case XML_CDATA_SECTION_NODE: markup.appendCDATA(content)
    case XML_COMMENT_NODE: markup.appendComment(content)
    case XML_PI_NODE:
      markup.appendProcessingInstruction(
        String(libxml: node.pointee.name),
        String(libxml: node.pointee.content)
      )
    default: break
    }
  }

  private func bytes(of text: UnsafePointer<xmlChar>?) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text, count: length(text))
  }

  /// Whether white space between the children would be part of the content.
  private func isMixed(_ element: xmlNodePtr) -> Bool {
    var next = element.pointee.children
    while let child = next {
      if XML.Node.isCharacters(child) { return true }
      next = child.pointee.next
    }
    let node = XML.Node(document: document, pointer: element)
    return node.attribute("space", namespace: ElementNamespaces.xml) == "preserve"
  }
}
