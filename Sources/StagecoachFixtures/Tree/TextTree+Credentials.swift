import StagecoachFormats

extension TextTree {
  /// Reads `scheme credentials` or `scheme name=value, name=value` (RFC 9110 11.4).
  mutating func readCredentials(_ range: Range<Int>) {
    let text = text
    let scheme = text[range].prefix { $0.isTokenOctet }
    let rest = text.trimmed(scheme.endIndex..<range.upperBound)
    guard !scheme.isEmpty, !rest.isEmpty, text[scheme.endIndex].isSpace else {
      return add(.characters(0), range)
    }
    let name = String(decoding: scheme, as: UTF8.self)
    open(.parameter(name, 0))
    if name.lowercased() == "basic" {
      let value = Array(text[rest])
      add(
        .characters(0),
        Leaf(rest, value, inner: .base64(value, in: level) { Self.userAndPassword($0, $1) })
      )
    } else if isParameterList(rest) {
      readParameters(rest, separator: UInt8(ascii: ","))
    } else {
      add(.characters(0), rest)
    }
    close()
  }

  /// Reads challenges: schemes with a token or parameters (RFC 9110 11.3).
  mutating func readChallenges(_ range: Range<Int>) {
    let text = text
    let comma = UInt8(ascii: ",")
    var (schemes, names) = (NameCounts(), NameCounts())
    var position = range.lowerBound
    while position < range.upperBound {
      guard !text[position].isSpace, text[position] != comma else {
        position += 1
        continue
      }
      let rest = position..<range.upperBound
      if depth > 1, isParameterList(rest), let item = parameter(in: rest, separator: comma) {
        let name = text.text(item.name)
        add(.parameter(name, names.next(name)), item.value, item.coding)
        position = max(item.end, position + 1)
        continue
      }
      let word = text[rest].prefix { !$0.isSpace && $0 != comma }
      position = word.endIndex
      if depth > 1 { close() }
      let scheme = String(decoding: word, as: UTF8.self)
      open(.parameter(scheme, schemes.next(scheme)))
      names = NameCounts()
      let start = text[position..<range.upperBound].firstIndex { !$0.isSpace } ?? range.upperBound
      let token = text[start..<range.upperBound].prefix { !$0.isSpace && $0 != comma }
      guard !token.isEmpty, !isParameterList(start..<range.upperBound) else { continue }
      add(.characters(0), token.indices)
      position = token.endIndex
    }
    if depth > 1 { close() }
  }

  /// Whether a range begins with a parameter, and not with Base64, which may end with equals signs.
  private func isParameterList(_ range: Range<Int>) -> Bool {
    guard let item = parameter(in: range, separator: UInt8(ascii: ",")) else { return false }
    return item.coding == .quoted || !item.value.isEmpty && text[item.value.lowerBound] != UInt8(ascii: "=")
  }

  /// Reads `user:password`; without a colon, all is the user.
  static func userAndPassword(_ text: [UInt8], _ level: Int) -> TextTree? {
    var tree = TextTree(text, level: level)
    let colon = text.firstIndex(of: UInt8(ascii: ":"))
    tree.add(.parameter("user", 0), 0..<(colon ?? text.count))
    if let colon { tree.add(.parameter("password", 0), (colon + 1)..<text.count) }
    return tree
  }

  // MARK: Cookies

  /// Reads `name=value; name=value` (RFC 6265 4.2.1). What has no equals sign is a value without a name.
  mutating func readCookies(_ range: Range<Int>) {
    var counts = NameCounts()
    forEachCookie(in: range) { tree, name, value in
      tree.addCookie(.parameter(name, counts.next(name)), value)
    }
  }

  /// Reads a cookie and its attributes (RFC 6265 4.1.1).
  mutating func readSetCookie(_ range: Range<Int>) {
    let end = text[range].firstIndex(of: UInt8(ascii: ";")) ?? range.upperBound
    readCookies(range.lowerBound..<end)
    guard end < range.upperBound else { return }
    var counts = NameCounts()
    open(.parameter("attributes", 0))
    forEachCookie(in: (end + 1)..<range.upperBound) { tree, name, value in
      // A flag such as `HttpOnly` has no value.
      if !name.isEmpty { tree.add(.parameter(name, counts.next(name)), value) }
    }
    close()
  }

  private mutating func forEachCookie(
    in range: Range<Int>,
    _ body: (inout TextTree, String, Range<Int>) -> Void
  ) {
    let text = text
    var position = range.lowerBound
    while position < range.upperBound {
      let end = text[position..<range.upperBound].firstIndex(of: UInt8(ascii: ";")) ?? range.upperBound
      let equals = text[position..<end].firstIndex(of: UInt8(ascii: "="))
      let value = text.trimmed((equals.map { $0 + 1 } ?? position)..<end)
      if equals != nil || !value.isEmpty {
        body(&self, equals.map { text.text(text.trimmed(position..<$0)) } ?? "", value)
      }
      position = end + 1
    }
  }

  /// Adds the value of a cookie, without quotes around it, and with percent escapes if it has any.
  private mutating func addCookie(_ step: Step, _ range: Range<Int>) {
    let quote = UInt8(ascii: "\"")
    let isQuoted = range.count >= 2 && text[range.lowerBound] == quote && text[range.upperBound - 1] == quote
    let range = isQuoted ? (range.lowerBound + 1)..<(range.upperBound - 1) : range
    let isEscaped = text[range].contains(UInt8(ascii: "%")) && LeafCoding.percent.decode(text[range]).isExact
    add(step, range, isEscaped ? .percent : .plain)
  }
}
