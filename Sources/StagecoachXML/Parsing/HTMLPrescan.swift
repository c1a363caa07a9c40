internal import StagecoachCore

/// Looks for the charset that HTML declares in its first bytes (HTML 13.2.3.2, “prescan a byte stream”).
struct HTMLPrescan {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The charset of `<meta>` or of an XML declaration; nil without one that is known.
  static func charset(of start: [UInt8]) -> Charset? {
    // An XML declaration in UTF-16, whose bytes no other declaration could name.
    if start.starts(with: [0x3C, 0, 0x3F, 0, 0x78, 0]) { return .utf16LE }
    if start.starts(with: [0, 0x3C, 0, 0x3F, 0, 0x78]) { return .utf16BE }
    return start.withUnsafeBufferPointer { bytes in
      let prescan = HTMLPrescan(bytes: bytes)
      return prescan.meta() ?? prescan.xmlDeclaration()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private func meta() -> Charset? {
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = UnsafeBufferPointer(rebasing: bytes[start...])
      guard rest.count > 3 else { return nil }
      index = start + 1
      if rest.starts(with: "<!--".utf8) {
        guard let length = commentLength(rest) else { return nil }
        index = start + length
      } else if rest[1].isASCIILetter || rest[1] == UInt8(ascii: "/") && rest[2].isASCIILetter {
        var tag = HTMLTagScanner()
        guard let length = tag.scan(rest) else { return nil }
        if lowercased(rest[1..<tag.nameEnd]) == "meta", let charset = charset(of: tag, in: rest) {
          return charset
        }
        index = start + length
      } else if rest[1] == UInt8(ascii: "!") || rest[1] == UInt8(ascii: "/") || rest[1] == UInt8(ascii: "?") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        index = start + end
      }
    }
    return nil
  }

  /// The dashes of the start may be those of the end.
  private func commentLength(_ rest: UnsafeBufferPointer<UInt8>) -> Int? {
    (4..<max(4, rest.count)).first { end in
      rest[end] == UInt8(ascii: ">") && rest[end - 1] == UInt8(ascii: "-")
        && rest[end - 2] == UInt8(ascii: "-")
    }.map { $0 + 1 }
  }

  private func charset(of tag: HTMLTagScanner, in rest: UnsafeBufferPointer<UInt8>) -> Charset? {
    var values: [String: String] = [:]
    for attribute in tag.attributes {
      let name = lowercased(rest[attribute.name])
      if values[name] == nil { values[name] = attribute.value.map { lowercased(rest[$0]) } ?? "" }
    }
    if let label = values["charset"] { return Self.charset(label) }
    guard values["http-equiv"] == "content-type", let content = values["content"] else { return nil }
    return Self.label(in: content).flatMap(Self.charset)
  }

  private static func charset(_ label: String) -> Charset? { Charset.onTheWeb(label)?.compatibleWithASCII }

  /// The label behind `charset=` in the value of Content-Type, in lower case.
  private static func label(in content: String) -> String? {
    var rest = Array(content.utf8)[...]
    let key = Array("charset".utf8)
    while !rest.isEmpty {
      guard rest.starts(with: key) else {
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst(key.count).drop(while: \.isHTMLSpace)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop(while: \.isHTMLSpace)
      guard let quote = rest.first else { return nil }
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        guard let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
        return String(decoding: rest.dropFirst()[..<end], as: UTF8.self)
      }
      return String(decoding: rest.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ";") }, as: UTF8.self)
    }
    return nil
  }

  /// The charset of `<?xml … encoding="…">`.
  private func xmlDeclaration() -> Charset? {
    DocumentEncoding.declaredLabel(in: UnsafeRawBufferPointer(bytes)).flatMap(Self.charset)
  }

  private func lowercased(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(decoding: bytes.lazy.map(\.asciiLowercased), as: UTF8.self)
  }
}
