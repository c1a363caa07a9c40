import StagecoachFormats

extension InnerText {
  /// How many texts may be around a text.
  private static let maxLevel = 4
  /// The fewest digits of Base64 that are decoded.
  private static let minBase64Count = 16

  /// Reads a value as a text of the format that its octets show; `nil` if they show none.
  ///
  /// - Parameter level: How many texts are around the one that has the value.
  static func read(_ value: [UInt8], in level: Int, _ style: AssignmentReader.Style = .value) -> InnerText? {
    guard level < maxLevel, value.count >= 4 else { return nil }
    let marks = OctetMarks(value)
    if let inner = structured(value, marks, in: level) { return inner }
    if value.count >= minBase64Count, marks.isDisjoint(with: .ofNoBase64),
      let inner = base64(value, in: level, decoded)
    {
      return inner
    }
    return assignments(value, marks, in: level, style)
  }

  /// Reads the content of a part by its type.
  static func content(_ value: [UInt8], _ type: MediaType?, in level: Int) -> InnerText? {
    guard level < maxLevel else { return nil }
    switch ContentFormat(type, value) {
    case .binary: return nil
    case .text, .code: return read(value, in: level, .configuration)
    default:
      let tree = TextTree(content: value, type, level: level + 1)
      return tree.nodes.isEmpty ? nil : InnerText(.same, tree)
    }
  }

  /// Reads a reference to a target.
  static func target(_ value: [UInt8], in level: Int) -> InnerText? {
    make(value, in: level) { $0.readTarget($0.text.indices, isReference: true) }
  }

  private static func make(_ value: [UInt8], in level: Int, _ read: (inout TextTree) -> Void) -> InnerText? {
    guard level < maxLevel else { return nil }
    var tree = TextTree(value, level: level + 1)
    read(&tree)
    return tree.nodes.isEmpty ? nil : InnerText(.same, tree)
  }

  // MARK: Formats

  private static func structured(_ value: [UInt8], _ marks: OctetMarks, in level: Int) -> InnerText? {
    switch value.last(where: { !$0.isSpace }) {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if value.looksLikeJSON { return make(value, in: level) { $0.readJSON() } }
    case UInt8(ascii: ">"):
      if value.looksLikeMarkup {
        return make(value, in: level) { $0.readMarkup(isHTML: ContentFormat(nil, $0.text) == .html) }
      }
    default: break
    }
    guard marks.isDisjoint(with: [.space, .control]) else { return credentials(value, marks, in: level) }
    if marks.isSuperset(of: [.colon, .slash]) && value[...].authorityStart() != nil
      || value.first == UInt8(ascii: "/") && marks.isSuperset(of: [.question, .equals])
    {
      return make(value, in: level) { $0.readTarget($0.text.indices) }
    }
    if marks.contains(.dot), marks.isDisjoint(with: .ofNoToken), let token = webToken(value, in: level) {
      return token
    }
    guard marks.isSuperset(of: [.ampersand, .equals]), value.looksLikeForm else { return nil }
    return make(value, in: level) { $0.readForm($0.text.indices) }
  }

  /// Reads the value of an Authorization field, which descriptions of messages contain.
  private static func credentials(_ value: [UInt8], _ marks: OctetMarks, in level: Int) -> InnerText? {
    guard value[0].isOne(of: "BbDd"), marks.isDisjoint(with: [.lineBreak, .control]),
      let space = value.firstIndex(of: 0x20), space <= 6
    else { return nil }
    let token = value[(space + 1)...]
    switch String(decoding: value[..<space], as: UTF8.self).lowercased() {
    case "bearer":
      guard token.count >= minBase64Count, token.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    case "basic":
      guard
        base64(Array(token), in: level, { $0.contains(UInt8(ascii: ":")) ? TextTree($0, level: $1) : nil })
          != nil
      else { return nil }
    case "digest": guard marks.isSuperset(of: [.equals, .quote]) else { return nil }
    default: return nil
    }
    return make(value, in: level) { $0.readCredentials($0.text.indices) }
  }

  /// Reads a JSON Web Token: three parts (RFC 7519 3, RFC 7515 7.1), or five if it is encrypted (RFC 7516 7.1).
  private static func webToken(_ value: [UInt8], in level: Int) -> InnerText? {
    let dot = UInt8(ascii: ".")
    guard value.count >= minBase64Count, [2, 4].contains(value.count { $0 == dot }) else { return nil }
    let parts = value.split(separator: dot, maxSplits: 5, omittingEmptySubsequences: false)
    let names =
      parts.count == 5 ? ["header", "key", "vector", "payload", "tag"] : ["header", "payload", "signature"]
    guard parts.count == names.count, Base64.decode(parts[0].prefix(8)).looksLikeJSON else { return nil }
    let hasClaims = parts.count == 3
    return make(value, in: level) { tree in
      for (part, name) in zip(parts, names) {
        let digits = Array(part)
        let inner =
          hasClaims && name != "signature"
          ? base64(digits, in: tree.level, isPadded: false) { decoded, level in
            guard decoded.looksLikeJSON else { return nil }
            var tree = TextTree(decoded, level: level)
            tree.readJSON()
            return tree
          } : nil
        tree.add(.parameter(name, 0), Leaf(part.indices, digits, inner: inner))
      }
    }
  }

