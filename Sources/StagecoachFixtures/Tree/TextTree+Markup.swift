extension TextTree {
  /// Reads XML or HTML whether it is well formed or not: attributes, texts and CDATA sections. White space alone is no
  /// text.
  mutating func readMarkup(isHTML: Bool) {
    var reader = MarkupReader(self, isHTML: isHTML)
    reader.read()
    self = reader.tree
  }
}

private struct MarkupReader {
  private struct Element {
    let name: String
    var children = NameCounts()
    var textCount = 0
  }

  /// Elements that are nested more deeply are read as the one around them.
  private static let maxDepth = 256
  private static let maxNameLength = 256
  private static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
  ]
  private static let textElements: Set<String> = ["script", "style", "textarea", "title"]
  /// The elements that the start of another one ends.
  private static let impliedEnds: [String: Set<String>] = [
    "li": ["li"], "option": ["option"], "p": ["p"], "dt": ["dt", "dd"], "dd": ["dt", "dd"],
    "td": ["td", "th"],
    "th": ["td", "th"], "tr": ["td", "th", "tr"],
  ]

  private(set) var tree: TextTree
  private let text: [UInt8]
  private let isHTML: Bool
  private var position = 0
  /// The open elements; the first one is the document.
  private var elements = [Element(name: "")]
  /// Names of elements that end and are not open.
  private var notOpen: Set<String> = []
  private var skipped = 0

  init(_ tree: TextTree, isHTML: Bool) {
    self.tree = tree
    text = tree.text
    self.isHTML = isHTML
  }

  mutating func read() {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    var start = position
    while let mark = text[position...].firstIndex(of: UInt8(ascii: "<")) {
      guard let next = mark + 1 < text.count ? text[mark + 1] : nil,
        next.isLetter || next >= 0x80 || next.isOne(of: "_!?/")
      else {
        position = mark + 1
        continue
      }
      addText(start..<mark)
      position = mark + 1
      switch next {
      case UInt8(ascii: "!"): readDeclaration()
      case UInt8(ascii: "?"): skip(past: isHTML ? ">" : "?>")
      case UInt8(ascii: "/"): readEnd()
      default: readStart()
      }
      start = position
    }
    addText(start..<text.count)
    while elements.count > 1 { close() }
  }

  // MARK: Text

  private func offset(of run: StaticString, from start: Int) -> Int? {
    run.withUTF8Buffer { text.firstOffset(of: Array($0), from: start) }
  }

  private mutating func skip(past run: StaticString) {
    position = offset(of: run, from: position).map { $0 + run.utf8CodeUnitCount } ?? text.count
  }

  private mutating func skipTag() {
    position = text[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? text.count
  }

  private mutating func addText(
    _ range: Range<Int>,
    _ coding: LeafCoding = .markup(),
    style: AssignmentReader.Style = .value
  ) {
    let range = text.trimmed(range)
    guard !range.isEmpty else { return }
    tree.add(.characters(elements[elements.count - 1].textCount), range, coding, style: style)
    elements[elements.count - 1].textCount += 1
  }

  /// Reads what begins with `<!`.
  private mutating func readDeclaration() {
    let rest = text[position...]
    if rest.starts(with: "!--".utf8) {
      position += 3
      skip(past: "-->")
    } else if rest.starts(with: "![CDATA[".utf8) {
      let start = position + 8
      let end = offset(of: "]]>", from: start) ?? text.count
      addText(start..<end, .plain)
      position = min(end + 3, text.count)
    } else {
      // The internal subset of a document type is in brackets.
      var depth = 0
      while position < text.count, depth > 0 || text[position] != UInt8(ascii: ">") {
        if text[position] == UInt8(ascii: "[") { depth += 1 }
        if text[position] == UInt8(ascii: "]") { depth -= 1 }
        position += 1
      }
      position = min(position + 1, text.count)
    }
  }

  // MARK: Elements

  /// Reads the name at the position, without its prefix, unless it declares one; in HTML, in lower case.
  private mutating func readName() -> String {
    let start = position
    while position < text.count, !text[position].endsName { position += 1 }
    let name = text[start..<position]
    var local = name.prefix(Self.maxNameLength)
    if let colon = local.lastIndex(of: UInt8(ascii: ":")), !local.starts(with: "xmlns:".utf8) {
      local = local[(colon + 1)...]
    }
    guard isHTML, local.contains(where: { $0.isUpperCase || $0 >= 0x80 }) else {
      return String(decoding: local, as: UTF8.self)
    }
    return String(decoding: local, as: UTF8.self).lowercased()
  }

  private mutating func readEnd() {
    position += 1
    let name = readName()
    skipTag()
    if skipped > 0 {
      skipped -= 1
    } else if !notOpen.contains(name) {
      guard elements.last?.name == name || elements.contains(where: { $0.name == name }) else {
        notOpen.insert(name)
        return
      }
      while elements[elements.count - 1].name != name { close() }
      close()
    }
  }

  private mutating func close() {
    guard elements.count > 1 else { return }
    elements.removeLast()
    tree.close(at: position)
  }

  private mutating func readStart() {
    let start = position - 1
    let name = readName()
    if isHTML, let ended = Self.impliedEnds[name] {
      while let last = elements.last?.name, ended.contains(last) { close() }
    }
    let isElement = elements.count <= Self.maxDepth
    if isElement {
      tree.open(.element(name, elements[elements.count - 1].children.next(name)), at: start)
      elements.append(Element(name: name))
      if !notOpen.isEmpty { notOpen.remove(name) }
    }
    let isEmpty = readAttributes()
    if isEmpty || isHTML && Self.voidElements.contains(name) {
      if isElement { close() }
    } else if isHTML, Self.textElements.contains(name) {
      readContent(of: name)
      if isElement { close() }
    } else if !isElement {
      skipped += 1
    }
  }

  /// Reads the attributes and the end of a tag.
  ///
  /// - Returns: Whether the tag ends in a slash.
  private mutating func readAttributes() -> Bool {
    var valueEnd = position
    while position < text.count, text[position] != UInt8(ascii: ">"), text[position] != UInt8(ascii: "<") {
      let start = position
      let name = readName()
      guard position > start else {
        position += 1
        continue
      }
      var next = position
      while next < text.count, text[next].isSpace { next += 1 }
      guard next < text.count, text[next] == UInt8(ascii: "=") else {
        position = next
        continue
      }
      position = next + 1
      while position < text.count, text[position].isSpace { position += 1 }
      let (range, coding) = readAttributeValue()
      tree.add(.attribute(name), range, coding)
      valueEnd = position
    }
    let isEmpty = position > valueEnd && text[position - 1] == UInt8(ascii: "/")
    if text.has(position, { $0 == UInt8(ascii: ">") }) { position += 1 }
    return isEmpty
  }

  private mutating func readAttributeValue() -> (Range<Int>, LeafCoding) {
    guard position < text.count else { return (position..<position, .markup()) }
    let quote = text[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = position + 1
      let end = text[start...].firstIndex(of: quote) ?? text.count
      position = min(end + 1, text.count)
      return (start..<end, .markup())
    }
    let value = text[position...].prefix { !$0.isSpace && $0 != UInt8(ascii: ">") }
    position = value.endIndex
    return (value.indices, .unquotedAttribute())
  }

  /// Reads the content of an element of HTML that contains no elements.
  private mutating func readContent(of name: String) {
    let start = position
    var end = position
    while true {
      end = offset(of: "</", from: end) ?? text.count
      let found = text[end...].dropFirst(2).prefix(name.utf8.count)
      if end == text.count || String(decoding: found, as: UTF8.self).lowercased() == name { break }
      end += 2
    }
    position = end
    switch name {
    case "script", "style": addText(start..<end, .plain, style: .code)
    default: addText(start..<end)
    }
    if position < text.count {
      position += 2 + name.utf8.count
      skipTag()
    }
  }
}

extension UInt8 {
  /// Whether the octet is behind the name of an element or an attribute.
  var endsName: Bool { isSpace || isOne(of: "/>=\"'<") }
}
