/// Finds the assignments of a text without a syntax, such as `DB_PASSWORD=x`, `password: "x"` or
/// `Server=a;Password=x`, and its URLs.
///
/// It goes forward over the text and looks ahead by at most ``maxAhead`` octets, or to the end of the value.
struct AssignmentReader {
  /// Which assignments a text has.
  enum Style {
    /// Those of files: a value may stand behind a colon, and goes to the end of the line.
    case configuration
    /// Those in running text: a value behind an equals sign is a word.
    case value
    /// Those of programs, where only a value in quotes is one.
    case code
  }

  enum Found {
    case assignment(name: Range<Int>, value: Range<Int>, LeafCoding)
    case url(Range<Int>)
  }

  private static let maxAhead = 128
  private static let commands: Set<String> = ["export", "set", "env", "ENV", "ARG", "let", "const", "var"]
  private static let maxQuotedLength = 4_096
  private static let maxKeyLength = 16_384

  private let text: [UInt8]
  private let style: Style
  private var position = 0
  /// Whether only white space, marks of lists and words like `export` are between the position and the start of its
  /// line, or the semicolon before it.
  private var isStart = true
  /// How many braces are open in the line: in them, commas stand between assignments.
  private var braces = 0
  /// Where a key in PEM may begin.
  private var nextKey = 0
  /// Whether the text has a line of .netrc.
  private var hasMachine = false
  /// Whether values without quotes may contain blanks up to a semicolon.
  private let hasSemicolons: Bool

  init(_ text: [UInt8], _ style: Style) {
    self.text = text
    self.style = style
    hasSemicolons = style == .value && text.contains(UInt8(ascii: ";"))
  }

