import StagecoachFormats

extension SiteReader {
  /// Reads the parameters of a request target or a URL: of the path (`;name=value`), the query and the fragment.
  mutating func readTarget() {
    readUserInformation()
    guard let start = text.firstIndex(where: { "?;#".utf8.contains($0) }) else { return }
    readParameters(start + 1..<text.count, kind: "query") { "&;?#".utf8.contains($0) }
  }

  /// Reads a form (`application/x-www-form-urlencoded`).
  mutating func readForm(_ range: Range<Int>) {
    readParameters(range, kind: "form") { $0 == UInt8(ascii: "&") }
  }

  private mutating func readParameters(
    _ range: Range<Int>,
    kind: String,
    isDelimiter: (UInt8) -> Bool
  ) {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = valueEnd(from: position, limit: range.upperBound, isDelimiter)
      if let equals = text[position..<end].firstIndex(of: UInt8(ascii: "=")) {
        addParameter(name: position..<equals, value: (equals + 1)..<end, kind: kind)
      }
      position = end + 1
    }
  }

  /// Reads the parameters of URLs in running text: `?name=value`, `&name=value` and `#name=value`.
  mutating func readURLs() {
    readUserInformation()
    var position = 0
    while position < text.count {
      let octet = text[position]
      position += 1
      guard octet == UInt8(ascii: "?") || octet == UInt8(ascii: "&") || octet == UInt8(ascii: "#") else {
        continue
      }
      let name = text[position...].prefix(64, while: { $0.isAlphanumeric || "_-.[]%".utf8.contains($0) })
      guard !name.isEmpty, text.has(name.endIndex, { $0 == UInt8(ascii: "=") }) else { continue }
      let start = name.endIndex + 1
      let end = valueEnd(from: start, limit: text.count) {
        $0 <= 0x20 || $0 == 0x7F || "&;?#\"'<>`|^\\)]},".utf8.contains($0)
      }
      addParameter(name: name.indices, value: start..<end, kind: "query")
      position = max(position, end)
    }
  }

  /// Reads the passwords of URLs, which are secret even if they are short.
  private mutating func readUserInformation() {
    var position = 0
    while let start = text.firstOffset(of: Array("://".utf8), from: position) {
      position = start + 3
      guard let range = SecretShapes.urlPassword(text, at: start)?.range else { continue }
      deny(
        Site(
          range: range,
          value: Array(text[range]),
          name: SecretKind.urlPassword.placeholderName,
          label: "",
          position: "URL password"
        )
      )
    }
  }

  private mutating func addParameter(name: Range<Int>, value: Range<Int>, kind: String) {
    let name = String(decoding: text[name].percentDecoding(plusIsSpace: true).octets, as: UTF8.self)
    let decoded = text[value].percentDecoding(plusIsSpace: true).octets
    guard naming.isSecret(parameter: name) else { return learnNested(decoded) }
    deny(
      Site(
        range: value,
        value: decoded,
        name: Placeholder.name(from: name),
        label: name,
        position: "\(kind) \(name)",
        mayBeWord: naming.verdict(member: name) == .ifRandom
      )
    )
  }

  /// Returns the end of a value; delimiters in a placeholder are part of it.
  private func valueEnd(from start: Int, limit: Int, _ isDelimiter: (UInt8) -> Bool) -> Int {
    var position = start
    while position < limit, !isDelimiter(text[position]) || text[position] == UInt8(ascii: "{") {
      position = Placeholder.parse(text, at: position)?.end ?? position + 1
    }
    return min(position, limit)
  }

  /// Learns the values of assignments in running text and programs: `password: "..."`, `api_key = '...'`. Only quoted
  /// values count, and only those that are no words: texts are full of labels such as `password: "Your password"`.
  mutating func learnAssignments() {
    var position = 0
    while position < text.count {
      let quote = text[position]
      position += 1
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let name = assignedName(before: position - 1)
      else { continue }
      let value = text[position...].prefix(
        Self.maxAssignedLength,
        while: { $0 != quote && !$0.isSpace && $0 != UInt8(ascii: "\\") }
      )
      guard text.has(value.endIndex, { $0 == quote }), value.contains(where: { !$0.isLetter }),
        naming.isSecret(name),
        !SecretValues.isURL(Array(value))
      else { continue }
      learn(Array(value), Placeholder.name(from: name))
      position = value.endIndex + 1
    }
  }

  private static let maxAssignedLength = 4_096
  private static let maxNameLength = 64

  /// Returns the name before an equals sign or a colon that ends in front of an offset.
  private func assignedName(before offset: Int) -> String? {
    var end = offset
    while end > offset - 4, text.has(end - 1, \.isSpace) { end -= 1 }
    guard text.has(end - 1, { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else { return nil }
    end -= 1
    while end > offset - 8,
      text.has(end - 1, { $0.isSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") })
    {
      end -= 1
    }
    var start = end
    while start > end - Self.maxNameLength,
      text.has(start - 1, { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
    { start -= 1 }
    return start < end ? text.text(start..<end) : nil
  }
}
