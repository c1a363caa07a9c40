internal import CLibXML2

extension XML.Element {
  /// Creates a mutable copy of the root element of a document.
  ///
  /// The document type, and comments and processing instructions outside of the root, are not copied. Use
  /// ``XML/WritingOptions/documentType`` and ``XML/WritingOptions/prolog`` to write them.
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
    if node.document.isHTML { coerceFromHTML() }
  }

  /// Documents are at most 256 levels deep, so this may call itself.
  private init(copying node: XML.Node) {
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
    node.forEachChild { child in
      if let content = Content(XML.Node(document: node.document, pointer: child)) { children.append(content) }
      return true
    }
  }
}

extension XML.Element.Content {
  fileprivate init?(_ node: XML.Node) {
    switch node.kind {
    case .element: self = .element(XML.Element(copying: node))
    case .text: self = .text(node.text)
    case .cdata: self = .cdata(node.text)
    case .comment: self = .comment(node.text)
    case .processingInstruction: self = .processingInstruction(target: node.localName, data: node.text)
    case .document, .documentType, .attribute: return nil
    }
  }
}

extension XML.Name {
  /// The name of an element or attribute.
  init(_ node: XML.Node) {
    self.init(node.localName, namespace: node.namespaceURI, prefix: node.prefix)
  }
}
