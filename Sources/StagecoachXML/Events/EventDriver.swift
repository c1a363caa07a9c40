internal import CLibXML2

/// Reports what libxml2 parses to a handler or to a subclass, as long as the limits hold that concern more than a tree.
///
/// Nothing is kept but the document type declaration with its entities, which libxml2 needs. The callbacks are
/// in `EventDriver+SAX.swift`.
class EventDriver: ParserGuard {
  /// A handler of any type, as its type and its address. It is not a value of that type: an event then costs one call
  /// through a table of the handler's own, and neither a method of a subclass nor a count of references.
  struct Listener {
    let type: any XML.EventHandler.Type
    let address: UnsafeMutableRawPointer
  }

  /// The names of the document; behind a pointer, since views refer to it.
  final let names = UnsafeMutablePointer<NameTable>.allocate(capacity: 1)
  /// The error of a report that ended the parse.
  private(set) final var thrown: (any Error)?
  /// Hears of elements and text in place of a subclass.
  private final let listener: Listener?

  /// Creates a driver. Nodes and text of the whole document are not limited, because it is not stored.
  init(limits: XML.Limits, listener: Listener? = nil) {
    names.initialize(to: NameTable(limit: limits.distinctNames))
    self.listener = listener
    super.init(limits: limits)
  }

  deinit {
    names.deinitialize(count: 1)
    names.deallocate()
  }

  /// Reports all content of the document itself. libxml2 parses the text of an entity once in a separate context,
  /// where it requires nodes; those are never seen.
  override final func installContent(in sax: xmlSAXHandlerPtr) {
    Self.installDocument(in: sax)
    Self.installElements(in: sax)
    Self.installText(in: sax)
    Self.installMarkup(in: sax)
  }

  // The reported events; the line is available from the context. A thrown error ends the parse. If there is a
  // listener, elements and text are not reported here.

  func startDocument(_ declaration: XML.Declaration) throws {}
  func endDocument() throws {}
  func reportStart(_ tag: UnsafePointer<SAXStartTag>, at context: UnsafeMutableRawPointer) throws {}
  func reportEnd(_ name: SAXName, at context: UnsafeMutableRawPointer) throws {}
  func reportCharacters(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) throws {}
  func reportComment(_ text: UnsafeBufferPointer<UInt8>, at context: UnsafeMutableRawPointer) throws {}
  func reportProcessingInstruction(
    target: UnsafePointer<xmlChar>?,
    data: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) throws {}

  /// Runs a step of the parser; an error of a report takes precedence over the resulting error of the parser.
  final func run<Result>(_ step: () throws(XML.ParseError) -> Result) throws -> Result {
    if let thrown { throw thrown }
    do throws(XML.ParseError) {
      return try step()
    } catch {
      throw thrown ?? error
    }
  }

  /// Ends the parse with an error.
  @inline(never)
  final func stop(_ error: any Error, at context: UnsafeMutableRawPointer) {
    if let excess = error as? EventRecorder.Excess {
      fail(.limit(name: "\(excess.name)", value: excess.limit), at: context)
    } else {
      if failure == nil { thrown = error }
      fail(.finished, at: context)
    }
  }
}

// MARK: - What libxml2 reports

extension EventDriver {
  final func startDocument(at context: UnsafeMutableRawPointer) {
    guard isOpen(context) else { return }
    let parser = context.assumingMemoryBound(to: xmlParserCtxt.self)
    var declaration = XML.Declaration()
    if let version = stagecoach_xml_version(parser) { declaration.version = String(cString: version) }
    declaration.encoding = declaredEncoding
    let standalone = stagecoach_xml_standalone(parser)
    if standalone >= 0 { declaration.isStandalone = standalone != 0 }
    do { try startDocument(declaration) } catch { stop(error, at: context) }
  }

  final func endDocument(at context: UnsafeMutableRawPointer) {
    guard isOpen(context) else { return }
    do { try endDocument() } catch { stop(error, at: context) }
  }

