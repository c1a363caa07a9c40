internal import CLibXML2
internal import StagecoachCore

/// Feeds chunks of any size to libxml2's push parser, on behalf of a guard that hears of what is in them.
///
/// It never does any input or output, keeps no more of the input than the markup it has not seen the end of,
/// and prints nothing.
final class PushParser {
  private enum State {
    /// There are too few bytes to determine the encoding.
    case starting([UInt8])
    case parsing(xmlParserCtxtPtr)
    case failed(XML.ParseError)
    case finished
  }

  private let encoding: String?
  private let owner: ParserGuard
  private var state = State.starting([])
  /// Whether libxml2 is at work, which calls handlers: it is neither to be called again nor freed.
  private(set) var isParsing = false
  /// Whether nothing but white space came so far.
  private var isBlank = true

  /// Bytes given to libxml2 at once: large enough to cost nothing, and small enough that a start tag
  /// which is complete in it cannot hold many thousand attributes.
  private static let sliceSize = 16 << 10

  /// Bytes given to libxml2 at once while it holds more than such a slice, which it may go through again with each: a
  /// tag that is complete in them still takes no longer than a tenth of a second.
  private static let largeSliceSize = 128 << 10

  /// The number of consecutive times that bytes which may end long markup are passed to libxml2 immediately without
  /// ending it.
  private static let patience = 64

  /// The bytes received while libxml2 holds the start of long markup, too few to let it search again.
  private var gathered: [UInt8] = []
  /// The number of consecutive times that such markup continued where it might have ended.
  private var disappointments = 0

  /// The decoder of a charset other than UTF-8, and the start of a character.
  private var decoder: PiecewiseDecoder?
  private var undecoded: [UInt8] = []

  /// Looks for the document type declaration; nil behind it.
  private var doctype: DoctypeScanner?
  /// The bytes of the declaration so far.
  private var heldDoctype: [UInt8] = []

  /// A parser for one document.
  ///
  /// - Parameters:
  ///   - encoding: The charset of the transport, which wins over the document's declaration.
  ///   - owner: Hears of what the parser finds; not retained by libxml2, but by the parser.
  init(encoding: String?, for owner: ParserGuard) {
    _ = XML.library
    self.encoding = encoding
    self.owner = owner
    owner.doctype = .unexpected
  }

  deinit {
    if case .parsing(let context) = state { Self.free(context) }
  }

  /// Parses the next bytes, which are not kept after the call. After an error every call throws it again.
  func append(_ bytes: UnsafeRawBufferPointer) throws(XML.ParseError) {
    guard !isParsing else { throw XML.ParseError(reason: .reentrant) }
    var rest = bytes[...]
    if case .starting(var start) = state {
      // The array is changed in place only if it is uniquely referenced.
      state = .starting([])
      let missing = rest.prefix(DocumentEncoding.lookahead - start.count)
      rest = rest.dropFirst(missing.count)
      start += missing
      state = .starting(start)
      guard DocumentEncoding.isDecided(by: start) else { return }
      try begin(start)
    }
    try take(rest, for: open())
  }

  /// Parses bytes, which are decoded first if they are not UTF-8.
  private func take(
    _ bytes: Slice<UnsafeRawBufferPointer>,
    isLast: Bool = false,
    for context: xmlParserCtxtPtr
  ) throws(XML.ParseError) {
    guard let decoder else { return try takeDecoded(bytes, for: context) }
    var rest = bytes
    repeat {
      let slice = rest.prefix(Self.largeSliceSize)
      rest = rest.dropFirst(slice.count)
      undecoded += slice
      var (text, count, isMalformed) = undecoded.withUnsafeBytes { decoder.decode($0, isLast: isLast) }
      undecoded.removeFirst(count)
      let result = text.withUTF8 { text in
        Result { () throws(XML.ParseError) in
          try takeDecoded(UnsafeRawBufferPointer(text)[...], for: context)
        }
      }
      try result.get()
      if isMalformed {
        throw refuse(.malformed(message: "the bytes are not text in the encoding"), context)
      }
    } while !rest.isEmpty
  }

