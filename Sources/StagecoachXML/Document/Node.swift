internal import CLibXML2

extension XML {
  /// A node of a document, as in the XPath data model except for namespace nodes.
  ///
  /// Two nodes are equal if they are the same node of the same document.
  public struct Node: Sendable {
    /// The kind of a node.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
      /// The document, which is the parent of the root element.
      case document
      /// The document type declaration; the declarations inside it are not nodes.
      case documentType
      /// An element.
      case element
      /// An attribute; namespace declarations are not attributes.
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

    /// Calls `body` with the node of libxml2, which is kept alive during the call, because this node may hold the last
    /// reference to the document.
    @inline(__always)
    func withPointer<Result, Failure: Error>(
      _ body: (xmlNodePtr) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      defer { withExtendedLifetime(document) {} }
      return try body(pointer)
    }

    /// Creates a node; `nil` for anything that is not a node of the data model.
    init?(document: Document, optional pointer: xmlNodePtr?) {
      guard let pointer, Kind(pointer.pointee.type) != nil else { return nil }
      self.init(document: document, pointer: pointer)
    }

    /// The kind of the node.
    public var kind: Kind { withPointer { Kind($0.pointee.type) } ?? .text }

    /// The name as written, with its prefix; for a processing instruction the target; for a document type the name of
    /// the root element; otherwise an empty string.
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

    /// The prefix of an element or attribute, if any.
    public var prefix: String? { withNamespace { $0?.pointee.prefix.map { String(cString: $0) } } }

    /// The namespace of an element or attribute, if any.
    public var namespaceURI: String? { withNamespace { $0?.pointee.href.map { String(cString: $0) } } }

    /// The attributes of an element in document order, including defaults of the DTD.
    public var attributes: [Node] {
      var nodes: [Node] = []
      forEachAttribute { attribute in
        nodes.append(Node(document: document, pointer: Self.node(attribute)))
        return true
      }
      return nodes
    }

    /// Returns the value of an attribute.
    ///
    /// - Parameters:
    ///   - localName: The name without prefix.
    ///   - namespace: The namespace of the attribute; `nil`, the default, for none. An attribute without prefix is in
    ///     no namespace.
    /// - Returns: The value; `nil` if the element has no such attribute.
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

    /// The string value: for an element or the document all its characters, for an attribute its value, for a comment
    /// or processing instruction its content (XPath 1.0, section 5).
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

    /// The child nodes of an element or the document, in document order. Attributes are not children.
    public var children: [Node] {
      guard kind == .element || kind == .document else { return [] }
      var nodes: [Node] = []
      forEachChild { child in
        if let node = Node(document: document, optional: child) { nodes.append(node) }
        return true
      }
      return nodes
    }

    /// The child elements.
    public var elements: [Node] { children.filter { $0.kind == .element } }

    /// The parent element or document; for an attribute its element; `nil` for the document.
    public var parent: Node? {
      kind == .document ? nil : withPointer { Node(document: document, optional: $0.pointee.parent) }
    }

    /// The line of the end of the node, or of an element's start tag, from 1; `nil` if unknown.
    public var line: Int? {
      guard kind != .document else { return nil }
      let line = withPointer { xmlGetLineNo($0) }
      return line > 0 ? line : nil
    }
  }
}

extension XML.Node: Hashable {
  /// Returns whether both are the same node.
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
