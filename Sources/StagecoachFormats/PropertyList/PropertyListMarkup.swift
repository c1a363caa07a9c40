/// The tags of an XML property list, as far as its nesting needs them.
///
/// Nothing may make the count lower than what the decoder will see: comments, CDATA and instructions are
/// skipped as a whole, and whatever is not as property lists are written is refused, since the decoder may take it for
/// something: names that only begin like one, a list within a list, attributes, comments without an end.
struct PropertyListMarkup {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var depth = 0
  /// Whether the outermost element has begun.
  private var hasList = false

  private static let names = [
    "array", "dict", "key", "string", "data", "date", "real", "integer", "true", "false",
  ]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  package mutating func check() throws(PropertyListStructure.Refusal) {
    // A byte order mark and whitespace may come first; the old style, which is not XML, starts differently.
    guard let start = bytes.firstIndex(of: UInt8(ascii: "<")),
      bytes[..<start].allSatisfy({ $0 <= 0x20 || $0 >= 0x80 })
    else { throw .syntax }
    position = start
    while let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = next + 1
      if take("!--") {
        try skip(past: "-->")
      } else if take("![CDATA[") {
        try skip(past: "]]>")
      } else if take("?") {
        // The decoder treats this as a complete instruction.
        guard !take(">") else { throw .syntax }
        try skip(past: "?>")
      } else if !hasList, take("!DOCTYPE") {
        try skip(past: ">")
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
    if name.elementsEqual("plist".utf8) {
      guard closes || !hasList else { throw .syntax }
      hasList = true
      return try skip(past: ">")
    }
    hasList = true
    guard Self.names.contains(where: { name.elementsEqual($0.utf8) }) else { throw .syntax }
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

  private mutating func skip(past text: String) throws(PropertyListStructure.Refusal) {
    while position < bytes.count {
      if take(text) { return }
      position += 1
    }
    throw .syntax
  }
}