  /// Feeds text, but for the document type declaration, which is kept until it is complete.
  private func takeDecoded(
    _ bytes: Slice<UnsafeRawBufferPointer>,
    for context: xmlParserCtxtPtr
  ) throws(XML.ParseError) {
    var rest = bytes
    while var scanner = doctype, !rest.isEmpty {
      let wasInside = scanner.isInside
      let piece = rest.prefix(scanner.scan(rest))
      rest = rest.dropFirst(piece.count)
      doctype = scanner.isFinished ? nil : scanner
      guard wasInside else {
        try feedSlices(of: piece, to: context)
        continue
      }
      heldDoctype += piece
      let limit = owner.limits.internalSubsetSize
      guard scanner.count <= limit else {
        throw refuse(.limit(name: "internalSubsetSize", value: limit), context)
      }
      if scanner.isFinished { try feedDoctype(to: context) }
    }
    try feedSlices(of: rest, to: context)
  }

  /// Passes the declaration to the parser, complete unless the document ends in it.
  private func feedDoctype(to context: xmlParserCtxtPtr) throws(XML.ParseError) {
    owner.doctype = .expected
    try feed(&heldDoctype, to: context)
    guard doctype == nil, owner.doctype != .over else { return }
    // libxml2 takes a quotation mark or the beginning of a comment in an instruction for what begins there, and has not
    // found the end. It does in this instruction, which ends both, and parses what it had before.
    owner.hidesInstruction = true
    defer { owner.hidesInstruction = false }
    var instruction = Array("<?p -->]>']>\"]>?>".utf8)
    try feed(&instruction, to: context)
  }

  /// Feeds bytes that were kept, and forgets them.
  private func feed(_ held: inout [UInt8], to context: xmlParserCtxtPtr) throws(XML.ParseError) {
    let bytes = held
    held = []
    try bytes.withUnsafeBufferPointer { bytes throws(XML.ParseError) in
      try feed(UnsafeRawBufferPointer(bytes), to: context)
    }
  }

  private func feedSlices(of bytes: Slice<UnsafeRawBufferPointer>, to context: xmlParserCtxtPtr)
    throws(XML.ParseError)
  {
    var rest = bytes
    while !rest.isEmpty {
      let isHolding = owner.heldSize > Self.sliceSize
      let whole = isHolding ? Self.largeSliceSize : Self.sliceSize
      let slice = UnsafeRawBufferPointer(rebasing: rest.prefix(whole - gathered.count))
      rest = rest.dropFirst(slice.count)
      if isHolding, slice.count < whole {
        try gather(slice, upTo: whole, for: context)
      } else {
        try feed(slice, to: context)
      }
    }
  }

  /// Keeps bytes until there are enough, or the markup may end in them. All markup ends in this one character, so
  /// nothing is found later than it could be, unless markup is full of it.
  private func gather(
    _ bytes: UnsafeRawBufferPointer,
    upTo whole: Int,
    for context: xmlParserCtxtPtr
  ) throws(XML.ParseError) {
    gathered += bytes
    let mayEnd = disappointments < Self.patience && bytes.contains(UInt8(ascii: ">"))
    guard mayEnd || gathered.count == whole else { return }
    if mayEnd { disappointments += 1 }
    try feed(&gathered, to: context)
  }

  /// Ends the input.
  ///
  /// - Returns: The tree that libxml2 has, if it built one; the caller's to free.
  func finish() throws(XML.ParseError) -> xmlDocPtr? {
    guard !isParsing else { throw XML.ParseError(reason: .reentrant) }
    if case .starting(let start) = state {
      guard !start.isEmpty else { throw fail(XML.ParseError(reason: .empty)) }
      try begin(start)
    }
    let context = try open()
    if decoder != nil {
      try take(UnsafeRawBufferPointer(start: nil, count: 0)[...], isLast: true, for: context)
    }
    if !heldDoctype.isEmpty { try feedDoctype(to: context) }
    try feed(&gathered, to: context)
    try feed(UnsafeRawBufferPointer(start: nil, count: 0), to: context, isLast: true)
    var rest = 0
    var position = 0
    if owner.hasHarmlessErrors, stagecoach_xml_held(context, &rest, &position) != nil {
      throw fail(XML.ParseError(reason: .malformed(message: "Extra content at the end of the document")))
    }
    let tree = stagecoach_xml_take_document(context)
    Self.free(context)
    state = .finished
    // Newer versions of libxml2 name the encoding that they read, declared or not.
    if let tree { stagecoach_xml_set_encoding(tree, owner.declaredEncoding) }
    return tree
  }