  private static func assignments(
    _ value: [UInt8],
    _ marks: OctetMarks,
    in level: Int,
    _ style: AssignmentReader.Style
  ) -> InnerText? {
    let isConfiguration = style == .configuration || style == .value && marks.contains(.lineBreak)
    guard
      marks.contains(.equals)
        || marks.contains(.colon) && (isConfiguration || !marks.isDisjoint(with: [.quote, .slash]))
        || isConfiguration && marks.contains(.space)
    else { return nil }
    return make(value, in: level) { tree in
      var reader = AssignmentReader(tree.text, isConfiguration ? .configuration : style)
      var (names, urls) = (NameCounts(), 0)
      while let found = reader.next() {
        switch found {
        case .assignment(let name, let range, let coding):
          let name = tree.text.text(name)
          tree.add(.parameter(name, names.next(name)), range, coding)
        case .url(let range):
          tree.open(.parameter("url", urls))
          tree.readTarget(range)
          tree.close()
          urls += 1
        }
      }
    }
  }

  // MARK: Base64

  /// Reads Base64, whole or in lines of one length, if its digits are those that encode its octets.
  ///
  /// - Parameters:
  ///   - isPadded: Whether equals signs would fill the last group; `nil` if the digits show it.
  ///   - read: Returns the tree of the octets, with so many texts around it; `nil` if they are no text of interest.
  static func base64(
    _ value: [UInt8],
    in level: Int,
    isPadded: Bool? = nil,
    _ read: (_ decoded: [UInt8], _ level: Int) -> TextTree?
  ) -> InnerText? {
    guard level < maxLevel, !value.isEmpty else { return nil }
    var lineLength = 0
    var lineEnd: [UInt8] = []
    if let end = value.firstIndex(where: \.isSpace) {
      lineLength = end
      lineEnd = Array(value[end...].prefix(while: \.isSpace))
    }
    // No group of four has one digit.
    let digits = lineLength == 0 ? value : value.filter { !$0.isSpace }
    guard digits.count % 4 != 1 else { return nil }
    let isURLSafe = digits.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let coding = Coding.base64(
      urlSafe: isURLSafe || isPadded == false,
      padded: isPadded ?? (digits.last == UInt8(ascii: "=") || digits.count % 4 == 0),
      lineLength: lineLength,
      lineEnd: lineEnd
    )
    let decoded = Base64.decode(digits)
    guard !decoded.isEmpty, coding.encode(decoded) == value, let tree = read(decoded, level + 1) else {
      return nil
    }
    return InnerText(coding, tree)
  }

  /// Reads what Base64 in a value contains: a text of a format, Base64, or a name and a password.
  private static func decoded(_ text: [UInt8], in level: Int) -> TextTree? {
    guard text.count >= minBase64Count / 4 * 3, text[0] >= 0x20 || text[0].isSpace, text[0] != 0x7F else {
      return nil
    }
    let marks = OctetMarks(text)
    guard marks.isDisjoint(with: .control), String(validating: text, as: UTF8.self) != nil else { return nil }
    if let inner = structured(text, marks, in: level - 1) { return inner.tree }
    if marks.isDisjoint(with: .ofNoBase64), let inner = base64(text, in: level, Self.decoded) {
      var tree = TextTree(text, level: level)
      tree.add(.characters(0), Leaf(text.indices, text, inner: inner))
      return tree
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < text.count,
      marks.isDisjoint(with: .space), !text.looksLikeMarkup
    else { return nil }
    return TextTree.userAndPassword(text, level)
  }
}

/// The kinds of octets in a value.
private struct OctetMarks: OptionSet {
  let rawValue: UInt16

  /// A blank or a line break.
  static let space = OctetMarks(rawValue: 1)
  static let lineBreak = OctetMarks(rawValue: 1 << 1)
  /// A control character other than white space.
  static let control = OctetMarks(rawValue: 1 << 2)
  static let equals = OctetMarks(rawValue: 1 << 3)
  static let dot = OctetMarks(rawValue: 1 << 4)
  static let colon = OctetMarks(rawValue: 1 << 5)
  static let quote = OctetMarks(rawValue: 1 << 6)
  static let ampersand = OctetMarks(rawValue: 1 << 7)
  static let question = OctetMarks(rawValue: 1 << 8)
  static let slash = OctetMarks(rawValue: 1 << 9)
  static let plus = OctetMarks(rawValue: 1 << 10)
  /// Anything but letters, digits, and what has a mark of its own.
  static let other = OctetMarks(rawValue: 1 << 11)
  /// A blank.
  static let blank = OctetMarks(rawValue: 1 << 12)

  /// What is neither a digit of Base64 nor between its lines.
  static let ofNoBase64: OctetMarks = [.control, .dot, .colon, .quote, .ampersand, .question, .other, .blank]
  /// What is not in a JSON Web Token.
  static let ofNoToken: OctetMarks = [
    .space, .control, .equals, .colon, .quote, .ampersand, .question, .slash, .plus, .other,
  ]

  private static let table: [UInt16] = (0...UInt8.max).map { octet in
    let marks: OctetMarks =
      switch octet {
      case 0x0A, 0x0D: [.space, .lineBreak]
      case 0x20, 0x09: [.space, .blank]
      case 0..<0x20, 0x7F: .control
      case UInt8(ascii: "="): .equals
      case UInt8(ascii: "."): .dot
      case UInt8(ascii: ":"): .colon
      case UInt8(ascii: "\""), UInt8(ascii: "'"): .quote
      case UInt8(ascii: "&"): .ampersand
      case UInt8(ascii: "?"): .question
      case UInt8(ascii: "/"): .slash
      case UInt8(ascii: "+"): .plus
      case UInt8(ascii: "-"), UInt8(ascii: "_"): []
      default: octet.isAlphanumeric ? [] : .other
      }
    return marks.rawValue
  }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ value: [UInt8]) {
    let table = Self.table
    rawValue = value.reduce(0) { $0 | table[Int($1)] }
  }
}