  /// Returns what comes next in the text; `nil` at its end.
  mutating func next() -> Found? {
    while position < text.count {
      let octet = text[position]
      if octet == UInt8(ascii: "-"), skipKey() { continue }
      if octet.isOfWord {
        if let found = word() { return found }
        continue
      }
      switch octet {
      case 0x0A, 0x0D, UInt8(ascii: ";"): (isStart, braces) = (true, 0)
      case UInt8(ascii: "{"): (isStart, braces) = (isStart || style == .configuration, braces + 1)
      case UInt8(ascii: "}"): (isStart, braces) = (false, max(0, braces - 1))
      case UInt8(ascii: ","): isStart = style == .configuration && braces > 0
      case 0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "'"): break
      default: isStart = false
      }
      position += 1
    }
    return nil
  }

  /// Goes behind a key in PEM, whose header lines look like settings; false if none begins at the position.
  private mutating func skipKey() -> Bool {
    guard position >= nextKey, text[position...].starts(with: "-----BEGIN ".utf8) else { return false }
    let start = text[position...].prefix(Self.maxKeyLength)
    guard let end = start.firstRange(of: "-----END ".utf8) else {
      // The end of no other one is in these octets.
      nextKey = start.endIndex
      return false
    }
    position = end.upperBound
    return true
  }

  /// Reads the word at the position, and the value that is assigned to it.
  private mutating func word() -> Found? {
    let start = position
    while position < text.count, text[position].isOfWord { position += 1 }
    // Hyphens before a name are those of a list or an option.
    let name = text[start..<position].drop { $0 == UInt8(ascii: "-") }.indices
    let wasStart = isStart
    isStart = wasStart && (name.count <= 6 && Self.commands.contains(text.text(name)) || isPartOfName)
    guard !name.isEmpty, name.count <= Self.maxAhead, !text[name.lowerBound].isDigit else { return nil }
    return url(name) ?? ofMachine(name, wasStart) ?? assignment(name, wasStart)
  }

  /// Whether another word and an equals sign follow, as in `User ID=x`.
  private var isPartOfName: Bool {
    guard hasSemicolons, text.has(position, { $0 == 0x20 }) else { return false }
    let word = text[(position + 1)...].prefix(Self.maxAhead, while: \.isOfWord)
    return !word.isEmpty && text.has(word.endIndex, { $0 == UInt8(ascii: "=") })
  }

  // MARK: URLs

  private mutating func url(_ scheme: Range<Int>) -> Found? {
    guard text[scheme.upperBound...].starts(with: "://".utf8),
      text[scheme.lowerBound...].authorityStart() != nil
    else {
      return nil
    }
    var end = scheme.upperBound + 3
    while end < text.count, text[end] > 0x20, text[end] != 0x7F, !text[end].isOne(of: "\"'<>`|^\\)]},") {
      end += 1
    }
    while end > scheme.upperBound + 3, text[end - 1].isOne(of: ".;:!") { end -= 1 }
    guard end > scheme.upperBound + 3 else { return nil }
    position = end
    return .url(scheme.lowerBound..<end)
  }

  // MARK: Machines

  /// Reads `login name` or `password value` behind `machine host`.
  private mutating func ofMachine(_ name: Range<Int>, _ wasStart: Bool) -> Found? {
    guard style == .configuration, name.count <= 8 else { return nil }
    switch text.text(name) {
    case "machine": hasMachine = hasMachine || wasStart
    case "login", "password", "account":
      guard hasMachine else { return nil }
      let start = text[position...].prefix(Self.maxAhead, while: \.isSpace).endIndex
      guard start > position else { return nil }
      let value = text[start...].prefix { !$0.isSpace }
      guard !value.isEmpty, value.first != UInt8(ascii: "="), value.first != UInt8(ascii: ":") else {
        return nil
      }
      position = value.endIndex
      return .assignment(name: name, value: value.indices, .plain)
    default: break
    }
    return nil
  }

  // MARK: Assignments

  private mutating func assignment(_ name: Range<Int>, _ wasStart: Bool) -> Found? {
    var mark = position
    let opening = quote(at: name.lowerBound - 1)
    let isClosed = opening != nil && self.quote(at: mark) == opening
    if isClosed { mark += text.has(mark + 1, { $0 == UInt8(ascii: "]") }) ? 2 : 1 }
    let beforeMark = mark
    mark = skipBlanks(mark)
    guard mark < text.count else { return nil }
    let isSpaced = mark > beforeMark
    let isColon = text[mark] == UInt8(ascii: ":")
    var start = mark + 1
    if isColon {
      if text.has(start, { $0 == UInt8(ascii: "=") }) { start += 1 }
    } else {
      guard text[mark] == UInt8(ascii: "="),
        !text.has(start, { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "~") })
      else { return nil }
      if text.has(start, { $0 == UInt8(ascii: ">") }) { start += 1 }
    }
    let afterMark = start
    start = skipBlanks(start)
    guard start < text.count else { return nil }
    let hasBlank = start > afterMark
    if isColon, hasBlank, let opening, !isClosed, isFieldName(name) { return quoted(name, start, opening) }
    if let quote = quote(at: start) { return quoted(name, start + 1, quote) }
    let range: Range<Int>
    switch (style, isColon) {
    case (.code, _): return nil
    case (.value, true): return nil
    case (.configuration, true):
      guard wasStart, hasBlank || isProperty(name, start), !text[start].isOne(of: "{[&*!") else {
        return nil
      }
      if braces > 0 {
        range = text.trimmed(text[start...].prefix { !$0.isOne(of: ",}\n\r") }.indices)
      } else if text[start] == UInt8(ascii: "|") || text[start] == UInt8(ascii: ">") {
        range = block(behind: start, name)
      } else {
        range = line(from: start)
      }
    case (_, false):
      guard wasStart || !isSpaced && !hasBlank else { return nil }
      range =
        wasStart && (style == .configuration || hasSemicolons) ? phrase(from: start) : bareWord(from: start)
    }
    guard !range.isEmpty else { return nil }
    position = range.upperBound
    return .assignment(name: name, value: range, .plain)
  }

  /// Whether a name in quotes is that of a field, as in `-H 'X-Api-Key: x'`.
  private func isFieldName(_ name: Range<Int>) -> Bool {
    text[name].contains(UInt8(ascii: "-")) || text.text(name).lowercased() == "authorization"
  }

  /// Whether a colon without a blank stands behind the name of a property, as in `db.password:x`.
  private func isProperty(_ name: Range<Int>, _ start: Int) -> Bool {
    text[start] != UInt8(ascii: "/") && text[start] != UInt8(ascii: ":")
      && text[name].contains { "._".utf8.contains($0) }
  }

  /// The lines behind the mark of a block of YAML, which are further to the right than its name.
  private func block(behind mark: Int, _ name: Range<Int>) -> Range<Int> {
    let isEnd = { (octet: UInt8) in octet == 0x0A || octet == 0x0D }
    var end = text[(mark + 1)...].prefix { $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      .endIndex
    guard text.has(end, isEnd) else { return mark..<mark }
    let lineStart = text[..<name.lowerBound].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
    let indent = text[lineStart...].prefix { $0 == 0x20 }.count
    let start = end
    while end < text.count {
      let line = text[end...].drop(while: isEnd)
      let blanks = line.prefix { $0 == 0x20 }
      guard blanks.count > indent, blanks.endIndex < text.count else { break }
      end = text[blanks.endIndex...].firstIndex(where: isEnd) ?? text.count
    }
    return text.trimmed(start..<end)
  }

  private func skipBlanks(_ start: Int) -> Int {
    text[start...].prefix(8, while: { $0 == 0x20 || $0 == 0x09 }).endIndex
  }

  private func quote(at index: Int) -> UInt8? {
    guard index >= 0, index < text.count, text[index].isOne(of: "\"'`") else { return nil }
    return text[index]
  }

  private mutating func quoted(_ name: Range<Int>, _ start: Int, _ quote: UInt8) -> Found? {
    var end = start
    var isEscaped = false
    while end < text.count, end - start < Self.maxQuotedLength, text[end] != quote, text[end] != 0x0A {
      if text[end] == UInt8(ascii: "\\") {
        isEscaped = true
        end += 1
      }
      end += 1
    }
    guard end < text.count, text[end] == quote, end > start else { return nil }
    position = end + 1
    return .assignment(
      name: name,
      value: start..<end,
      isEscaped && quote == UInt8(ascii: "\"") ? .json : .plain
    )
  }

  /// The value up to the end of the line or a comment.
  private func line(from start: Int) -> Range<Int> {
    var end = start
    while end < text.count, text[end] != 0x0A, text[end] != 0x0D, !isComment(end) { end += 1 }
    let range = text.trimmed(start..<end)
    return range.last.map { text[$0] } == UInt8(ascii: ",")
      ? range.lowerBound..<(range.upperBound - 1) : range
  }

  /// The value up to the end of the line, a comment, or the next assignment.
  private func phrase(from start: Int) -> Range<Int> {
    var end = start
    loop: while end < text.count {
      switch text[end] {
      case 0x0A, 0x0D: break loop
      case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: ","), 0x20, 0x09:
        if isComment(end) || endsValue(end) { break loop }
      default: break
      }
      end += 1
    }
    return text.trimmed(start..<end)
  }

  private func isComment(_ index: Int) -> Bool {
    (text[index] == 0x20 || text[index] == 0x09) && text.has(index + 1, { $0 == UInt8(ascii: "#") })
  }

  /// Whether a separator is followed by another assignment, or a semicolon by nothing.
  private func endsValue(_ index: Int) -> Bool {
    let isSemicolon = text[index] == UInt8(ascii: ";")
    let blanks = skipBlanks(index + 1)
    let name = text[blanks...].prefix(Self.maxAhead, while: { $0.isOfWord || isSemicolon && $0 == 0x20 })
    let end = name.endIndex
    guard end < text.count else { return isSemicolon }
    return !name.isEmpty && text[end] == UInt8(ascii: "=")
      || isSemicolon && name.isEmpty && (text[end] == 0x0A || text[end] == 0x0D)
  }

  private func bareWord(from start: Int) -> Range<Int> {
    text[start...].prefix { !$0.isSpace && !$0.isOne(of: "\"'<>;&,)]}#") }.indices
  }
}

extension UInt8 {
  /// Whether the octet may be in a name.
  fileprivate var isOfWord: Bool {
    isAlphanumeric || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".") || self == UInt8(ascii: "$")
  }
}
