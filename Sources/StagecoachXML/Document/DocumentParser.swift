internal import CLibXML2

extension XML {
  /// An incremental parser of documents, from chunks of any size.
  ///
  /// The parser does no I/O, keeps only incomplete markup of the input, and prints nothing. It parses one document,
  /// and is used by one task at a time.
  ///
  /// The encoding of the document is that of its byte order mark, otherwise that of the transport, otherwise the
  /// declared one, otherwise UTF-8 (RFC 7303 3). Labels have the same meaning as on the web (WHATWG Encoding:
  /// `iso-8859-1` and `us-ascii` mean windows-1252, `gb2312` GBK).
  public final class DocumentParser {
    private let parser: PushParser
    private var document: Document?
    private var failure: ParseError?

    /// Creates a parser for one document.
    ///
    /// - Parameters:
    ///   - encoding: The charset of the transport, such as the parameter of Content-Type. It overrides the document's
    ///     declaration. An unknown one is reported by the first call that needs it.
    ///   - limits: The limits of the document.
    public init(encoding: String? = nil, limits: Limits = Limits()) {
      parser = PushParser(encoding: encoding, for: TreeBuilder(limits: limits))
    }

    /// Parses the next bytes.
    ///
    /// - Parameter bytes: The bytes; they are not kept after the call.
    /// - Throws: ``XML/ParseError`` if it is not a valid document. Every later call throws it again.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ParseError) {
      if let failure { throw failure }
      try parser.append(bytes)
    }

    /// Ends the input and returns the document.
    ///
    /// - Returns: The document; the same one if called again.
    /// - Throws: ``XML/ParseError`` if it is not a valid document; an incomplete document is malformed, one without
    ///   content is empty.
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
