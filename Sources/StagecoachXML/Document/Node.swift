internal import CLibXML2

extension XML {
  /// A node of a document: what the XPath data model calls a node, but namespace nodes.
  ///
  /// Two nodes are equal if they are the same node of the same document.
  public struct Node: Sendable {
    /// What a node is.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
      /// The document, parent of the root element.
      case document
      /// The document type declaration; its declarations are no nodes.
      case documentType
      /// An element.
      case element
      /// An attribute; namespace declarations are none.
      case attribute
      /// Characters.
      case text
      /// A CDATA section.
      case cdata
      /// A comment.
      case comment
      /// A processing instruction.
      case processingInstruction
    }

    /// The document that the node belongs to.
    public let document: Document

    // Safe: the tree is immutable (see `Document`), and `withPointer` keeps it alive while it is read.
    private nonisolated(unsafe) let pointer: xmlNodePtr

    init(document: Document, pointer: xmlNodePtr) {
      self.document = document
      self.pointer = pointer
    }

    /// Calls `body` with the node of libxml2, which is there while it runs: whoever reads the node may be the last to
    /// hold the document.
    @inline(__always)
    func withPointer<Result, Failure: Error>(
      _ body: (xmlNodePtr) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      defer { withExtendedLifetime(document) {} }
      return try body(pointer)
    }

    /// A node if there is one; nothing for what is no node of the data model.
    init?(document: Document, optional pointer: xmlNodePtr?) {
      guard let pointer, Kind(pointer.pointee.type) != nil else { return nil }
      self.init(document: document, pointer: pointer)
    }

    /// What the node is.
    public var kind: Kind { withPointer { Kind($0.pointee.type) } ?? .text }

    /// The name as written, with its prefix; of a processing instruction the target; of a document type
    /// the root element it names; of any other node an empty string.
    public var name: String {
      prefix.map { $0 + ":" + localName } ?? localName
    }

    /// The name without the prefix.
    public var localName: String {
      switch kind {
      case .element, .attribute, .processingInstruction, .documentType:
        withPointer { String(libxml: $0.pointee.name) }
      default: ""
      }
    }

    /// The prefix of an element or attribute, if it has one.
    public var prefix: String? { withNamespace { $0?.pointee.prefix.map { String(cString: $0) } } }

    /// The namespace of an element or attribute, if it is in one.
    public var namespaceURI: String? { withNamespace { $0?.pointee.href.map { String(cString: $0) } } }

    /// The attributes of an element in document order, with those that the DTD supplies.
    public var attributes: [Node] {
      var nodes: [Node] = []
      forEachAttribute { attribute in
        nodes.append(Node(document: document, pointer: Self.node(attribute)))
        return true
      }
      return nodes
    }

    /// The value of an attribute.
    ///
    /// - Parameters:
    ///   - localName: The name without prefix.
    ///   - namespace: The namespace of the attribute; nil, the default, for one without. An attribute
    ///     without prefix is in no namespace.
    /// - Returns: The value, nil if the element has no such attribute.
    public func attribute(_ localName: String, namespace: String? = nil) -> String? {
      var value: String?
      forEachAttribute { attribute in
        guard let name = attribute.pointee.name, localName.equals(libxml: name),
          Self.isNamespace(attribute.pointee.ns?.pointee.href, namespace)
        else { return true }
        value = Node(document: document, pointer: Self.node(attribute)).text
        return false
      }
      return value
    }

    /// The string value (XPath 1.0, section 5): of an element or the document all characters in it, of
    /// an attribute its value, of a comment or processing instruction its content.
    public var text: String {
      switch kind {
      case .text, .cdata, .comment, .processingInstruction:
        return withPointer { String(libxml: $0.pointee.content) }
      case .documentType: return ""
      case .document, .element, .attribute: break
      }
      // The usual case, without a copy in between.
      return withPointer { node in
        if let child = node.pointee.children, child.pointee.next == nil, Self.isCharacters(child) {
          return String(libxml: child.pointee.content)
        }
        return String(decoding: Self.text(below: node), as: UTF8.self)
      }
    }

    /// The nodes directly in an element or the document, in document order. Attributes are not children.
    public var children: [Node] {
      guard kind == .element || kind == .document else { return [] }
      var nodes: [Node] = []
      forEachChild { child in
        if let node = Node(document: document, optional: child) { nodes.append(node) }
        return true
      }
      return nodes
    }

    /// The elements among the children.
    public var elements: [Node] { children.filter { $0.kind == .element } }

    /// The element or document that holds the node; of an attribute its element; of the document nil.
    public var parent: Node? {
      kind == .document ? nil : withPointer { Node(document: document, optional: $0.pointee.parent) }
    }

    /// The line in which the node ends, or the tag of an element, from 1; nil if unknown.
    public var line: Int? {
      guard kind != .document else { return nil }
      let line = withPointer { xmlGetLineNo($0) }
      return line > 0 ? line : nil
    }
  }
}

extension XML.Node: Hashable {
  /// Whether both are the same node.
  public static func == (left: Self, right: Self) -> Bool { left.pointer == right.pointer }

  /// Hashes the identity of the node.
  public func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}

extension XML.Node.Kind {
  fileprivate init?(_ type: xmlElementType) {
    switch type {
    case XML_DOCUMENT_NODE: self = .document
    case XML_DTD_NODE: self = .documentType
    case XML_ELEMENT_NODE: self = .element
    case XML_ATTRIBUTE_NODE: self = .attribute
    case XML_TEXT_NODE: self = .text
    case XML_CDATA_SECTION_NODE: self = .cdata
    case XML_COMMENT_NODE: self = .comment
    case XML_PI_NODE: self = .processingInstruction
    default: return nil
    }
  }
}
