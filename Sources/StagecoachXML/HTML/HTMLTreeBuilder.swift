internal import CLibXML2

/// Lets libxml2 build a tree from HTML, within the limits.
///
/// Errors of the markup are recorded and do not end the parse. libxml2 is not stopped from within a callback, because
/// its HTML parser then reads beyond the end of the input; it gets little input at a time, and none after a failure.
final class HTMLTreeBuilder: ParserGuard {
  /// The first of the things that are wrong.
  private(set) var issues: [XML.HTMLParser.Issue] = []
  private var errorCount = 0
  /// The element that was opened last and whose content is text to libxml2, as long as it is open.
  private(set) var rawText: String?

  /// The elements whose content is text to libxml2, references and all.
  static let rawTextElements: [String] =
    ["script", "style"] + (HTMLNormalizer.readsHTML5 ? ["xmp", "iframe", "noembed", "noframes"] : [])
  /// A character that is not in the text of a page: the first one of a comment that represents a processing
  /// instruction, or in a script the second one of an end tag that belongs to the script.
  static let mark: UInt8 = 1

  /// Names of attributes that libxml2 cannot read, in the order of the placeholders given to it, each
  /// ending with a zero.
  private var odd: [UInt8] = []
  private var oddStarts: [Int] = []
  private var oddNumbers: [[UInt8]: Int] = [:]

  override func stop(_ context: xmlParserCtxtPtr) {}

  override func note(_ error: xmlError) {
    guard failure == nil, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    guard error.domain != XML_FROM_VALID.rawValue, error.domain != XML_FROM_DTD.rawValue else { return }
    guard error.code != Int32(XML_ERR_NO_MEMORY.rawValue) else { return super.note(error) }
    // libxml2 only knows the elements of HTML 4.
    guard error.code != Int32(XML_HTML_UNKNOWN_TAG.rawValue) else { return }
    guard error.code != Int32(XML_ERR_INVALID_CHAR.rawValue) || error.int1 != Int32(Self.mark) else { return }
    note(String(libxmlMessage: error.message), line: Int(error.line), column: Int(error.int2))
  }

  /// Records an error of the markup.
  func note(_ message: String, line: Int, column: Int) {
    errorCount += 1
    if issues.count < XML.HTMLParser.issueLimit {
      issues.append(.init(message: message, line: max(0, line), column: max(0, column)))
    }
    // Markup that makes no nodes costs time too.
    guard errorCount > limits.nodes, let main else { return }
    fail(.limit(name: "nodes", value: limits.nodes), at: main)
  }

  /// Keeps a name for the start tag that is written next, and gives the name to write instead: the same for the same
  /// name, so that libxml2 sees what is there twice.
  func placeholder(for name: some Sequence<UInt8>) -> [UInt8] {
    let name = Array(name)
    let number = oddNumbers[name, default: oddStarts.count]
    if number == oddStarts.count {
      oddNumbers[name] = number
      oddStarts.append(odd.count)
      odd.append(contentsOf: name)
      odd.append(0)
    }
    return Array(".\(number)".utf8)
  }

  /// Forgets the placeholders, when libxml2 has seen them.
  func forgetPlaceholders() {
    odd.removeAll(keepingCapacity: true)
    oddStarts.removeAll(keepingCapacity: true)
    oddNumbers.removeAll(keepingCapacity: true)
  }

  override func installContent(in sax: xmlSAXHandlerPtr) {
    sax.pointee.startElement = { context, name, attributes in
      guard let context, let name, let builder = HTMLTreeBuilder.of(context) else { return }
      builder.startElement(name, attributes, at: context)
    }
    sax.pointee.endElement = { context, name in
      guard let context, let builder = HTMLTreeBuilder.of(context), builder.isOpen(context) else { return }
      builder.closeElement()
      builder.rawText = nil
      xmlSAX2EndElement(context, name)
    }
    sax.pointee.characters = { context, text, count in
      guard let context, let builder = HTMLTreeBuilder.of(context),
        builder.admitCharacters(Int(count), at: context)
      else { return }
      xmlSAX2Characters(context, text, count)
    }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    // Scripts are text, as in the DOM. As CDATA they would take quadratic time.
    sax.pointee.cdataBlock = sax.pointee.characters
    sax.pointee.comment = { context, text in
      guard let context, let builder = HTMLTreeBuilder.of(context) else { return }
      if let text, text[0] == HTMLTreeBuilder.mark {
        return builder.instruction(bytes(of: text + 1), at: context)
      }
      guard builder.admitNodes(1, at: context), builder.admitText(length(text), at: context) else { return }
      xmlSAX2Comment(context, text)
    }
    sax.pointee.processingInstruction = { context, target, data in
      guard let context, let builder = HTMLTreeBuilder.of(context),
        builder.admitNodes(1, at: context), builder.admitName(length(target), at: context),
        builder.admitText(length(data), at: context)
      else { return }
      xmlSAX2ProcessingInstruction(context, target, data)
    }
  }

  /// Adds a processing instruction that libxml2 takes for a comment.
  private func instruction(_ text: UnsafeBufferPointer<UInt8>, at context: UnsafeMutableRawPointer) {
    let target = text.prefix(while: \.isHTMLNameByte)
    let data = text[target.endIndex...].drop(while: \.isHTMLSpace)
    guard admitNodes(1, at: context), admitName(target.count, at: context),
      admitText(data.count, at: context)
    else { return }
    (Array(target) + [0]).withUnsafeBufferPointer { target in
      (Array(data) + [0]).withUnsafeBufferPointer { data in
        xmlSAX2ProcessingInstruction(context, target.baseAddress, data.count > 1 ? data.baseAddress : nil)
      }
    }
  }

  private func startElement(
    _ name: UnsafePointer<xmlChar>,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    at context: UnsafeMutableRawPointer
  ) {
    var count = 0
    if let attributes { while attributes[count * 2] != nil { count += 1 } }
    guard admitElement(attributes: count, namespaces: 0, at: context), admitName(length(name), at: context)
    else { return }
    rawText = Self.rawTextElements.first { $0.equals(libxml: name) }
    odd.withUnsafeBufferPointer { odd in
      for index in 0..<count {
        guard let attributes, let attribute = attributes[index * 2] else { return }
        if attribute[0] == UInt8(ascii: "."), let number = Int(String(libxml: attribute + 1)),
          oddStarts.indices.contains(number)
        {
          // libxml2 owns the values alone, and does not look at the names again.
          attributes[index * 2] = odd.baseAddress.map { $0 + oddStarts[number] }
        }
        guard admitName(length(attributes[index * 2]), at: context),
          admitText(length(attributes[index * 2 + 1]), at: context)
        else { return }
      }
      xmlSAX2StartElement(context, name, attributes)
      // The SAX1 interface cuts prefixes off.
      if bytes(of: name).contains(UInt8(ascii: ":")) {
        xmlNodeSetName(stagecoach_xml_node(context.assumingMemoryBound(to: xmlParserCtxt.self)), name)
      }
    }
  }
}
