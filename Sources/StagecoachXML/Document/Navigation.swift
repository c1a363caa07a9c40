internal import CLibXML2

extension XML.Node {
  /// The next node with the same parent. Attributes have no siblings.
  public var nextSibling: XML.Node? {
    kind == .attribute || kind == .document
      ? nil : withPointer { XML.Node(document: document, optional: $0.pointee.next) }
  }

  /// The previous node with the same parent. Attributes have no siblings.
  public var previousSibling: XML.Node? {
    kind == .attribute || kind == .document
      ? nil : withPointer { XML.Node(document: document, optional: $0.pointee.prev) }
  }

  /// The ancestors: the parent, its parent, and so on up to the document.
  public var ancestors: XML.NodeSequence { XML.NodeSequence(origin: self, axis: .ancestors) }

  /// All nodes below this one in document order, without attributes.
  public var descendants: XML.NodeSequence { XML.NodeSequence(origin: self, axis: .descendants) }

  /// The elements below this one in document order.
  public var descendantElements: some Sequence<XML.Node> {
    descendants.lazy.filter { $0.kind == .element }
  }

  /// Returns the child elements with a name.
  public func elements(named name: XML.Name) -> [XML.Node] { elements.filter { $0.isElement(named: name) } }

  /// Returns the first child element with a name; `nil` if there is none.
  public func element(named name: XML.Name) -> XML.Node? {
    guard kind == .element || kind == .document else { return nil }
    var found: XML.Node?
    forEachChild { child in
      let node = XML.Node(document: document, pointer: child)
      if node.isElement(named: name) { found = node }
      return found == nil
    }
    return found
  }

  private func isElement(named name: XML.Name) -> Bool {
    withPointer { node in
      guard node.pointee.type == XML_ELEMENT_NODE, let localName = node.pointee.name else { return false }
      return name.localName.equals(libxml: localName)
        && Self.isNamespace(node.pointee.ns?.pointee.href, name.namespaceURI)
    }
  }

  /// The namespaces of the prefixes in scope at this node, with the default namespace under an empty prefix.
  ///
  /// ```swift
  /// let feed = try await client.get("feed.xml", as: .xmlDocument)
  /// let creators = try feed.xpath("//dc:creator", namespaces: feed.root.namespacesInScope)
  /// ```
  public var namespacesInScope: [String: String] {
    var namespaces: [String: String] = [:]
    var next: XML.Node? = self
    while let node = next {
      node.forEachDeclaration { prefix, uri in
        let prefix = String(libxml: prefix)
        if namespaces[prefix] == nil { namespaces[prefix] = String(libxml: uri) }
        return true
      }
      next = node.parent
    }
    // An empty name takes the default namespace back.
    return namespaces.filter { !$0.value.isEmpty }
  }

  /// The human-readable path from the root to the node: `/feed/entry[2]/@id`, with names as written.
  ///
  /// It is also an XPath expression for the node, if the prefixes are bound to their namespaces in the document and no
  /// element on the path is in a default namespace.
  public var path: String {
    guard let parent else { return "/" }
    let prefix = parent.kind == .document ? "/" : parent.path + "/"
    switch kind {
    case .document: return "/"
    case .documentType: return prefix + "DOCTYPE"
    case .attribute: return prefix + "@" + name
    case .element: return prefix + name + position
    case .text, .cdata: return prefix + "text()" + position
    case .comment: return prefix + "comment()" + position
    case .processingInstruction: return prefix + "processing-instruction('\(name)')" + position
    }
  }

  /// The position among the siblings that are alike, in brackets; empty if there is only one.
  private var position: String {
    withPointer { node in
      func count(_ step: (xmlNodePtr) -> xmlNodePtr?, upTo limit: Int = .max) -> Int {
        var count = 0
        var sibling = step(node)
        while let other = sibling, count < limit {
          if Self.areAlike(other, node) { count += 1 }
          sibling = step(other)
        }
        return count
      }
      let before = count { $0.pointee.prev }
      return before > 0 || count({ $0.pointee.next }, upTo: 1) > 0 ? "[\(before + 1)]" : ""
    }
  }

  /// Whether two nodes are both text, or are of one kind and have the same name as written.
  private static func areAlike(_ left: xmlNodePtr, _ right: xmlNodePtr) -> Bool {
    if isCharacters(left) { return isCharacters(right) }
    return left.pointee.type == right.pointee.type
      && xmlStrEqual(left.pointee.name, right.pointee.name) != 0
      && xmlStrEqual(namespace(of: left)?.pointee.prefix, namespace(of: right)?.pointee.prefix) != 0
  }
}
