internal import CLibXML2

/// Monitors the callbacks of libxml2 during a parse, and stops it as soon as a limit is exceeded.
///
/// The result of the parse is up to a subclass, which installs its own callbacks for elements and text. One guard
/// belongs to one parser context, whose private field refers to it; the contexts that libxml2 creates for the text of
/// entities inherit that field.
class ParserGuard {
  let limits: XML.Limits

  /// The reason that ended the parse; the first one is kept.
  private(set) final var failure: XML.ParseError? {
    didSet { counters.pointee.hasFailed = failure != nil }
  }
  /// Whether libxml2 reported what says nothing against the document.
  private(set) final var hasHarmlessErrors = false
  /// The counters used in every callback; a pointer avoids the checks for overlapping access.
  private final let counters = UnsafeMutablePointer<ParserCounters>.allocate(capacity: 1)
  private var startTag = StartTagScanner()
  /// The entity whose reference was met and not reported yet.
  final var openReference: xmlEntityPtr? {
    didSet { counters.pointee.isInReference = openReference != nil }
  }
  /// The cost of the references that libxml2 looked up since the last start tag or reference in content, in bytes.
  final var referenceCost = 0
  /// The maximum size of one text.
  private final let nodeSize: Int
  /// The progress of the document type declaration.
  enum Doctype {
    case unexpected, expected
    /// The parser is inside its subset, or behind it.
    case open, over
  }

  final var doctype = Doctype.expected
  /// Whether an instruction behind the declaration follows that does not belong to the document.
  final var hidesInstruction = false
  /// Whether an instruction does not belong to the document.
  final var isHidden: Bool { hidesInstruction && doctype != .open }
  /// The encoding that the XML declaration names, if it counts.
  final var declaredEncoding: String?
  private var markupInEntities: [xmlEntityPtr: Bool] = [:]
  final var expansion: EntityExpansion
  /// The unexpanded names of namespaces as libxml2 reports them, and the expanded names.
  final var expandedNamespaces: [UnsafePointer<xmlChar>: UnsafePointer<xmlChar>] = [:]

  init(limits: XML.Limits) {
    self.limits = limits
    nodeSize = min(limits.nodeSize, XML.Limits.maxNodeSize)
    expansion = EntityExpansion(budget: limits.entityExpansion)
    counters.initialize(to: ParserCounters(depth: min(limits.depth, XML.Limits.maxDepth)))
  }

