extension TextTree {
  /// Reads the target or the URL of a request.
  init(target: [UInt8]) {
    self.init(target)
    readTarget(text.indices)
  }

  /// Reads a target, a URL, or a target after the alias of a service in braces: `authority` with `user` and `password`,
  /// `path` with its segments, `query` and `fragment`.
  ///
  /// - Parameter isReference: Whether two slashes at the start begin an authority (RFC 3986 4.2).
  mutating func readTarget(_ range: Range<Int>, isReference: Bool = false) {
    let text = text
    let start = readAuthority(range, isReference: isReference)
    let pathEnd =
      text[start..<range.upperBound].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
      ?? range.upperBound
    readPath(start..<pathEnd)
    let queryEnd = text[pathEnd..<range.upperBound].firstIndex(of: UInt8(ascii: "#")) ?? range.upperBound
    if pathEnd < queryEnd {
      open(.parameter("query", 0))
      readForm((pathEnd + 1)..<queryEnd)
      close()
    }
    if queryEnd < range.upperBound { readFragment((queryEnd + 1)..<range.upperBound) }
  }

  /// Reads what comes before the path.
  ///
  /// - Returns: The start of the path.
  private mutating func readAuthority(_ range: Range<Int>, isReference: Bool) -> Int {
    let text = text
    let all = text[range]
    if all.first == UInt8(ascii: "{") {
      let alias = all.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "/") }
      let isAlias = alias.endIndex < range.upperBound && text[alias.endIndex] == UInt8(ascii: "}")
      return isAlias ? alias.endIndex + 1 : range.lowerBound
    }
    guard let start = all.authorityStart(isReference: isReference) else { return range.lowerBound }
    let authority = text[start..<range.upperBound].prefix { !$0.isOne(of: "/?#\\") }
    if let end = authority.lastIndex(of: UInt8(ascii: "@")) {
      open(.parameter("authority", 0))
      let colon = text[start..<end].firstIndex(of: UInt8(ascii: ":"))
      add(.parameter("user", 0), start..<(colon ?? end), .percent)
      if let colon { add(.parameter("password", 0), (colon + 1)..<end, .percent) }
      close()
    }
    return authority.endIndex
  }

  private mutating func readPath(_ range: Range<Int>) {
    let text = text
    guard !range.isEmpty else { return }
    open(.parameter("path", 0))
    var start = range.lowerBound + (text[range.lowerBound] == UInt8(ascii: "/") ? 1 : 0)
    var index = 0
    while start <= range.upperBound {
      var (end, semicolon) = (start, -1)
      while end < range.upperBound, text[end] != UInt8(ascii: "/") {
        if semicolon < 0, text[end] == UInt8(ascii: ";") { semicolon = end }
        end += 1
      }
      if semicolon < 0 {
        add(.index(index), start..<end, .percent)
      } else {
        open(.index(index))
        add(.characters(0), start..<semicolon, .percent)
        readPairs((semicolon + 1)..<end, separator: UInt8(ascii: ";"), .percent)
        close()
      }
      index += 1
      start = end + 1
    }
    close()
  }

  /// Reads a fragment: parameters, as of an implicit grant (RFC 6749 4.2.2), a path with parameters, or a name.
  private mutating func readFragment(_ range: Range<Int>) {
    let text = text
    let mark = text[range].firstIndex(of: UInt8(ascii: "?"))
    guard mark != nil || text[range].contains(UInt8(ascii: "=")) else {
      return add(.parameter("fragment", 0), range, .percent)
    }
    open(.parameter("fragment", 0))
    if let mark { add(.characters(0), range.lowerBound..<mark, .percent) }
    readForm((mark.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound)
    close()
  }
}

extension ArraySlice<UInt8> {
  /// The offset behind `scheme://`; `nil` if this does not start with it.
  ///
  /// - Parameter isReference: Whether the scheme may be missing.
  func authorityStart(isReference: Bool = false) -> Int? {
    if isReference, starts(with: "//".utf8) { return startIndex + 2 }
    guard first?.isLetter == true else { return nil }
    let scheme = prefix(32, while: { $0.isAlphanumeric || $0.isOne(of: "+-.") })
    return self[scheme.endIndex...].starts(with: "://".utf8) ? scheme.endIndex + 3 : nil
  }
}
