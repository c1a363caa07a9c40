internal import CLibXML2
public import StagecoachCore

extension XML {
  /// Parses HTML from chunks of any size into a ``Document``, so that XPath and all else work as for XML.
  ///
  /// Nothing that servers send as HTML fails for being wrong: markup is mended as libxml2's HTML parser does
  /// it, after the rules of HTML for what is a tag, a comment or text; ``issues`` tells what was wrong.
  /// Errors are limits that do not hold, and content that is empty. However the document is cut into chunks,
  /// the tree is the same. The parser never does any input or output, keeps no more of the input than what it
  /// has not seen the end of, and prints nothing. It serves one document, and one task at a time.
  ///
  /// ```swift
  /// let parser = XML.HTMLParser(encoding: "utf-8")
  /// try parser.append(chunk)
  /// let page = try parser.finish()
  /// let links = try page.xpath("//a/@href").nodes.map(\.text)
  /// ```
  ///
  /// Names are in lower case and in no namespace, those of SVG and MathML too; a prefix is part of the name.
  /// There is always an element `html`. Scripts and style sheets are text. References to entities that HTML 4
  /// does not have stay text.
  ///
  /// The charset is that of a byte order mark, or else the transport's, or else that of `<meta>` or an XML
  /// declaration in the first 1024 bytes, or else the fallback. Labels mean what they mean on the web (WHATWG
  /// Encoding: `iso-8859-1` and `ascii` are windows-1252); one that is unknown decides nothing. What is no
  /// text in the charset becomes U+FFFD.
  ///
  /// The limits are those of XML, those for namespaces and entities aside. Besides, libxml2 refuses names of
  /// elements of more than 100 bytes and a text of more than 10,000,000 bytes, and one tag, comment or script
  /// may have so many bytes. More errors than the limit for nodes end the parse too.
  public final class HTMLParser {
    private enum State {
      /// Too few bytes to know the charset.
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

    /// A parser for one document.
    ///
    /// - Parameters:
    ///   - encoding: The charset of the transport, such as the parameter of Content-Type.
    ///   - fallback: The charset of a document that nobody names one for. The default, nil, is UTF-8 if the
    ///     first character that is not ASCII is one in UTF-8, or else windows-1252, the default of the web.
    ///   - limits: What the document may cost.
    public init(encoding: String? = nil, fallback: Charset? = nil, limits: Limits = Limits()) {
      self.encoding = encoding
      self.fallback = fallback
      builder = HTMLTreeBuilder(limits: limits)
      normalizer = HTMLNormalizer(limits: limits)
    }

    /// What was wrong so far and has been mended, the first ``issueLimit`` of it. Elements that are unknown
    /// are not wrong.
    public var issues: [Issue] { builder.issues }

    /// The charset of the document; nil as long as it is not known, and if the document is ASCII and nobody
    /// names one.
    public var charset: Charset? { decoder.charset }

    /// Parses the next bytes.
    ///
    /// - Parameter bytes: The bytes; they are not kept after the call.
    /// - Throws: The limit that does not hold. Every later call throws it again.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ParseError) {
      switch state {
      case .failed(let error): throw error
      case .finished: throw ParseError(reason: .finished)
      case .parsing(let parser): try parse(bytes, with: parser)
      case .starting(var start):
        // The array is changed in place only if nobody else has it.
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

    /// Ends the input.
    ///
    /// - Returns: The document; the same one if called again.
    /// - Throws: The limit that does not hold; `empty` if there is neither an element nor text.
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
        throw fail(ParseError(reason: .malformed(message: "libxml2 has no memory for a parser")))
      }
      state = .parsing(parser)
      let (charset, markLength) = HTMLEncoding.charset(of: start, transport: encoding)
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
