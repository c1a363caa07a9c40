/// Splits HTML into complete pieces, and repairs constructs that libxml2's HTML parser treats differently from HTML,
/// or would need quadratic time for.
///
/// libxml2's push parser loses its position if its input ends inside of markup, so its result would depend on how the
/// document is split. The normalizer passes the same pieces however the document arrives.
struct HTMLNormalizer {
  /// The kind of the next bytes.
  private enum Mode {
    case markup
    /// The content of an element that libxml2 too takes for text.
    case script(String)
    /// The content of another element that is text to HTML.
    case text(String, HTMLReferences.Escapes)
    /// Text up to the end of the document.
    case plain
  }

  let limits: XML.Limits
  private var mode = Mode.markup
  var output: [UInt8] = []
  /// The number of bytes of the incomplete piece that have been searched.
  var scanned = 0
  /// The number of bytes that have been searched for the end tag of a script.
  private var scannedEndTag = 0
  private var scriptScanner = HTMLScriptScanner()
  private var tag = HTMLTagScanner()
  /// The bytes of text since the last markup.
  private var textLength = 0
  private var hasOpened = false
  /// The number of open elements of SVG and MathML, in which CDATA sections are allowed.
  var foreignDepth = 0
  /// The kind of incomplete markup at the end of the document.
  var ending: String?

  /// The size of input passed to libxml2 at a time, except for markup that must be complete.
  private static let sliceSize = 16 << 10
  /// The largest piece of markup, and of text.
  private let pieceSize: Int
  /// Whether libxml2 uses the tokenizer of HTML 5, and knows all elements whose content is text.
  static let readsHTML5 = XML.libraryVersion >= 21400
  /// The longest name that libxml2's HTML parser reads.
  private static let nameSize = 100

  init(limits: XML.Limits) {
    self.limits = limits
    pieceSize = min(limits.nodeSize, XML.Limits.maxNodeSize)
  }

  /// Reads UTF-8, which starts with what was left the last time.
  ///
  /// - Returns: How many bytes are done with.
  mutating func process(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    to parser: HTMLPushParser
  ) throws(XML.ParseError) -> Int {
    var position = 0
    while position < bytes.count {
      let rest = UnsafeBufferPointer(rebasing: bytes[position...])
      let length = try next(rest, isLast: isLast, to: parser)
      if (length ?? rest.count) > pieceSize {
        throw try refuse(.limit(name: "nodeSize", value: pieceSize), parser)
      }
      guard let length else { break }
      position += length
      scanned = 0
      if output.count >= Self.sliceSize { try flush(to: parser) }
    }
    if isLast {
      try flush(to: parser, isLast: true)
      if let ending { parser.note("the document ends in \(ending)") }
    }
    return position
  }

  private mutating func flush(to parser: HTMLPushParser, isLast: Bool = false) throws(XML.ParseError) {
    try parser.push(output, isLast: isLast)
    output.removeAll(keepingCapacity: true)
  }

  private mutating func refuse(
    _ reason: XML.ParseError.Reason,
    _ parser: HTMLPushParser
  ) throws(XML.ParseError) -> XML.ParseError {
    try flush(to: parser)
    return parser.refuse(reason)
  }

  /// Writes the next piece; nil if it is not complete.
  private mutating func next(
    _ rest: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    to parser: HTMLPushParser
  ) throws(XML.ParseError) -> Int? {
    switch mode {
    case .script(let name): return try script(rest, name, isLast: isLast, to: parser)
    case .text(let name, let escapes):
      guard let end = endTag(of: name, in: rest) ?? (isLast ? rest.count : nil) else { return nil }
      HTMLReferences.append(rest[..<end], to: &output, escaping: escapes)
      mode = .markup
      return end
    case .plain:
      plain(rest)
      return rest.count
    case .markup: break
    }
    guard rest[0] == UInt8(ascii: "<") else { return try text(rest, isLast: isLast, to: parser) }
    textLength = 0
    guard rest.count > 1 || isLast else { return nil }
    switch rest.count > 1 ? rest[1] : 0 {
    case let byte where byte.isASCIILetter: return try startTag(rest, isLast: isLast, to: parser)
    case UInt8(ascii: "/"): return try endTag(rest, isLast: isLast, to: parser)
    case UInt8(ascii: "!"): return declaration(rest, isLast: isLast)
    case UInt8(ascii: "?"): return instruction(rest, isLast: isLast)
    default:
      output.append(contentsOf: "&lt;".utf8)
      return 1
    }
  }

  // MARK: - Text

