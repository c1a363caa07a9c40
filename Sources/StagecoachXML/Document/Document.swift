internal import CLibXML2
internal import Synchronization

extension XML {
  /// A document. It never changes: to change one, make an ``Element`` of it.
  ///
  /// Nodes keep their document alive. A document and its nodes may be read from any number of tasks at
  /// once; XPath expressions and serializations of one document take turns.
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

    /// The document itself as a node: the parent of the root element, and of the comments and
    /// processing instructions beside it.
    public var node: Node {
      Node(
        document: self,
        pointer: UnsafeMutableRawPointer(tree.document).assumingMemoryBound(to: xmlNode.self)
      )
    }

    /// What the XML declaration of the document says; of HTML, and of a document without one, what that means.
    ///
    /// The encoding is nil where it does not count, since a byte order mark or the transport tells another way.
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

    /// Whether it was made of HTML.
    var isHTML: Bool {
      withExtendedLifetime(tree) {
        UInt32(bitPattern: tree.document.pointee.properties) & XML_DOC_HTML.rawValue != 0
      }
    }

    /// The document as XML in UTF-8, with a declaration and the DTD it came with.
    public var xmlString: String { node.xmlString }

    /// Evaluates an XPath 1.0 expression with the document as its context.
    ///
    /// - Parameters:
    ///   - expression: The expression, up to 64 KiB. A name without prefix means no namespace (XPath 1.0,
    ///     section 2.3), so documents with a default namespace need a prefix.
    ///   - namespaces: The namespace that each prefix of the expression stands for; an empty prefix counts
    ///     for nothing.
    ///   - variables: The values of the variables of the expression, `$name`; nodes must be of this document.
    ///   - operationLimit: The most steps that the evaluation may take. They do not bound its time by
    ///     themselves, see ``defaultOperationLimit``, the default.
    /// - Returns: The value.
    /// - Throws: The reason why the expression has none.
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

    /// The operation limit of XPath expressions: 10,000,000 steps.
    ///
    /// A step is a node looked at, or an operator or function applied, whatever that takes. To compare or unite two
    /// sets of nodes is one step, though each node of one is compared with each of the other; to make the string value
    /// of an element is one, however long its text. So steps bound the time of most expressions to tenths of a
    /// second, but of some only together with the size of the document: `//a = //b` takes eight seconds where there
    /// are 80,000 of both, and `//*[contains(/, 'z')]` reads all text again for each element. libxml2 counts nothing
    /// else and cannot be interrupted.
    ///
    /// Evaluate expressions of strangers over small documents only (``XML/Limits/nodes``, ``XML/Limits/textSize``),
    /// with a lower limit: 20,000 steps are at most 100,000,000 comparisons, about a second for short texts, and at
    /// most 20,000 times the text of the document. Values of strangers in an expression of your own are safe as
    /// variables.
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
  // Safe: the tree belongs to this object alone, which frees it, and is not written to after the
  // initializer. Reading a node, and writing it as text, follows pointers and calls functions that write
  // nothing. The functions of libxml2 that may write to a tree while they read it (evaluating XPath,
  // the canonical form) run inside `exclusion`, and write no field that the readers outside
  // look at.
  nonisolated(unsafe) let document: xmlDocPtr
  nonisolated(unsafe) let root: xmlNodePtr
  /// Holds whether the elements have been numbered.
  let exclusion = Mutex(false)

  init(document: xmlDocPtr, root: xmlNodePtr) {
    self.document = document
    self.root = root
  }

  deinit { xmlFreeDoc(document) }
}
