internal import CLibXML2

extension XML {
  /// A canonical form: the same text for all equivalent documents, for signing or comparing.
  ///
  /// Attributes and declarations are sorted, defaults of the DTD are written, empty elements get an end tag, character
  /// references and CDATA sections become characters. The result is UTF-8.
  public struct Canonicalization: Sendable, Hashable {
    /// The W3C recommendations.
    @nonexhaustive
    public enum Method: Sendable, Hashable {
      /// Canonical XML 1.0. The top element of a part has all namespaces in scope, and the attributes of its ancestors
      /// with the prefix `xml:`.
      case inclusive
      /// Canonical XML 1.1, which omits `xml:id` of ancestors and combines `xml:base`.
      case inclusive11
      /// Exclusive XML Canonicalization 1.0: only namespaces that names use are declared, so that a part is the same
      /// in another envelope. The namespaces of the listed prefixes are treated as in Canonical XML 1.0; `#default`
      /// means the default namespace.
      case exclusive(inclusivePrefixes: [String] = [])
    }

    /// The method.
    public var method: Method

    /// Whether comments are kept; `false` by default.
    public var keepsComments: Bool

    /// Creates a canonical form.
    public init(_ method: Method, keepsComments: Bool = false) {
      self.method = method
      self.keepsComments = keepsComments
    }

    /// Canonical XML 1.0 without comments.
    public static let inclusive = Self(.inclusive)
    /// Canonical XML 1.1 without comments.
    public static let inclusive11 = Self(.inclusive11)
    /// Exclusive canonical XML without comments.
    public static let exclusive = Self(.exclusive())
  }

  /// The reason that a document has no canonical form.
  public struct CanonicalizationError: Error, Hashable, CustomStringConvertible {
    /// The reason of the error.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// A namespace is a relative URI, which has no canonical form (Canonical XML 1.0, section 1.3).
      case relativeNamespace
      /// The node is neither a document nor an element.
      case noElement
      /// A listed prefix contains a zero byte.
      case invalidPrefix(String)
      /// libxml2 failed to write it; the message is from libxml2.
      case failed(message: String)
    }

    /// The reason of the error.
    public let reason: Reason

    /// Creates an error.
    public init(reason: Reason) { self.reason = reason }

    /// A description of the reason.
    public var description: String {
      switch reason {
      case .relativeNamespace: "A relative namespace URI has no canonical form."
      case .noElement: "Only documents and elements have a canonical form."
      case .invalidPrefix(let prefix): "“\(prefix)” is not a valid prefix."
      case .failed(let message): "The canonical form could not be written: \(message)"
      }
    }
  }
}

extension XML.Document {
  /// Returns the canonical form of the document, in UTF-8.
  ///
  /// - Parameter canonicalization: The form; Canonical XML 1.0 without comments by default.
  /// - Throws: ``XML/CanonicalizationError`` if there is none.
  public func canonicalXML(
    _ canonicalization: XML.Canonicalization = .inclusive
  ) throws(XML.CanonicalizationError) -> [UInt8] {
    try node.canonicalXML(canonicalization)
  }
}

extension XML.Node {
  /// Returns the canonical form of an element with its content, or of the document, in UTF-8.
  ///
  /// - Parameter canonicalization: The form; Canonical XML 1.0 without comments by default.
  /// - Throws: ``XML/CanonicalizationError`` if there is none.
  public func canonicalXML(
    _ canonicalization: XML.Canonicalization = .inclusive
  ) throws(XML.CanonicalizationError) -> [UInt8] {
    guard kind == .element || kind == .document else {
      throw XML.CanonicalizationError(reason: .noElement)
    }
    var prefixes: [String] = []
    let mode: xmlC14NMode
    switch canonicalization.method {
    case .inclusive: mode = XML_C14N_1_0
    case .inclusive11: mode = XML_C14N_1_1
    case .exclusive(let inclusivePrefixes):
      mode = XML_C14N_EXCLUSIVE_1_0
      prefixes = inclusivePrefixes
    }
    if let invalid = prefixes.first(where: { $0.utf8.contains(0) }) {
      throw XML.CanonicalizationError(reason: .invalidPrefix(invalid))
    }
    let keepsComments = canonicalization.keepsComments
    return try document.withExclusiveTree { tree throws(XML.CanonicalizationError) in
      try canonicalXML(of: tree, mode: mode, prefixes: prefixes, keepsComments: keepsComments)
    }
  }

  private func canonicalXML(
    of tree: xmlDocPtr,
    mode: xmlC14NMode,
    prefixes: [String],
    keepsComments: Bool
  ) throws(XML.CanonicalizationError) -> [UInt8] {
    guard let output = xmlAllocOutputBuffer(nil) else {
      throw XML.CanonicalizationError(reason: .failed(message: "out of memory"))
    }
    defer { xmlOutputBufferClose(output) }
    let failure = CanonicalizationFailure()
    var names: [UnsafeMutablePointer<xmlChar>?] = prefixes.map { xmlStrdup($0) } + [nil]
    defer { for name in names { stagecoach_xml_free(name) } }
    // libxml2 calls this for each node of the document, to find out whether it belongs to the part.
    let top = kind == .document ? nil : withPointer { $0 }
    func execute() -> Int32 {
      let saved = stagecoach_xml_redirect(
        { failure, error in
          guard let failure, let error else { return }
          Unmanaged<CanonicalizationFailure>.fromOpaque(failure).takeUnretainedValue().note(error.pointee)
        },
        Unmanaged.passUnretained(failure).toOpaque()
      )
      defer { stagecoach_xml_restore(saved) }
      return withExtendedLifetime(failure) {
        xmlC14NExecute(
          tree,
          { top, node, parent in XML.Node.isNode(node, of: parent, below: top) ? 1 : 0 },
          top,
          Int32(bitPattern: mode.rawValue),
          &names,
          keepsComments ? 1 : 0,
          output
        )
      }
    }
    // libxml2 descends into the elements.
    let depth = Self.depth(of: tree)
    let isDeep = depth > XML.Limits().depth
    let result = isDeep ? LargeStack.run(size: (1 << 20) + depth << 12) { execute() } ?? -1 : execute()
    guard result >= 0 else { throw XML.CanonicalizationError(reason: failure.reason) }
    let content = UnsafeBufferPointer(
      start: xmlOutputBufferGetContent(output),
      count: Int(xmlOutputBufferGetSize(output))
    )
    return Array(content)
  }

  /// Returns whether a node is the top of a part or below it. A namespace node has no parent.
  private static func isNode(
    _ node: xmlNodePtr?,
    of parent: xmlNodePtr?,
    below top: UnsafeMutableRawPointer?
  ) -> Bool {
    guard let top else { return true }
    var next = node?.pointee.type == XML_NAMESPACE_DECL ? parent : node
    while let node = next {
      if UnsafeMutableRawPointer(node) == top { return true }
      next = node.pointee.parent
    }
    return false
  }
}

/// Keeps the first error of one canonicalization.
private final class CanonicalizationFailure {
  private(set) var reason = XML.CanonicalizationError.Reason.failed(message: "unknown")
  private var isEmpty = true

  func note(_ error: xmlError) {
    guard isEmpty else { return }
    isEmpty = false
    reason =
      error.code == Int32(XML_C14N_RELATIVE_NAMESPACE.rawValue)
      ? .relativeNamespace : .failed(message: String(libxmlMessage: error.message))
  }
}
