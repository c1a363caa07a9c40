import StagecoachFormats

/// Finds the line of a value in a JSON text that was parsed before.
package struct ManifestLines {
  private let text: [UInt8]
  private var position = 0
  private var line = 1

  private init(_ text: [UInt8]) {
    self.text = text
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The lines of the elements of an array, which is a member of the whole value. Empty if there is no such array.
  package static func lines(ofElementsOf key: String, in text: [UInt8]) -> [Int] {
    var lines = ManifestLines(text)
    _ = lines.find([.key(key)])
    guard lines.position < text.count, text[lines.position] == UInt8(ascii: "[") else { return [] }
    lines.advance()
    var found: [Int] = []
    while true {
      lines.skipBlanks()
      guard lines.position < text.count, text[lines.position] != UInt8(ascii: "]") else { return found }
      found.append(lines.line)
      lines.skipValue()
      lines.skipBlanks()
      if lines.position < text.count, text[lines.position] == UInt8(ascii: ",") { lines.advance() }
    }
  }

  /// The line of the value that a path leads to, or of the last value on the way that there is.
  static func line(of path: [ManifestNode.Step], in text: [UInt8]) -> Int {
    var lines = ManifestLines(text)
    return lines.find(path[...])
  }

  private mutating func find(_ path: ArraySlice<ManifestNode.Step>) -> Int {
    skipBlanks()
    let start = line
    guard let step = path.first, position < text.count else { return start }
    let isObject = text[position] == UInt8(ascii: "{")
    guard isObject || text[position] == UInt8(ascii: "[") else { return start }
    advance()
    var index = 0
    while true {
      skipBlanks()
      guard position < text.count, text[position] != UInt8(ascii: "}"), text[position] != UInt8(ascii: "]")
      else {
        return start
      }
      var found = step == .index(index)
      if isObject {
        found = step == .key(string())
        skipBlanks()
        advance()  // The colon.
      }
      if found { return find(path.dropFirst()) }
      skipValue()
      skipBlanks()
      if position < text.count, text[position] == UInt8(ascii: ",") { advance() }
      index += 1
    }
  }

  private mutating func advance() {
    if position < text.count, text[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private mutating func skipBlanks() {
    while position < text.count, [0x20, 0x09, 0x0a, 0x0d].contains(text[position]) { advance() }
  }

  /// Reads a string, and decodes it with the reader of JSON.
  private mutating func string() -> String {
    let start = position
    skipString()
    let literal = text[min(start, text.count)..<min(position, text.count)]
    return (try? JSONValue(parsing: Array(literal)))?.stringValue ?? ""
  }

  private mutating func skipString() {
    advance()
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      if text[position] == UInt8(ascii: "\\") { advance() }
      advance()
    }
    advance()
  }

  private mutating func skipValue() {
    var depth = 0
    repeat {
      skipBlanks()
      guard position < text.count else { return }
      switch text[position] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        advance()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        advance()
      case UInt8(ascii: ","), UInt8(ascii: ":"): advance()
      default: skipLiteral()
      }
    } while depth > 0
  }

  private mutating func skipLiteral() {
    while position < text.count, !",:]} \t\r\n".utf8.contains(text[position]) { advance() }
  }
}
