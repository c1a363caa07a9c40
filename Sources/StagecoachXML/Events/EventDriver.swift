internal import CLibXML2

/// Reports what libxml2 parses to a subclass, as long as the limits hold that concern more than a tree.
///
/// Nothing is kept but the document type declaration with its entities, which libxml2 needs. The callbacks are
/// in `EventDriver+SAX.swift`.
class EventDriver: ParserGuard {
  /// The names of the document; behind a pointer, since views refer to it.
  final let names = UnsafeMutablePointer<NameTable>.allocate(capacity: 1)
  /// What a report threw; it ended the parse.
  private(set) final var thrown: (any Error)?

  /// A driver; nodes and text are not counted over the whole document, which nobody holds.
  override init(limits: XML.Limits) {
    names.initialize(to: NameTable())
    var limits = limits
    limits.nodes = .max
    limits.textSize = .max
    super.init(limits: limits)
  }

  deinit {
    names.deinitialize(count: 1)
    names.deallocate()
  }

  /// Reports everything of the document itself. libxml2 looks at the text of an entity once, in a context of
  /// its own, and needs to find nodes there; nobody sees those.
  override final func installContent(in sax: xmlSAXHandlerPtr) {
    Self.installDocument(in: sax)
    Self.installElements(in: sax)
    Self.installText(in: sax)
    Self.installMarkup(in: sax)
  }

  // What was met. An error thrown ends the parse.

  func startDocument(_ declaration: XML.Declaration) throws {}
  func endDocument() throws {}
  func startElement(_ tag: SAXStartTag, line: Int) throws {}
  func endElement(_ name: SAXName, line: Int) throws {}
  func characters(_ kind: EventRecord.Kind, _ text: UnsafeBufferPointer<UInt8>, line: Int) throws {}
  func comment(_ text: UnsafeBufferPointer<UInt8>, line: Int) throws {}
  func processingInstruction(
    target: UnsafePointer<xmlChar>?,
    data: UnsafeBufferPointer<UInt8>,
    line: Int
  ) throws {}

  /// Runs a step of the parser; what a report threw comes before what it made the parser say.
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

  /// Puts the text of an entity where a reference to it stands.
  final func reference(_ name: UnsafePointer<xmlChar>?, at context: UnsafeMutableRawPointer) {
    guard let name, let text = replacement(for: name, at: context), !text.isEmpty,
      admitCharacters(text.count, at: context)
    else { return }
    do {
      try text.withUnsafeBufferPointer { try characters(.text, $0, line: line(at: context)) }
    } catch {
      stop(error, at: context)
    }
  }

  /// Reports a start tag if the limits allow it.
  final func startElement(_ tag: SAXStartTag, at context: UnsafeMutableRawPointer) {
    let count = Int(tag.attributeCount)
    guard admitElement(attributes: count, namespaces: Int(tag.namespaceCount), at: context),
      admitName(tag.name.count, at: context)
    else { return }
    for index in 0..<Int(tag.namespaceCount) {
      guard admitName(length(tag.namespace(index).0), at: context) else { return }
    }
    var hasReferences = false
    for index in 0..<count {
      guard admitName(tag.attributeName(index).count, at: context) else { return }
      hasReferences = hasReferences || tag.value(index).contains(UInt8(ascii: "&"))
    }
    do {
      if hasReferences {
        try reportExpanded(tag, at: context)
      } else {
        try startElement(tag, line: line(at: context))
      }
    } catch {
      stop(error, at: context)
    }
  }

  /// Reports a start tag some of whose attribute values hold references, numeric ones included.
  private func reportExpanded(_ tag: SAXStartTag, at context: UnsafeMutableRawPointer) throws {
    var text: [UInt8] = []
    var ranges: [Range<Int>] = []
    for index in 0..<Int(tag.attributeCount) {
      guard let value = replacingReferences(in: tag.value(index), at: context) else { return }
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
        try startElement(tag, line: line(at: context))
      }
    }
  }

  final func line(at context: UnsafeMutableRawPointer) -> Int {
    Int(stagecoach_xml_line(context.assumingMemoryBound(to: xmlParserCtxt.self)))
  }
}