  /// Reports a start tag if the limits allow it.
  @inline(__always)
  final func startElement(_ tag: UnsafePointer<SAXStartTag>, at context: UnsafeMutableRawPointer) {
    guard tag.pointee.namespaceCount == 0, tag.pointee.defaultedCount == 0,
      tag.pointee.attributeCount == 0 || hasPlainAttributes(tag),
      openPlainly(tag.pointee.name, at: context)
    else { return startUnusualElement(tag, at: context) }
    do { try tellStart(tag, at: context) } catch { stop(error, at: context) }
  }

  /// Whether there is nothing about attributes that has to be looked at: their names are known, and no value holds a
  /// reference.
  @inline(__always)
  private final func hasPlainAttributes(_ tag: UnsafePointer<SAXStartTag>) -> Bool {
    let count = Int(tag.pointee.attributeCount)
    guard count <= limits.attributesPerElement else { return false }
    var index = 0
    while index < count {
      guard knows(tag.pointee.attributeName(index)), !tag.pointee.hasReferences(index),
        tag.pointee.value(index).count <= limits.nodeSize
      else { return false }
      index &+= 1
    }
    return true
  }

  /// Reports a start tag that may need more than a look, or ends the parse.
  @inline(never)
  private final func startUnusualElement(
    _ tag: UnsafePointer<SAXStartTag>,
    at context: UnsafeMutableRawPointer
  ) {
    if main == context { openReference = nil }
    guard isLive(context) else {
      if main != context { tag.pointee.buildNode(at: context) }
      return
    }
    let tag = tag.pointee
    let count = Int(tag.attributeCount)
    guard admitPassing(attributes: count, namespaces: Int(tag.namespaceCount), at: context),
      admitName(tag.name, at: context)
    else { return }
    if tag.defaultedCount > 0 || tag.namespaceCount > 0 && defaultsNamespaces {
      guard admitDefaults(of: tag, at: context) else { return }
    }
    for index in 0..<Int(tag.namespaceCount) {
      guard admitName(length(tag.namespace(index).0), at: context) else { return }
    }
    var hasReferences = false
    for index in 0..<count {
      guard admitName(tag.attributeName(index), at: context),
        admitNode(tag.value(index).count, at: context)
      else { return }
      if tag.hasReferences(index) { hasReferences = true }
    }
    guard admitNamespaceReferences(of: tag, at: context) else { return }
    referenceCost = 0
    do {
      if expandsNamespaces || tag.declaresByReference {
        try withExpandedNamespaces(of: tag, at: context) {
          try report($0, hasReferences: hasReferences, at: context)
        }
      } else {
        try report(tag, hasReferences: hasReferences, at: context)
      }
    } catch {
      stop(error, at: context)
    }
  }

  @inline(__always)
  final func endElement(_ name: SAXName, at context: UnsafeMutableRawPointer) {
    guard closePlainly(at: context) else { return endUnusualElement(name, at: context) }
    do { try tellEnd(name, at: context) } catch { stop(error, at: context) }
  }

  @inline(never)
  private final func endUnusualElement(_ name: SAXName, at context: UnsafeMutableRawPointer) {
    guard isLive(context) else {
      if main != context { xmlSAX2EndElementNs(context, name.local, name.prefix, name.uri) }
      return
    }
    closeElement()
    do { try tellEnd(expanding(name), at: context) } catch { stop(error, at: context) }
  }

  @inline(__always)
  final func characters(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) {
    guard isLive(context) else { return buildCharacters(kind, text, at: context) }
    guard admitPassing(characters: text.count, at: context) else { return }
    do { try tellCharacters(kind, text, at: context) } catch { stop(error, at: context) }
  }

  @inline(never)
  private final func buildCharacters(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) {
    guard main != context else { return }
    let count = Int32(truncatingIfNeeded: text.count)
    if kind == .cdata {
      xmlSAX2CDataBlock(context, text.baseAddress, count)
    } else {
      xmlSAX2Characters(context, text.baseAddress, count)
    }
  }

  /// Inserts the text of an entity in place of a reference.
  final func reference(_ name: UnsafePointer<xmlChar>?, at context: UnsafeMutableRawPointer) {
    guard main == context else { return xmlSAX2Reference(context, name) }
    guard isOpen(context), let name, closeReference(name), let text = replacement(for: name, at: context),
      !text.isEmpty
    else { return }
    text.withUnsafeBufferPointer { characters(.text, $0, at: context) }
  }

