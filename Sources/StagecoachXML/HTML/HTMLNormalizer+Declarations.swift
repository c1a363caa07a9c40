/// Comments, document types and whatever else begins with `<!` or `<?`.
extension HTMLNormalizer {
  /// Behind the `>` that comes next.
  mutating func end(of rest: UnsafeBufferPointer<UInt8>) -> Int? {
    let end = rest[min(scanned, rest.count)...].firstIndex(of: UInt8(ascii: ">"))
    scanned = rest.count
    return end.map { $0 + 1 }
  }

  /// Drops markup that the document ends in.
  mutating func incomplete(
    _ rest: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    _ what: String
  ) -> Int? {
    guard isLast else { return nil }
    ending = what
    return rest.count
  }

  mutating func declaration(_ rest: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int? {
    if rest.starts(with: "<!--".utf8) { return comment(rest, isLast: isLast) }
    guard rest.count >= 9 || isLast else { return nil }
    if rest.lazy.map(\.asciiLowercased).starts(with: "<!doctype".utf8) {
      return doctype(rest, isLast: isLast)
    }
    guard foreignDepth > 0, rest.starts(with: "<![CDATA[".utf8) else {
      return bogusComment(rest, from: 2, isLast: isLast)
    }
    guard let end = find("]]>", in: rest, from: 9) ?? (isLast ? rest.count : nil) else { return nil }
    HTMLReferences.append(rest[9..<end], to: &output, escaping: [.lessThan, .ampersand])
    return min(end + 3, rest.count)
  }

  /// A comment, which ends with `-->` or `--!>`, and at once as `<!-->` or `<!--->`.
  private mutating func comment(_ rest: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int? {
    var index = max(scanned, 4)
    while let close = rest[min(index, rest.count)...].firstIndex(of: UInt8(ascii: ">")) {
      let content = rest[4..<close]
      let mark = content.hasSuffix("--!") ? 3 : content.hasSuffix("--") ? 2 : nil
      if let mark = mark ?? (content.isEmpty ? 0 : content.elementsEqual("-".utf8) ? 1 : nil) {
        writeComment(content.dropLast(mark))
        return close + 1
      }
      index = close + 1
    }
    scanned = rest.count
    guard isLast else { return nil }
    ending = "a comment"
    var content = rest[4...]
    if content.hasSuffix("--!") { content.removeLast() }
    while content.last == UInt8(ascii: "-") { content.removeLast() }
    writeComment(content)
    return rest.count
  }

  private mutating func writeComment(_ content: Slice<UnsafeBufferPointer<UInt8>>) {
    output.append(contentsOf: "<!--".utf8)
    output.append(contentsOf: UnsafeBufferPointer(rebasing: content))
    output.append(contentsOf: "-->".utf8)
  }

  /// Reads a bogus comment of HTML up to the next `>`.
  mutating func bogusComment(
    _ rest: UnsafeBufferPointer<UInt8>,
    from start: Int,
    isLast: Bool
  ) -> Int? {
    if let length = end(of: rest) {
      writeComment(rest[start..<(length - 1)])
      return length
    }
    guard isLast else { return nil }
    writeComment(rest[min(start, rest.count)...])
    return rest.count
  }

  private mutating func doctype(_ rest: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int? {
    guard let length = end(of: rest) ?? (isLast ? rest.count : nil) else { return nil }
    var content = rest[..<length]
    if content.last == UInt8(ascii: ">") { content.removeLast() }
    // libxml2 looks for the end behind the quotation marks, which may not come in pairs.
    var quote: UInt8 = 0
    for byte in content where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      if quote == 0 { quote = byte } else if quote == byte { quote = 0 }
    }
    if quote != 0 {
      content = content.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: content))
    output.append(UInt8(ascii: ">"))
    return length
  }

  /// A processing instruction, but for the XML declaration of documents that are XHTML too.
  mutating func instruction(_ rest: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int? {
    guard rest.count > 2, rest[2].isASCIILetter else {
      return rest.count > 2 || isLast ? bogusComment(rest, from: 1, isLast: isLast) : nil
    }
    guard let length = end(of: rest) else {
      return incomplete(rest, isLast: isLast, "a processing instruction")
    }
    let target = rest[2...].prefix(while: \.isHTMLNameByte).map(\.asciiLowercased)
    if target == Array("xml".utf8) { return length }
    if Self.readsHTML5 {
      // To HTML 5 it is a comment. The mark is no character of HTML, and has become another one anywhere else.
      output.append(contentsOf: "<!--".utf8)
      output.append(HTMLTreeBuilder.mark)
      output.append(contentsOf: UnsafeBufferPointer(rebasing: rest[2..<(length - 1)]))
      output.append(contentsOf: "-->".utf8)
    } else {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<length]))
    }
    return length
  }

  private mutating func find(
    _ text: String,
    in rest: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int? {
    let length = text.utf8.count
    var index = max(scanned, start)
    while index + length <= rest.count {
      if rest[index...].starts(with: text.utf8) { return index }
      index += 1
    }
    scanned = index
    return nil
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
