internal import CLibXML2

extension XML.Element {
  /// Creates a mutable copy of the root element of a document.
  ///
  /// The document type, and comments and processing instructions outside of the root, are not copied.
  /// ``XML/Document/replacingRoot(with:limits:)`` keeps them in a changed document.
  public init(_ document: XML.Document) { self.init(element: document.root) }

  /// Creates a mutable copy of an element of a document; `nil` if the node is not an element.
  ///
  /// The element declares all namespaces that are in scope at the node, so that prefixes in values keep their meaning.
  /// Parts of an HTML page that XML cannot represent are changed as HTML specifies (13.2.9): declarations of
  /// namespaces are omitted, `@click` becomes `U000040click`, and a space separates hyphens in comments.
  public init?(_ node: XML.Node) {
    guard node.kind == .element else { return nil }
    self.init(element: node)
  }

  private init(element node: XML.Node) {
    self.init(copying: node)
    namespaces = node.namespacesInScope
  }

  /// Copies an element with its content, without recursion.
  private init(copying node: XML.Node) {
    // The elements that are open, the innermost last, and what comes next in each.
    var open = [(element: Self(startTagOf: node), next: node.firstChild)]
    while true {
      let last = open.count - 1
      guard let child = open[last].next else {
        let element = open.removeLast().element
        guard last > 0 else {
          self = element
          return
        }
        open[last - 1].element.children.append(.element(element))
        continue
      }
      open[last].next = child.nextSibling
      if child.kind == .element {
        open.append((Self(startTagOf: child), child.firstChild))
      } else if let content = Content(child) {
        open[last].element.children.append(content)
      }
    }
  }

  private init(startTagOf node: XML.Node) {
    self.init(XML.Name(node))
    node.forEachDeclaration { prefix, uri in
      namespaces[String(libxml: prefix)] = String(libxml: uri)
      return true
    }
    node.forEachAttribute { attribute in
      let node = XML.Node(document: node.document, pointer: XML.Node.node(attribute))
      attributes.append(Attribute(XML.Name(node), node.text))
      return true
    }
    if node.document.isHTML { coerceTagFromHTML() }
  }
}

extension XML.Element.Content {
  /// A copy of a node that is neither an element nor outside of one.
  fileprivate init?(_ node: XML.Node) {
    let isHTML = node.document.isHTML
    switch node.kind {
    case .text: self = .text(node.text)
    case .cdata: self = .cdata(node.text)
    case .comment: self = .comment(isHTML ? node.text.asXMLComment : node.text)
    case .processingInstruction:
      let target = node.localName
      self = .processingInstruction(target: isHTML ? target.asXMLName : target, data: node.text)
    case .document, .documentType, .element, .attribute: return nil
    }
  }
}

extension XML.Name {
  /// The name of an element or attribute.
  init(_ node: XML.Node) {
    self.init(node.localName, namespace: node.namespaceURI, prefix: node.prefix)
  }
}
