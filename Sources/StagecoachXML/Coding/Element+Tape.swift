extension XML.EventBatch.Storage {
  /// The tape of an element of a document and of all that it holds.
  convenience init(copying element: XML.Node) {
    var writer = ElementTapeWriter()
    writer.write(element)
    self.init(&writer, scope: element.parent?.namespacesInScope ?? [:])
  }

  /// The tape of an element value.
  convenience init(copying element: XML.Element) throws {
    var writer = ElementTapeWriter()
    try writer.write(element)
    self.init(&writer)
  }

  private convenience init(_ writer: inout ElementTapeWriter, scope: [String: String] = [:]) {
    self.init(
      writer.tape.takeAll(),
      names: writer.names,
      declaration: XML.Declaration(),
      scope: scope
    )
  }
}

private struct ElementTapeWriter: ~Copyable {
  var tape = EventTape()
  private(set) var names: [XML.Name] = []
  private var indices: [XML.Name: [Int]] = [:]

  /// Writes an element with its content, without recursion.
  mutating func write(_ element: XML.Node) {
    // What comes next in each of the open elements, and their lines.
    var open: [(next: XML.Node?, line: UInt32)] = [(element.firstChild, writeStartTag(of: element))]
    while let (next, line) = open.last {
      guard let node = next else {
        open.removeLast()
        tape.endElement(line: line)
        continue
      }
      open[open.count - 1].next = node.nextSibling
      if node.kind == .element {
        open.append((node.firstChild, writeStartTag(of: node)))
      } else {
        writeLeaf(node)
      }
    }
  }

  /// Writes a start tag, and returns its line.
  private mutating func writeStartTag(of node: XML.Node) -> UInt32 {
    let line = UInt32(truncatingIfNeeded: node.line ?? 0)
    tape.startElement(name: index(of: Self.name(of: node)), line: line)
    node.forEachDeclaration { prefix, uri in
      append(.namespace, name: index(of: XML.Name(String(libxml: prefix))), String(libxml: uri), line)
      return true
    }
    for attribute in node.attributes {
      append(.attribute, name: index(of: Self.name(of: attribute)), attribute.text, line)
    }
    return line
  }

  private mutating func writeLeaf(_ node: XML.Node) {
    let line = UInt32(truncatingIfNeeded: node.line ?? 0)
    switch node.kind {
    case .text: append(.text, node.text, line)
    case .cdata: append(.cdata, node.text, line)
    case .comment: append(.comment, node.text, line)
    case .processingInstruction:
      append(.processingInstruction, name: index(of: Self.name(of: node)), node.text, line)
    case .document, .documentType, .element, .attribute: break
    }
  }

  /// Writes an element value, as deep as documents may be.
  mutating func write(_ element: XML.Element, depth: Int = 0) throws {
    guard depth < 256 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [],
          debugDescription: "elements are nested more than 256 levels deep"
        )
      )
    }
    let name = index(of: element.name)
    tape.startElement(name: name, line: 0)
    for (prefix, uri) in element.namespaces {
      append(.namespace, name: index(of: XML.Name(prefix)), uri, 0)
    }
    for attribute in element.attributes {
      append(.attribute, name: index(of: attribute.name), attribute.value, 0)
    }
    for child in element.children {
      switch child {
      case .element(let child): try write(child, depth: depth + 1)
      case .text(let text): append(.text, text, 0)
      case .cdata(let text): append(.cdata, text, 0)
      case .comment(let text): append(.comment, text, 0)
      case .processingInstruction(let target, let data):
        append(.processingInstruction, name: index(of: XML.Name(target)), data, 0)
      }
    }
    tape.endElement(line: 0)
  }

  private mutating func append(_ kind: EventRecord.Kind, name: Int = 0, _ text: String, _ line: UInt32) {
    var text = text
    text.withUTF8 { tape.append(kind, name: name, bytes: $0, line: line) }
  }

  private static func name(of node: XML.Node) -> XML.Name {
    XML.Name(node.localName, namespace: node.namespaceURI, prefix: node.prefix)
  }

  private mutating func index(of name: XML.Name) -> Int {
    // Equal names may have different prefixes.
    if let index = indices[name]?.first(where: { names[$0].prefix == name.prefix }) { return index }
    indices[name, default: []].append(names.count)
    names.append(name)
    return names.count - 1
  }
}