  deinit {
    counters.pointee.free()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  /// The context of the document, as opposed to those of its entities.
  final var main: UnsafeMutableRawPointer? {
    @inline(__always) get { counters.pointee.main }
  }

  /// Whether names have to be looked up in ``expandedNamespaces``.
  final var expandsNamespaces: Bool {
    @inline(__always) get { counters.pointee.expandsNamespaces }
    set { counters.pointee.expandsNamespaces = newValue }
  }

  /// Whether the DTD declares namespaces where elements do not.
  final var defaultsNamespaces: Bool {
    @inline(__always) get { counters.pointee.defaultsNamespaces }
    set { counters.pointee.defaultsNamespaces = newValue }
  }

  /// Puts the callbacks in front of libxml2's own, in the handler that a context is about to get.
  final func install(in sax: xmlSAXHandlerPtr) {
    Self.installErrors(in: sax)
    Self.installDeclarations(in: sax)
    Self.installEntities(in: sax)
    installContent(in: sax)
  }

  /// Whether a context is the one of the document, the parse is still on, and this is not the text of an entity.
  @inline(__always)
  final func isLive(_ context: UnsafeMutableRawPointer) -> Bool { counters.pointee.live == context }

  /// Installs the callbacks for elements, text and the like, and for references to entities.
  func installContent(in sax: xmlSAXHandlerPtr) {}

  /// The guard of a context.
  static func of(_ context: UnsafeMutableRawPointer?) -> Self? {
    guard let context, let owner = stagecoach_xml_owner(context.assumingMemoryBound(to: xmlParserCtxt.self))
    else { return nil }
    return Unmanaged<Self>.fromOpaque(owner).takeUnretainedValue()
  }

  /// Makes a context the one of the document.
  final func adopt(_ context: xmlParserCtxtPtr) {
    counters.pointee.main = UnsafeMutableRawPointer(context)
    stagecoach_xml_set_owner(context, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the parse.
  final func fail(_ reason: XML.ParseError.Reason, at context: UnsafeMutableRawPointer) {
    if failure == nil {
      let line = max(0, StagecoachXML.line(at: context)), column = max(0, StagecoachXML.column(at: context))
      failure = XML.ParseError(reason: reason, line: line, column: column)
    }
    stop(context.assumingMemoryBound(to: xmlParserCtxt.self))
  }

  /// Whether the text of an entity of the document holds markup. It is looked at once.
  final func holdsMarkup(_ entity: xmlEntityPtr) -> Bool {
    guard entity.pointee.etype == XML_INTERNAL_GENERAL_ENTITY else { return false }
    if let known = markupInEntities[entity] { return known }
    let holds = bytes(of: entity.pointee.content).contains(UInt8(ascii: "<"))
    markupInEntities[entity] = holds
    return holds
  }

  /// Makes libxml2 give up, from within a callback.
  func stop(_ context: xmlParserCtxtPtr) { xmlStopParser(context) }

  /// Keeps the first error that libxml2 reports.
  func note(_ error: xmlError) {
    // libxml2 ends by itself behind what is wrong, and can be stopped within some of its errors only. This is one: old
    // versions would keep a copy of all that they have of a comment for each pair of hyphens in it.
    if error.code == Int32(bitPattern: XML_ERR_HYPHEN_IN_COMMENT.rawValue), error.str1 != nil,
      let context = error.ctxt
    {
      stop(context.assumingMemoryBound(to: xmlParserCtxt.self))
    }
    guard failure == nil, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    guard !isHarmless(error) else {
      // Behind any error libxml2 2.11 and later may be silent about what follows the root element.
      hasHarmlessErrors = true
      if let main { xmlCtxtResetLastError(main) }
      return
    }
    let reason: XML.ParseError.Reason
    if let limit = libraryLimit(error) {
      reason = limit
    } else {
      reason =
        switch UInt32(bitPattern: error.code) {
        // “Document is empty”, although there is something else than a document.
        case XML_ERR_DOCUMENT_EMPTY.rawValue: .malformed(message: "Start tag expected, '<' not found")
        default: .malformed(message: String(libxmlMessage: error.message))
        }
    }
    failure = XML.ParseError(reason: reason, line: Int(error.line), column: Int(error.int2))
  }

  /// Whether an error says nothing against a document that is well-formed.
  private func isHarmless(_ error: xmlError) -> Bool {
    // Validity is ignored: nothing is validated.
    error.domain == XML_FROM_VALID.rawValue || error.domain == XML_FROM_DTD.rawValue
      // A system identifier need not be a URI (XML 1.0, section 4.2.2).
      || error.code == XML_ERR_INVALID_URI.rawValue && error.level != XML_ERR_FATAL
      || Self.isPremature(error)
  }

  /// Runs libxml2 while the error handlers of this thread, for failures without a context, report to the guard.
  final func redirectingErrors<Result>(_ body: () -> Result) -> Result {
    let saved = stagecoach_xml_redirect(
      { owner, error in
        guard let owner, let error else { return }
        Unmanaged<ParserGuard>.fromOpaque(owner).takeUnretainedValue().note(error.pointee)
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    defer { stagecoach_xml_restore(saved) }
    return body()
  }

  // MARK: - Admission

  /// Whether one more of something fits, and the parse goes on.
  @inline(__always)
  private final func admit(
    _ value: Int,
    upTo limit: Int,
    _ name: StaticString,
    at context: UnsafeMutableRawPointer
  ) -> Bool {
    if value <= limit { return true }
    exceed(limit, name, at: context)
    return false
  }

  @inline(never)
  private final func exceed(_ limit: Int, _ name: StaticString, at context: UnsafeMutableRawPointer) {
    fail(.limit(name: "\(name)", value: limit), at: context)
  }

  /// Whether the parse is still on. libxml2 may report more after it was stopped inside an entity.
  @inline(__always)
  final func isOpen(_ context: UnsafeMutableRawPointer) -> Bool {
    if !counters.pointee.hasFailed { return true }
    stop(context.assumingMemoryBound(to: xmlParserCtxt.self))
    return false
  }

  /// Counts nodes.
  @inline(__always)
  final func admitNodes(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    guard isOpen(context) else { return false }
    counters.pointee.textRun = 0
    counters.pointee.nodes &+= count
    return admit(counters.pointee.nodes, upTo: limits.nodes, "nodes", at: context)
  }

  /// Ends the parse at a piece of a CDATA section with characters in more bytes than they need. Nowhere but in such
  /// sections does the push parser of libxml2 let them through.
  final func admitCDATA(_ text: UnsafeBufferPointer<UInt8>, at context: UnsafeMutableRawPointer) -> Bool {
    guard text.holdsOverlongForms else { return true }
    fail(.malformed(message: "Input is not proper UTF-8, indicate encoding !"), at: context)
    return false
  }

  /// Calls `body` with a piece of a CDATA section whose lines end in line feeds (XML 1.0, section 2.11), which the
  /// push parser of older libxml2 leaves as they are; not at all if nothing is left of it.
  @inline(__always)
  final func withLineFeeds(
    in text: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let isContinued =
      context == main
      && startTag.noteCDATA(text, at: context.assumingMemoryBound(to: xmlParserCtxt.self))
    guard text.holds(UInt8(ascii: "\r")) || isContinued && text.first == UInt8(ascii: "\n") else {
      return body(text)
    }
    let lines = text.lineFeeds(afterReturn: isContinued)
    if !lines.isEmpty { lines.withUnsafeBufferPointer(body) }
  }

  /// Counts a declaration of the DTD.
  final func admitDeclaration(name: UnsafePointer<xmlChar>?, at context: UnsafeMutableRawPointer) -> Bool {
    guard isOpen(context) else { return false }
    counters.pointee.declarations += 1
    return admit(counters.pointee.declarations, upTo: limits.declarations, "declarations", at: context)
      && admitName(length(name), at: context)
  }

  /// Checks the length of a name.
  @inline(__always)
  final func admitName(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    admit(count, upTo: limits.nameLength, "nameLength", at: context)
  }

  /// Checks the length of a name of an element or attribute, whose text libxml2 keeps in one place.
  @inline(__always)
  final func admitName(_ name: SAXName, at context: UnsafeMutableRawPointer) -> Bool {
    if counters.pointee.hasSeen(name) { return true }
    guard admitName(name.count, at: context) else { return false }
    counters.pointee.note(name)
    return true
  }

  /// Whether the length of a name has been looked at.
  @inline(__always)
  final func knows(_ name: SAXName) -> Bool { counters.pointee.hasSeen(name) }

  /// Opens an element without namespaces whose attributes need no look, if nothing else needs one.
  @inline(__always)
  final func openPlainly(_ name: SAXName, at context: UnsafeMutableRawPointer) -> Bool {
    counters.pointee.openPlainly(name, at: context)
  }

  /// Closes the innermost element, if nothing needs a look.
  @inline(__always)
  final func closePlainly(at context: UnsafeMutableRawPointer) -> Bool {
    counters.pointee.closePlainly(at: context)
  }

  /// Counts text in separate nodes.
  @inline(__always)
  final func admitText(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    counters.pointee.textSize &+= count
    return admitNode(count, at: context)
      && admit(counters.pointee.textSize, upTo: limits.textSize, "textSize", at: context)
  }

  /// Checks the size of one text, attribute value, comment or processing instruction.
  @inline(__always)
  final func admitNode(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    admit(count, upTo: nodeSize, "nodeSize", at: context)
  }

  /// Counts characters; those that follow each other become one node.
  @inline(__always)
  final func admitCharacters(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    admitRun(count, isCDATA: false, at: context)
  }

  /// Counts a piece of a CDATA section; sections that follow each other become one node too.
  final func admitSection(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    admitRun(count, isCDATA: true, at: context)
  }

  @inline(__always)
  private final func admitRun(_ count: Int, isCDATA: Bool, at context: UnsafeMutableRawPointer) -> Bool {
    guard isOpen(context) else { return false }
    if counters.pointee.textRun == 0 || counters.pointee.isCDATARun != isCDATA {
      counters.pointee.nodes &+= 1
      counters.pointee.textRun = 0
      counters.pointee.isCDATARun = isCDATA
    }
    counters.pointee.textRun &+= count
    return admit(counters.pointee.nodes, upTo: limits.nodes, "nodes", at: context)
      && admitNode(counters.pointee.textRun, at: context)
      && admitText(count, at: context)
  }

  /// Opens an element.
  @inline(__always)
  final func admitElement(attributes: Int, namespaces: Int, at context: UnsafeMutableRawPointer) -> Bool {
    guard admitNodes(1 &+ attributes &+ namespaces, at: context) else { return false }
    guard counters.pointee.open(namespaces: namespaces) else {
      exceed(counters.pointee.maximumDepth, "depth", at: context)
      return false
    }
    return admit(
      attributes &+ namespaces,
      upTo: limits.attributesPerElement,
      "attributesPerElement",
      at: context
    )
      && admit(
        counters.pointee.namespacesInScope,
        upTo: limits.namespacesInScope,
        "namespacesInScope",
        at: context
      )
  }

  /// As ``admitElement(attributes:namespaces:at:)``, where no tree is built and nodes are not counted.
  @inline(__always)
  final func admitPassing(attributes: Int, namespaces: Int, at context: UnsafeMutableRawPointer) -> Bool {
    counters.pointee.textRun = 0
    guard counters.pointee.open(namespaces: namespaces) else {
      exceed(counters.pointee.maximumDepth, "depth", at: context)
      return false
    }
    guard
      admit(
        attributes &+ namespaces,
        upTo: limits.attributesPerElement,
        "attributesPerElement",
        at: context
      )
    else { return false }
    return namespaces == 0
      || admit(
        counters.pointee.namespacesInScope,
        upTo: limits.namespacesInScope,
        "namespacesInScope",
        at: context
      )
  }

  /// As ``admitCharacters(_:at:)``, where no tree is built.
  @inline(__always)
  final func admitPassing(characters count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    counters.pointee.textRun &+= count
    return admitNode(counters.pointee.textRun, at: context)
  }

  /// Ends a run of characters at markup of this size.
  final func admitPassingMarkup(_ count: Int, at context: UnsafeMutableRawPointer) -> Bool {
    counters.pointee.textRun = 0
    return isOpen(context) && admitNode(count, at: context)
  }

  /// Closes the innermost element.
  @inline(__always)
  final func closeElement() {
    counters.pointee.close()
  }

  /// Whether any element is open.
  final var hasOpenElements: Bool { counters.pointee.depth > 0 }

  /// The number of bytes that the parser holds because their markup is incomplete.
  final var heldSize: Int { startTag.heldSize }

  /// Checks how many names there are, between two pieces of the document: libxml2 takes the longer to find one the
  /// more it keeps, and there is a name with nearly every callback.
  final func inspectNames(at context: UnsafeMutableRawPointer) {
    guard failure == nil else { return }
    let count = Int(stagecoach_xml_distinct_strings(context.assumingMemoryBound(to: xmlParserCtxt.self)))
    _ = admit(count, upTo: limits.distinctNames, "distinctNames", at: context)
  }

  /// Checks the markup of which the parser has only the beginning.
  final func inspectHeldMarkup(at context: UnsafeMutableRawPointer) {
    guard failure == nil else { return }
    let attributes = startTag.attributes(heldBy: context.assumingMemoryBound(to: xmlParserCtxt.self))
    // Old versions of libxml2 have this limit themselves.
    _ = admit(startTag.heldSize, upTo: max(Int(XML_MAX_LOOKUP_LIMIT), nodeSize), "nodeSize", at: context)
    _ = admit(attributes, upTo: limits.attributesPerElement, "attributesPerElement", at: context)
  }
}

/// The guard of a context, not retained: it lives as long as the parser that owns the context.
@inline(__always)
func unretained<Guard: ParserGuard>(
  _ type: Guard.Type,
  of context: UnsafeMutableRawPointer
) -> Unmanaged<Guard>? {
  stagecoach_xml_owner(context.assumingMemoryBound(to: xmlParserCtxt.self)).map { Unmanaged.fromOpaque($0) }
}