  /// The context, if the parse goes on.
  private func open() throws(XML.ParseError) -> xmlParserCtxtPtr {
    switch state {
    case .parsing(let context): return context
    case .failed(let error): throw error
    case .starting: throw XML.ParseError(reason: .empty)
    case .finished: throw XML.ParseError(reason: .finished)
    }
  }

  /// Determines the encoding by the first bytes, creates the context, and parses them.
  private func begin(_ start: [UInt8]) throws(XML.ParseError) {
    let encoding: DocumentEncoding
    do throws(XML.ParseError) {
      encoding = try DocumentEncoding(start: start, charset: self.encoding)
    } catch {
      throw fail(error)
    }
    var handler = xmlSAXHandler()
    xmlSAXVersion(&handler, 2)
    owner.install(in: &handler)
    guard let context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
      throw fail(XML.ParseError(reason: .malformed(message: "libxml2 ran out of memory")))
    }
    owner.adopt(context)
    state = .parsing(context)
    // Neither NOENT, DTDLOAD, DTDATTR, RECOVER nor XINCLUDE, ever.
    // COMPACT stores short texts inside their nodes.
    var options =
      XML_PARSE_NONET.rawValue | XML_PARSE_BIG_LINES.rawValue | XML_PARSE_COMPACT.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue
    if owner.limits.exceedDefaultsOfLibrary { options |= XML_PARSE_HUGE.rawValue }
    stagecoach_xml_configure(context, Int32(bitPattern: options))
    xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
    owner.declaredEncoding = encoding.declared
    if encoding.charset != .utf8 { decoder = PiecewiseDecoder(encoding.charset, mode: .strict) }
    doctype = DoctypeScanner()
    try Array(start.dropFirst(encoding.markLength)).withUnsafeBufferPointer { bytes throws(XML.ParseError) in
      try take(UnsafeRawBufferPointer(bytes)[...], for: context)
    }
  }

  private func feed(
    _ bytes: UnsafeRawBufferPointer,
    to context: xmlParserCtxtPtr,
    isLast: Bool = false
  ) throws(XML.ParseError) {
    guard isLast || !bytes.isEmpty else { return }
    isBlank = isBlank && bytes.allSatisfy { ScalarText.isSpace($0) }
    isParsing = true
    let code = owner.redirectingErrors {
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return xmlParseChunk(context, start, Int32(truncatingIfNeeded: bytes.count), isLast ? 1 : 0)
    }
    isParsing = false
    owner.inspectNames(at: context)
    owner.inspectHeldMarkup(at: context)
    if owner.heldSize <= Self.sliceSize { disappointments = 0 }
    if owner.failure != nil || code != 0 {
      // The errors of libxml2 for white space only depend on how it was split.
      if isBlank { throw fail(XML.ParseError(reason: .empty)) }
      throw fail(owner.failure ?? XML.ParseError(reason: .malformed(message: "not well formed")))
    }
  }

  /// Ends the parse where it is.
  private func refuse(_ reason: XML.ParseError.Reason, _ context: xmlParserCtxtPtr) -> XML.ParseError {
    owner.fail(reason, at: context)
    return fail(owner.failure ?? XML.ParseError(reason: reason))
  }

  /// Frees what is there and keeps the error for later calls.
  private func fail(_ error: XML.ParseError) -> XML.ParseError {
    if case .parsing(let context) = state { Self.free(context) }
    state = .failed(error)
    return error
  }

  private static func free(_ context: xmlParserCtxtPtr) {
    // The context does not own the tree it builds.
    xmlFreeDoc(stagecoach_xml_take_document(context))
    xmlFreeParserCtxt(context)
  }
}
