internal import CLibXML2
internal import Synchronization

extension XML {
  /// An immutable document. To change it, create an ``Element`` from it.
  ///
  /// Nodes keep their document alive. Several tasks may read a document and its nodes at the same time; XPath
  /// expressions and serializations of one document are executed one after the other.
  public final class Document: Sendable {
    private let tree: Tree

    /// Takes over a finished tree.
    init(tree: xmlDocPtr, root: xmlNodePtr) {
      self.tree = Tree(document: tree, root: root)
    }

    /// A document over the tree of another.
    init(sharing other: Document) { tree = other.tree }

    /// The root element.
    public var root: Node { Node(document: self, pointer: tree.root) }

    /// The document as a node: the parent of the root element, and of the comments and processing instructions next to
    /// it.
    public var node: Node {
      Node(
        document: self,
        pointer: UnsafeMutableRawPointer(tree.document).assumingMemoryBound(to: xmlNode.self)
      )
    }

    /// The XML declaration of the document; for HTML, and for a document without one, the equivalent.
    ///
    /// The encoding is `nil` if it is not used, because a byte order mark or the transport determines it.
    public var declaration: Declaration {
      guard !isHTML else { return Declaration() }
      return withExtendedLifetime(tree) {
        let document = tree.document.pointee
        return Declaration(
          version: document.version.map { String(libxml: $0) } ?? "1.0",
          encoding: document.encoding.map { String(libxml: $0) },
          isStandalone: document.standalone < 0 ? nil : document.standalone == 1
        )
      }
    }

    /// Whether the document was created from HTML.
    var isHTML: Bool {
      withExtendedLifetime(tree) {
        UInt32(bitPattern: tree.document.pointee.properties) & XML_DOC_HTML.rawValue != 0
      }
    }

    /// The document as XML in UTF-8, with a declaration and its DTD.
    public var xmlString: String { node.xmlString }

    /// Evaluates an XPath 1.0 expression with the document as its context.
    ///
    /// - Parameters:
    ///   - expression: The expression, up to 64 KiB. A name without prefix is in no namespace, so documents with a
    ///     default namespace require a prefix (XPath 1.0, section 2.3).
    ///   - namespaces: The namespaces of the prefixes in the expression; an empty prefix is ignored.
    ///   - variables: The values of the variables of the expression, `$name`; nodes must be of this document.
    ///   - operationLimit: The maximum number of steps of the evaluation. They only partly limit its time, see
    ///     ``defaultOperationLimit``, the default.
    /// - Returns: The value.
    /// - Throws: ``XML/XPathError`` if the expression has no value.
    public func xpath(
      _ expression: String,
      namespaces: [String: String] = [:],
      variables: [String: XPathValue] = [:],
      operationLimit: Int = Document.defaultOperationLimit
    ) throws(XPathError) -> XPathValue {
      try node.xpath(
        expression,
        namespaces: namespaces,
        variables: variables,
        operationLimit: operationLimit
      )
    }

    /// The default operation limit of XPath expressions: 10,000,000 steps.
    ///
    /// A step is a visited node, or an applied operator or function, whatever its cost. Comparing or uniting two sets
    /// of nodes is one step, although each node of one is compared with each of the other; and so is the string value
    /// of an element, whatever its length. So the steps limit the time of most expressions to tenths of a second, but
    /// of some only together with the size of the document: `//a = //b` takes eight seconds if there are 80,000 of
    /// both, and `//*[contains(/, 'z')]` reads all text again for each element. libxml2 counts nothing else and cannot
    /// be interrupted.
    ///
    /// Evaluate untrusted expressions only on small documents (``XML/Limits/nodes``, ``XML/Limits/textSize``) and with
    /// a lower limit: 20,000 steps are at most 100,000,000 comparisons, about a second for short texts, and at most
    /// 20,000 times the text of the document. Untrusted values in your own expression are safe as variables.
    public static let defaultOperationLimit = 10_000_000

    /// Runs what may write to the tree: one at a time.
    func withExclusiveTree<Result: Sendable, Failure: Error>(
      _ body: (xmlDocPtr) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try tree.exclusion.withLock { isOrdered throws(Failure) in
        if !isOrdered {
          // Numbers the elements, so that node sets sort without walking over siblings.
          xmlXPathOrderDocElems(tree.document)
          isOrdered = true
        }
        return try body(tree.document)
      }
    }
  }
}

/// The tree of a document, which it owns.
private final class Tree: Sendable {
  // Safe: the tree belongs only to this object, which frees it, and is not written to after the initializer. Reading a
  // node, and writing it as text, follows pointers and calls functions that write nothing. Functions of libxml2 that
  // may write to a tree while they read it (evaluating XPath, the canonical form) run inside `exclusion`, and only
  // write fields that other readers do not use.
  nonisolated(unsafe) let document: xmlDocPtr
  nonisolated(unsafe) let root: xmlNodePtr
  /// Whether the elements have been numbered.
  let exclusion = Mutex(false)

  init(document: xmlDocPtr, root: xmlNodePtr) {
    self.document = document
    self.root = root
  }

  deinit { xmlFreeDoc(document) }
}