  final func comment(_ text: UnsafePointer<xmlChar>?, at context: UnsafeMutableRawPointer) {
    guard main == context else { return xmlSAX2Comment(context, text) }
    guard admitPassingMarkup(length(text), at: context), doctype != .open else { return }
    do { try reportComment(bytes(of: text), at: context) } catch { stop(error, at: context) }
  }

  final func processingInstruction(
    target: UnsafePointer<xmlChar>?,
    data: UnsafePointer<xmlChar>?,
    at context: UnsafeMutableRawPointer
  ) {
    guard main == context else { return xmlSAX2ProcessingInstruction(context, target, data) }
    guard !isHidden, admitPassingMarkup(length(data), at: context), admitName(length(target), at: context),
      doctype != .open
    else { return }
    do {
      try reportProcessingInstruction(target: target, data: bytes(of: data), at: context)
    } catch {
      stop(error, at: context)
    }
  }

  private final func report(
    _ tag: SAXStartTag,
    hasReferences: Bool,
    at context: UnsafeMutableRawPointer
  ) throws {
    if hasReferences {
      try reportExpanded(tag, at: context)
    } else {
      try withUnsafePointer(to: tag) { try tellStart($0, at: context) }
    }
  }

  /// Reports a start tag some of whose attribute values hold references, numeric ones included.
  private func reportExpanded(_ tag: SAXStartTag, at context: UnsafeMutableRawPointer) throws {
    var text: [UInt8] = []
    var ranges: [Range<Int>] = []
    for index in 0..<Int(tag.attributeCount) {
      guard let value = replacingReferences(inAttribute: index, of: tag, at: context) else { return }
      ranges.append(text.count..<(text.count + value.count))
      text += value
    }
    var attributes = Array(UnsafeBufferPointer(start: tag.attributes, count: ranges.count * 5))
    try text.withUnsafeBufferPointer { text in
      for (index, range) in ranges.enumerated() {
        attributes[index * 5 + 3] = text.baseAddress.map { $0 + range.lowerBound }
        attributes[index * 5 + 4] = text.baseAddress.map { $0 + range.upperBound }
      }
      try attributes.withUnsafeMutableBufferPointer {
        var tag = tag
        tag.attributes = $0.baseAddress
        try withUnsafePointer(to: tag) { try tellStart($0, at: context) }
      }
    }
  }
}

// MARK: - Who hears of it

extension EventDriver {
  @inline(__always)
  private final func tellStart(_ tag: UnsafePointer<SAXStartTag>, at context: UnsafeMutableRawPointer) throws
  {
    if let listener {
      let tag = XML.RawStartTag(tag, names: names, context: context)
      try listener.tellStart(tag, as: listener.type)
    } else {
      try reportStart(tag, at: context)
    }
  }

  @inline(__always)
  private final func tellEnd(_ name: SAXName, at context: UnsafeMutableRawPointer) throws {
    if let listener {
      try listener.tellEnd(XML.RawName(name, names: names), as: listener.type)
    } else {
      try reportEnd(name, at: context)
    }
  }

  @inline(__always)
  private final func tellCharacters(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    at context: UnsafeMutableRawPointer
  ) throws {
    if let listener {
      try listener.tellCharacters(kind, text, as: listener.type)
    } else {
      try reportCharacters(kind, text, at: context)
    }
  }
}

extension EventDriver.Listener {
  @inline(__always)
  func tellStart<Handler: XML.EventHandler>(_ tag: borrowing XML.RawStartTag, as type: Handler.Type) throws {
    try address.assumingMemoryBound(to: type).pointee.startElement(tag)
  }

  @inline(__always)
  func tellEnd<Handler: XML.EventHandler>(_ name: borrowing XML.RawName, as type: Handler.Type) throws {
    try address.assumingMemoryBound(to: type).pointee.endElement(name)
  }

  @inline(__always)
  func tellCharacters<Handler: XML.EventHandler>(
    _ kind: EventRecord.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    as type: Handler.Type
  ) throws {
    let handler = address.assumingMemoryBound(to: type)
    if kind == .cdata {
      try handler.pointee.cdata(text.span)
    } else {
      try handler.pointee.text(text.span)
    }
  }
}