  /// Text up to the next `<`, in pieces. libxml2 waits for the `<` itself.
  private mutating func text(
    _ rest: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    to parser: HTMLPushParser
  ) throws(XML.ParseError) -> Int? {
    let piece = rest.prefix(Self.sliceSize)
    var end = piece.endIndex
    if let markup = piece[min(scanned, end)...].firstIndex(of: UInt8(ascii: "<")) {
      end = markup
    } else if piece.count == Self.sliceSize {
      // Neither a reference nor a character is cut.
      end = piece.suffix(32).lastIndex(of: UInt8(ascii: "&")) ?? end
      while end > Self.sliceSize - 32, end < rest.count, rest[end] & 0xC0 == 0x80 { end -= 1 }
    } else if !isLast {
      scanned = rest.count
      return nil
    }
    textLength += end
    guard textLength <= limits.textSize else {
      throw try refuse(.limit(name: "textSize", value: limits.textSize), parser)
    }
    // libxml2 opens a paragraph for it if nothing is open.
    hasOpened = hasOpened || !rest[..<end].allSatisfy(\.isHTMLSpace)
    if end == 1, rest.count == 1, !rest[0].isHTMLSpace, rest[0] != UInt8(ascii: "&") {
      // libxml2 loses a single character at the end, unless it is written as a reference.
      output.append(contentsOf: "&#\(rest[0]);".utf8)
    } else {
      HTMLReferences.append(rest[..<end], to: &output)
    }
    return end
  }

