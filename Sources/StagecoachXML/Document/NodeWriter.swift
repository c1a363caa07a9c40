internal import CLibXML2
internal import StagecoachCore

/// Writes nodes of a tree, as XML or HTML. It only reads the tree, so any number may write at once.
///
/// Trees that come from HTML may hold what XML cannot say; that is written as what comes next.
struct NodeWriter {
  var markup: MarkupWriter
  let isHTML: Bool
  private let document: XML.Document
  private let isPretty: Bool
  /// Returns the value to write for an attribute of an element; `nil` to omit it. If there is such a function, start
  /// tags end in the lines where they end in the document.
  private let valueOfAttribute: ((XML.Node, XML.Node) -> String?)?
  /// How much of the output has been looked through for lines, and their number.
  private var lines = (end: 0, count: 1)

  init(
    _ document: XML.Document,
    _ options: XML.WritingOptions = XML.WritingOptions(),
    isHTML: Bool = false,
    valueOfAttribute: ((XML.Node, XML.Node) -> String?)? = nil
  ) {
    self.document = document
    markup = MarkupWriter(options)
    isPretty = options.isPretty
    self.isHTML = isHTML
    self.valueOfAttribute = valueOfAttribute
  }

  /// Writes a node with all in it. An element gets the declarations of its ancestors too.
  mutating func write(_ node: XML.Node) {
    switch node.kind {
    case .document:
      for child in node.children {
        write(child)
        if !isHTML { markup.startLine(0) }
      }
    case .element: node.withPointer { writeElement($0) }
    case .attribute: node.withPointer { writeAttribute($0) }
    case .documentType: node.withPointer { writeDocumentType($0) }
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
        writeTag(node, isTop: node == top)
        if let child = node.pointee.children {
          if level < inlineLevel, isMixed(node) { inlineLevel = level }
          level += 1
          node = child
          continue
        }
        if isHTML { writeEndTag(node) }
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

  private mutating func writeTag(_ element: xmlNodePtr, isTop: Bool) {
    let node = XML.Node(document: document, pointer: element)
    markup.append("<")
    writeName(of: element)
    if !isHTML {
      var inherited = isTop ? node.namespacesInScope : [:]
      node.forEachDeclaration { prefix, uri in
        markup.appendDeclaration(of: bytes(of: prefix), bytes(of: uri))
        if isTop { inherited[String(libxml: prefix)] = nil }
        return true
      }
      for (prefix, uri) in inherited.sorted(by: { $0.key < $1.key }) {
        markup.appendDeclaration(of: prefix, uri)
      }
    }
    node.forEachAttribute { attribute in
      let attribute = XML.Node.node(attribute)
      if let valueOfAttribute {
        guard let value = valueOfAttribute(node, XML.Node(document: document, pointer: attribute)) else {
          return true
        }
        markup.append(" ")
        writeName(of: attribute)
        markup.appendValue(value)
      } else {
        markup.append(" ")
        writeAttribute(attribute)
      }
      return true
    }
    if valueOfAttribute != nil { addLines(upTo: node.line ?? 1) }
    markup.append(isHTML || element.pointee.children != nil ? ">" : "/>")
  }

  /// Starts lines up to the one where a start tag ends.
  private mutating func addLines(upTo line: Int) {
    lines.count += markup.output[lines.end...].count { $0 == UInt8(ascii: "\n") }
    lines.end = markup.output.count
    for _ in lines.count..<max(line, lines.count) { markup.startLine(0) }
  }

  private mutating func writeEndTag(_ element: xmlNodePtr) {
    if isHTML, HTMLElements.void.contains(Self.name(of: element)) { return }
    markup.append("</")
    writeName(of: element)
    markup.append(">")
  }

  private mutating func writeName(of node: xmlNodePtr) {
    markup.appendName(
      bytes(of: node.pointee.name),
      prefix: bytes(of: XML.Node.namespace(of: node)?.pointee.prefix)
    )
  }

  /// An attribute has the same first fields as other nodes, but its namespace elsewhere.
  private mutating func writeAttribute(_ node: xmlNodePtr) {
    writeName(of: node)
    markup.append("=\"")
    var next = node.pointee.children
    while let child = next {
      markup.append(bytes(of: child.pointee.content), in: isHTML ? .htmlAttribute : .attribute)
      next = child.pointee.next
    }
    markup.append("\"")
  }

  private mutating func writeLeaf(_ node: xmlNodePtr) {
    let content = bytes(of: node.pointee.content)
    switch node.pointee.type {
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
      if isHTML {
        let isRaw = node.pointee.parent.map { HTMLElements.raw.contains(Self.name(of: $0)) } ?? false
        if isRaw { markup.append(content) } else { markup.append(content, in: .htmlText) }
      } else if node.pointee.type == XML_TEXT_NODE {
        markup.append(content, in: .text)
      } else {
        markup.appendCDATA(content)
      }
    case XML_COMMENT_NODE where isHTML: markup.append("<!--\(String(libxml: node.pointee.content))-->")
    case XML_COMMENT_NODE: markup.appendComment(content)
    case XML_PI_NODE:
      let target = String(libxml: node.pointee.name), data = String(libxml: node.pointee.content)
      if isHTML {
        markup.append("<?\(target) \(data)>")
      } else {
        markup.appendProcessingInstruction(target, data)
      }
    default: break
    }
  }

  private static func name(of element: xmlNodePtr) -> String {
    let name = String(libxml: element.pointee.name)
    return element.pointee.ns?.pointee.prefix.map { String(cString: $0) + ":" + name } ?? name
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
