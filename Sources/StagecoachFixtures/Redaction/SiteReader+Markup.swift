extension SiteReader {
  private struct Tag {
    var name = ""
    /// The attributes, with the ranges of their values without quotes.
    var attributes: [(name: String, value: Range<Int>)] = []
    var end = 0

    func value(_ name: String) -> Range<Int>? { attributes.first { $0.name.lowercased() == name }?.value }
  }

  /// The attributes of an element are read up to this number.
  private static let maxAttributes = 256

  /// Reads XML or HTML without regard to whether it is well formed: attributes and contents of elements with secret
  /// names, the fields of forms, and property lists.
  mutating func readMarkup(isHTML: Bool) {
    var position = 0
    var key: String?
    while let start = text.firstOffset(of: [UInt8(ascii: "<")], from: position) {
      position = start + 1
      if text[position...].starts(with: "!--".utf8) {
        position = text.firstOffset(of: Array("-->".utf8), from: position) ?? text.count
        continue
      }
      guard text.has(position, { $0.isLetter || $0 == UInt8(ascii: "_") || $0 >= 0x80 }) else { continue }
      let tag = tag(at: position)
      position = tag.end
      readAttributes(tag)
      let name = tag.name.split(separator: ":").last.map(String.init) ?? tag.name
      let isSecret = !isHTML && naming.isSecret(name)
      let listKey = name == "string" ? key.flatMap { naming.isSecret($0) ? $0 : nil } : nil
      let isKey = name == "key"
      key = nil
      guard isSecret || listKey != nil || isKey else { continue }
      let content = content(from: tag.end)
      if isKey { key = text.text(content.prefix(256)) }
      if isSecret || listKey != nil { addText(content, listKey ?? name) }
      position = max(position, content.upperBound)
    }
  }

  private func tag(at start: Int) -> Tag {
    var tag = Tag()
    let isNameEnd = { (octet: UInt8) in octet.isSpace || "/>=\"'<".utf8.contains(octet) }
    let name = text[start...].prefix(256, while: { !isNameEnd($0) })
    tag.name = String(decoding: name, as: UTF8.self)
    var position = name.endIndex
    while position < text.count, text[position] != UInt8(ascii: ">"), text[position] != UInt8(ascii: "<") {
      let name = text[position...].prefix(256, while: { !isNameEnd($0) })
      guard !name.isEmpty else {
        position += 1
        continue
      }
      position = name.endIndex
      while text.has(position, \.isSpace) { position += 1 }
      guard text.has(position, { $0 == UInt8(ascii: "=") }) else { continue }
      position += 1
      while text.has(position, \.isSpace) { position += 1 }
      let value = attributeValue(from: position)
      position = value.end
      if tag.attributes.count < Self.maxAttributes {
        tag.attributes.append((String(decoding: name, as: UTF8.self), value.range))
      }
    }
    tag.end = min(position + (text.has(position, { $0 == UInt8(ascii: ">") }) ? 1 : 0), text.count)
    return tag
  }

  private func attributeValue(from start: Int) -> (range: Range<Int>, end: Int) {
    guard start < text.count else { return (start..<start, start) }
    if text[start] == UInt8(ascii: "\"") || text[start] == UInt8(ascii: "'") {
      let end = text.firstOffset(of: [text[start]], from: start + 1) ?? text.count
      return ((start + 1)..<end, min(end + 1, text.count))
    }
    let value = text[start...].prefix { !$0.isSpace && $0 != UInt8(ascii: ">") }
    return (value.indices, value.endIndex)
  }

  private mutating func readAttributes(_ tag: Tag) {
    // The keyboard shortcut of HTML is a single character.
    for attribute in tag.attributes
    where naming.isSecret(attribute.name)
      && !(attribute.value.count == 1 && attribute.name.lowercased() == "accesskey")
    {
      addText(attribute.value, attribute.name)
    }
    // `<input name="csrf_token" value="...">` and `<meta name="csrf-token" content="...">`.
    guard let name = tag.value("name") ?? tag.value("property"),
      let value = tag.value("value") ?? tag.value("content")
    else { return }
    let text = self.text.text(name)
    switch naming.verdict(member: text) {
    case .secret: addText(value, text)
    case .ifRandom where SecretValues.isRandom(self.text[value]): addText(value, text)
    case .ifRandom, .harmless: break
    }
  }

  /// The text after a tag up to the next one, or the content of a CDATA section.
  private func content(from start: Int) -> Range<Int> {
    let cdata = Array("<![CDATA[".utf8)
    let first = text[start...].prefix { $0.isSpace }.endIndex
    if text[first...].starts(with: cdata) {
      let end = text.firstOffset(of: Array("]]>".utf8), from: first + cdata.count) ?? text.count
      return text.trimmed((first + cdata.count)..<end)
    }
    return text.trimmed(start..<(text.firstOffset(of: [UInt8(ascii: "<")], from: start) ?? text.count))
  }

  private mutating func addText(_ range: Range<Int>, _ name: String) {
    let octets = Array(text[range])
    let value = TextView(octets, decoding: .markup)?.octets ?? octets
    guard !SecretValues.isURL(value) else { return }
    add(
      Site(
        range: range,
        value: value,
        name: Placeholder.name(from: name),
        label: name,
        position: "markup \(name)"
      )
    )
  }
}
