internal import CLibXML2

/// Feeds libxml2's HTML push parser, which gets complete pieces of markup only.
final class HTMLPushParser {
  let builder: HTMLTreeBuilder
  private let context: htmlParserCtxtPtr

  /// Creates a parser; `nil` if memory ran out.
  init?(for builder: HTMLTreeBuilder) {
    _ = XML.library
    var handler = xmlSAXHandler()
    stagecoach_html_handler(&handler)
    builder.install(in: &handler)
    guard let context = htmlCreatePushParserCtxt(&handler, nil, nil, 0, nil, XML_CHAR_ENCODING_UTF8) else {
      return nil
    }
    self.builder = builder
    self.context = context
    builder.adopt(context)
    stagecoach_html_configure(context, builder.limits.exceedDefaultsOfLibrary ? 1 : 0)
  }

  deinit {
    // The context does not own the tree it builds.
    xmlFreeDoc(stagecoach_xml_take_document(context))
    htmlFreeParserCtxt(context)
  }

  /// Parses UTF-8 without zero bytes, that ends behind complete markup or in text.
  func push(_ bytes: borrowing [UInt8], isLast: Bool = false) throws(XML.ParseError) {
    guard isLast || !bytes.isEmpty else { return }
    bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      builder.redirectingErrors {
        if !bytes.isEmpty { htmlParseChunk(context, start, Int32(truncatingIfNeeded: bytes.count), 0) }
        if isLast { htmlParseChunk(context, nil, 0, 1) }
      }
    }
    builder.inspectNames(at: UnsafeMutableRawPointer(context))
    builder.forgetPlaceholders()
    if let failure = builder.failure { throw failure }
  }

  /// Ends the parse for a reason that libxml2 does not report.
  func refuse(_ reason: XML.ParseError.Reason) -> XML.ParseError {
    builder.fail(reason, at: UnsafeMutableRawPointer(context))
    return builder.failure ?? XML.ParseError(reason: reason)
  }

  /// Notes something wrong at the place that was reached.
  func note(_ message: String) {
    let context = UnsafeMutableRawPointer(context)
    builder.note(message, line: line(at: context), column: column(at: context))
  }

  /// Whether what comes next is the text of an element of this name, up to its end tag.
  func isIn(_ name: String) -> Bool { builder.rawText == name }

  /// Whether any element is open.
  var hasOpenElements: Bool { builder.hasOpenElements }

  /// The tree, which the caller has to free.
  func takeTree() -> xmlDocPtr? {
    let tree = stagecoach_xml_take_document(context)
    if let tree { stagecoach_html_seal(tree) }
    return tree
  }
}