  /// A script or style sheet, with its end tag.
  private mutating func script(
    _ rest: UnsafeBufferPointer<UInt8>,
    _ name: String,
    isLast: Bool,
    to parser: HTMLPushParser
  ) throws(XML.ParseError) -> Int? {
    var length: Int?
    let isScript = name == "script"
    let start = isScript ? scriptScanner.endTag(in: rest) : endTag(of: name, in: rest)
    if let start {
      length = rest[max(start, scannedEndTag)...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
      scannedEndTag = rest.count
    }
    guard let length else {
      guard isLast else { return nil }
      // An end tag that the document ends in is dropped, as all markup is.
      let isUnfinished = !isScript || !scriptScanner.ignoresEndTag
      let end = start ?? (isUnfinished ? unfinishedEndTag(of: name, in: rest) : nil)
      writeScript(rest[..<(end ?? rest.count)])
      if end != nil { ending = "a tag" }
      return rest.count
    }
    scannedEndTag = 0
    writeScript(rest[..<length])
    try flush(to: parser)
    if !parser.isIn(name) { mode = .markup }
    return length
  }

  /// Writes a script or style sheet. Old versions of libxml2 would end it at an end tag that belongs to it, and drop
  /// the mark that prevents this.
  private mutating func writeScript(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    var start = text.startIndex
    for endTag in Self.readsHTML5 ? [] : scriptScanner.innerEndTags {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...endTag]))
      output.append(HTMLTreeBuilder.mark)
      start = endTag + 1
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    scriptScanner = HTMLScriptScanner()
  }

  /// Returns the start of an incomplete end tag of the element at the end of the document.
  private func unfinishedEndTag(of name: String, in rest: UnsafeBufferPointer<UInt8>) -> Int? {
    let tag = rest.suffix(name.utf8.count + 2)
    guard tag.starts(with: "</".utf8), tag.dropFirst(2).lazy.map(\.asciiLowercased).elementsEqual(name.utf8)
    else { return nil }
    return tag.startIndex
  }

  /// Text in which nothing is markup.
  private mutating func plain(_ rest: UnsafeBufferPointer<UInt8>) {
    if Self.readsHTML5 {
      output.append(contentsOf: rest)
    } else if rest.count == 1 {
      // See above.
      output.append(contentsOf: "&#\(rest[0]);".utf8)
    } else {
      HTMLReferences.append(rest[...], to: &output, escaping: [.lessThan, .ampersand])
    }
  }

  /// Returns the start of the end tag of an element whose content is text.
  private mutating func endTag(of name: String, in rest: UnsafeBufferPointer<UInt8>) -> Int? {
    let length = name.utf8.count + 3
    while let start = rest[min(scanned, rest.count)...].firstIndex(of: UInt8(ascii: "<")) {
      scanned = start
      guard rest.count - start >= length else { return nil }
      let end = rest[start + length - 1]
      if rest[start + 1] == UInt8(ascii: "/"),
        rest[(start + 2)...].lazy.map(\.asciiLowercased).starts(with: name.utf8),
        end == UInt8(ascii: ">") || end == UInt8(ascii: "/") || end.isHTMLSpace
      {
        return start
      }
      scanned = start + 1
    }
    scanned = rest.count
    return nil
  }

  // MARK: - Tags

  private mutating func startTag(
    _ rest: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    to parser: HTMLPushParser
  ) throws(XML.ParseError) -> Int? {
    let length = tag.scan(rest, limit: limits.attributesPerElement)
    guard tag.attributes.count <= limits.attributesPerElement else {
      throw try refuse(
        .limit(name: "attributesPerElement", value: limits.attributesPerElement),
        parser
      )
    }
    guard let length else { return incomplete(rest, isLast: isLast, "a tag") }
    let tag = self.tag
    self.tag = HTMLTagScanner()
    let name = rest[1..<tag.nameEnd].prefix(while: \.isHTMLNameByte)
    try check(name.count, atMost: Self.nameSize, parser)
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: UnsafeBufferPointer(rebasing: name))
    try write(tag, of: rest, length: length, for: parser)
    // The longest name that matters has eight letters.
    let lowercased = name.count > 8 ? "" : String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
    let isRoot = lowercased == "html" || lowercased == "body"
    // libxml2 only knows the void elements of HTML 4.
    let isEmpty = tag.isSelfClosing && !isRoot || HTMLElements.void.contains(lowercased)
    output.append(contentsOf: isEmpty ? "/>".utf8 : ">".utf8)
    switch lowercased {
    case _ where HTMLTreeBuilder.rawTextElements.contains(lowercased):
      try flush(to: parser)
      if parser.isIn(lowercased) { mode = .script(lowercased) }
    case _ where tag.isSelfClosing: break
    case "svg", "math": foreignDepth += 1
    // HTML 5 does not take them for text in SVG and MathML, but new versions of libxml2 do.
    case _ where foreignDepth > 0 && !Self.readsHTML5: break
    case "title", "textarea": mode = .text(lowercased, .lessThan)
    case _ where name.elementsEqual("plaintext".utf8, by: { $0.asciiLowercased == $1 }): mode = .plain
    case "xmp", "iframe", "noembed", "noframes": mode = .text(lowercased, [.lessThan, .ampersand])
    default: break
    }
    return length
  }

  /// Writes the attributes, each with a value in quotation marks.
  private mutating func write(
    _ tag: HTMLTagScanner,
    of rest: UnsafeBufferPointer<UInt8>,
    length: Int,
    for parser: HTMLPushParser
  ) throws(XML.ParseError) {
    var end = tag.nameEnd
    for attribute in tag.attributes {
      writeGap(rest[end..<attribute.name.lowerBound], isNeeded: true)
      let name = rest[attribute.name]
      try check(name.count, atMost: limits.nameLength, parser)
      if name.count <= Self.nameSize, name.allSatisfy(\.isHTMLNameByte), name[name.startIndex].startsHTMLName
      {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: name))
      } else {
        output.append(contentsOf: parser.builder.placeholder(for: name.lazy.map(\.asciiLowercased)))
      }
      output.append(contentsOf: "=\"".utf8)
      end = attribute.name.upperBound
      if let value = attribute.value {
        HTMLReferences.append(rest[value], to: &output, escaping: .quote)
        end = value.upperBound
      }
      output.append(UInt8(ascii: "\""))
    }
    writeGap(rest[end..<length], isNeeded: false)
  }

  /// Writes the gap between attributes: a space, or the line ends, so that line numbers stay correct.
  private mutating func writeGap(_ gap: Slice<UnsafeBufferPointer<UInt8>>, isNeeded: Bool) {
    let lines = gap.lazy.filter { $0 == UInt8(ascii: "\n") }.count
    if lines > 0 {
      output.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: lines))
    } else if isNeeded {
      output.append(UInt8(ascii: " "))
    }
  }

  private mutating func check(
    _ length: Int,
    atMost limit: Int,
    _ parser: HTMLPushParser
  ) throws(XML.ParseError) {
    let limit = min(limit, limits.nameLength)
    guard length > limit else { return }
    throw try refuse(.limit(name: "nameLength", value: limit), parser)
  }

  private mutating func endTag(
    _ rest: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    to parser: HTMLPushParser
  ) throws(XML.ParseError) -> Int? {
    guard rest.count > 2, rest[2].isASCIILetter || rest[2] == UInt8(ascii: ">") else {
      return rest.count > 2 || isLast ? bogusComment(rest, from: 2, isLast: isLast) : nil
    }
    guard let length = end(of: rest) else {
      return incomplete(rest, isLast: isLast, "a tag")
    }
    guard length > 3 else { return length }
    let name = rest[2...].prefix(while: \.isHTMLNameByte)
    switch name.count > 4 ? "" : String(decoding: name.map(\.asciiLowercased), as: UTF8.self) {
    // Whatever follows still belongs to them; libxml2 would drop it.
    case "html", "body": return length
    case "svg", "math": foreignDepth = max(0, foreignDepth - 1)
    default: break
    }
    if !hasOpened {
      try flush(to: parser)
      hasOpened = parser.hasOpenElements
      // libxml2 would take it for the end of the document.
      guard hasOpened else {
        parser.note("unexpected end tag")
        return length
      }
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<length]))
    return length
  }
}

extension UInt8 {
  /// Whether libxml2's HTML parser takes it in a name.
  var isHTMLNameByte: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: ":") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
  }

  fileprivate var startsHTMLName: Bool {
    isASCIILetter || self == UInt8(ascii: ":") || self == UInt8(ascii: "_")
  }
}
