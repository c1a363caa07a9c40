internal import CLibXML2

extension XML {
  /// Parses a document from chunks of any size.
  ///
  /// The parser never does any input or output, keeps no more of the input than the markup it has not
  /// seen the end of, and prints nothing. It serves one document, and one task at a time.
  ///
  /// The encoding of the document is that of its byte order mark, or else the transport's, or else the
  /// one it declares, or else UTF-8 (RFC 7303, section 3).
  public final class DocumentParser {
    private let parser: PushParser
    private var document: Document?
    private var failure: ParseError?

    /// A parser for one document.
    ///
    /// - Parameters:
    ///   - encoding: The charset of the transport, such as the parameter of Content-Type. It wins over
    ///     the document's declaration. An unknown one is reported by the first call that needs it.
    ///   - limits: What the document may cost.
    public init(encoding: String? = nil, limits: Limits = Limits()) {
      parser = PushParser(encoding: encoding, for: TreeBuilder(limits: limits))
    }

    /// Parses the next bytes.
    ///
    /// - Parameter bytes: The bytes; they are not kept after the call.
    /// - Throws: The reason why this is no document that can be read. Every later call throws it again.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ParseError) {
      if let failure { throw failure }
      try parser.append(bytes)
    }

    /// Ends the input.
    ///
    /// - Returns: The document; the same one if called again.
    /// - Throws: The reason why this is no document that can be read; a document that is not complete is
    ///   malformed, one without content is empty.
    public func finish() throws(ParseError) -> Document {
      if let document { return document }
      if let failure { throw failure }
      let tree = try parser.finish()
      guard let tree, let root = xmlDocGetRootElement(tree) else {
        xmlFreeDoc(tree)
        let error = ParseError(reason: .empty)
        failure = error
        throw error
      }
      let document = Document(tree: tree, root: root)
      self.document = document
      return document
    }
  }
}
