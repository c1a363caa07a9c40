internal import CLibXML2
public import StagecoachCore

extension XML {
  /// An incremental parser of HTML that creates a ``Document``, so that XPath and everything else work as for XML.
  ///
  /// Malformed HTML is not an error: markup is repaired as in libxml2's HTML parser, with the rules of HTML for tags,
  /// comments and text; ``issues`` lists the repaired errors. Only exceeded limits and empty content are errors. The
  /// tree does not depend on how the document is split into chunks. The parser does no I/O, keeps only incomplete
  /// parts of the input, and prints nothing. It parses one document, and is used by one task at a time.
  ///
  /// ```swift
  /// let parser = XML.HTMLParser(encoding: "utf-8")
  /// try parser.append(bytes)
  /// let page = try parser.finish()
  /// let links = try page.xpath("//a/@href").nodes.map(\.text)
  /// ```
  ///
  /// Names are in lower case and in no namespace, including SVG and MathML; a prefix is part of the name. There is
  /// always an element `html`. Scripts and style sheets are text. References to entities that are not part of HTML 4
  /// remain text.
  ///
  /// The charset is that of a byte order mark, otherwise that of the transport, otherwise that of `<meta>` or an XML
  /// declaration in the first 1024 bytes, otherwise the fallback. Labels have the same meaning as on the web (WHATWG
  /// Encoding: `iso-8859-1` and `ascii` mean windows-1252); unknown labels are ignored. Ill-formed sequences become
  /// U+FFFD.
  ///
  /// The limits are those of XML, except for namespaces and entities; ``Limits/nodeSize`` is also the limit for one
  /// tag. In addition, libxml2 refuses names of elements of more than 100 bytes. More errors than the limit for nodes
  /// also end the parse.
  public final class HTMLParser {
    private enum State {
      /// There are too few bytes to determine the charset.
      case starting([UInt8])
      case parsing(HTMLPushParser)
      case failed(ParseError)
      case finished(Document)
    }

    /// The bytes decoded at once, so that a large chunk is not kept twice.
    private static let sliceSize = 64 << 10

    private let encoding: String?
    private let fallback: Charset?
    private let builder: HTMLTreeBuilder
    private var state = State.starting([])
    private var decoder = HTMLDecoder(charset: nil)
    private var normalizer: HTMLNormalizer
    /// Decoded text that is not complete.
    private var held: [UInt8] = []

    /// Creates a parser for one document.
    ///
    /// - Parameters:
    ///   - encoding: The charset of the transport, such as the parameter of Content-Type.
    ///   - fallback: The charset of a document without a declared one. The default, `nil`, means UTF-8 if the first
    ///     character that is not ASCII is valid UTF-8, otherwise windows-1252, the default of the web.
    ///   - limits: The limits of the document.
    public init(encoding: String? = nil, fallback: Charset? = nil, limits: Limits = Limits()) {
      self.encoding = encoding
      self.fallback = fallback
      builder = HTMLTreeBuilder(limits: limits)
      normalizer = HTMLNormalizer(limits: limits)
    }

    /// The first ``issueLimit`` errors that were repaired so far. Unknown elements are not errors.
    public var issues: [Issue] { builder.issues }

    /// The charset of the document; `nil` if it is not known yet, or if the document is ASCII and no charset is
    /// declared.
    public var charset: Charset? { decoder.charset }

    /// Parses the next bytes.
    ///
    /// - Parameter bytes: The bytes; they are not kept after the call.
    /// - Throws: ``XML/ParseError`` if a limit is exceeded, or if the system does not support the charset of the byte
    ///   order mark or the fallback. Every later call throws it again.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ParseError) {
      switch state {
      case .failed(let error): throw error
      case .finished: throw ParseError(reason: .finished)
      case .parsing(let parser): try parse(bytes, with: parser)
      case .starting(var start):
        // The array is changed in place only if it is uniquely referenced.
        state = .starting([])
        let missing = bytes.prefix(HTMLEncoding.lookahead - start.count)
        start += missing
        guard start.count == HTMLEncoding.lookahead else {
          state = .starting(start)
          return
        }
        let parser = try begin(start)
        try parse(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing.count)), with: parser)
      }
    }

    /// Ends the input and returns the document.
    ///
    /// - Returns: The document; the same one if called again.
    /// - Throws: ``XML/ParseError`` if a limit is exceeded; `empty` if there is neither an element nor text.
    public func finish() throws(ParseError) -> Document {
      switch state {
      case .failed(let error): throw error
      case .finished(let document): return document
      case .starting(let start): return try finish(begin(start))
      case .parsing(let parser): return try finish(parser)
      }
    }

    private func begin(_ start: [UInt8]) throws(ParseError) -> HTMLPushParser {
      guard let parser = HTMLPushParser(for: builder) else {
        throw fail(ParseError(reason: .malformed(message: "libxml2 ran out of memory")))
      }
      state = .parsing(parser)
      let (charset, markLength) = HTMLEncoding.charset(of: start, transport: encoding)
      if let charset = charset ?? fallback, !charset.isSupported {
        throw fail(ParseError(reason: .unsupportedEncoding(name: charset.name)))
      }
      decoder = HTMLDecoder(charset: charset ?? fallback)
      try start.withUnsafeBufferPointer { start throws(ParseError) in
        let rest = UnsafeBufferPointer(rebasing: start.dropFirst(markLength))
        try parse(UnsafeRawBufferPointer(rest), with: parser)
      }
      return parser
    }

    private func finish(_ parser: HTMLPushParser) throws(ParseError) -> Document {
      try parse(UnsafeRawBufferPointer(start: nil, count: 0), with: parser, isLast: true)
      let tree = parser.takeTree()
      guard let tree, let root = xmlDocGetRootElement(tree) else {
        xmlFreeDoc(tree)
        throw fail(ParseError(reason: .empty))
      }
      let document = Document(tree: tree, root: root)
      state = .finished(document)
      return document
    }

    private func parse(
      _ bytes: UnsafeRawBufferPointer,
      with parser: HTMLPushParser,
      isLast: Bool = false
    ) throws(ParseError) {
      var rest = bytes[...]
      repeat {
        decoder.decode(
          UnsafeRawBufferPointer(rebasing: rest.prefix(Self.sliceSize)),
          isLast: isLast,
          into: &held
        )
        rest = rest.dropFirst(Self.sliceSize)
        do throws(ParseError) {
          let count = try held.withUnsafeBufferPointer { held throws(ParseError) in
            try normalizer.process(held, isLast: isLast, to: parser)
          }
          held.removeFirst(count)
        } catch {
          throw fail(error)
        }
      } while !rest.isEmpty
    }

    /// Frees what is there and keeps the error for later calls.
    private func fail(_ error: ParseError) -> ParseError {
      state = .failed(error)
      held = []
      return error
    }
  }
}
