/// The tags of an XML property list, as far as its nesting needs them.
///
/// Nothing may make the count lower than what the decoder will see: comments, CDATA and instructions are
/// skipped as a whole, and elements with attributes, which no property list has, are refused.
struct PropertyListMarkup {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var depth = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func check() throws(PropertyListStructure.Refusal) {
    // A byte order mark and blanks may stand in front; the old style, which is not XML, starts otherwise.
    guard let start = bytes.firstIndex(of: UInt8(ascii: "<")),
      bytes[..<start].allSatisfy({ $0 <= 0x20 || $0 >= 0x80 })
    else { throw .syntax }
    position = start
    while let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = next + 1
      if take("!--") {
        skip(past: "-->")
      } else if take("![CDATA[") {
        skip(past: "]]>")
      } else if take("?") {
        skip(past: "?>")
      } else if take("!") || take("plist") {
        skip(past: ">")
      } else {
        try tag()
      }
    }
  }

  private mutating func tag() throws(PropertyListStructure.Refusal) {
    let closes = take("/")
    let start = position
    while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
    let name = bytes[start..<position]
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    let isEmpty = take("/")
    guard take(">") else { throw .syntax }
    guard name.elementsEqual("array".utf8) || name.elementsEqual("dict".utf8) else { return }
    if closes {
      depth = max(0, depth - 1)
    } else if !isEmpty {
      depth += 1
      guard depth <= PropertyListStructure.maximumDepth else { throw .depth }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func skip(past text: String) {
    while position < bytes.count {
      if take(text) { return }
      position += 1
    }
  }
}
