/// Comments of JavaScript, which WireMock and others allow in JSON.
enum JSONComments {
  /// Whether there may be comments: a slash outside of a text is nothing else.
  static func areIn(_ bytes: [UInt8]) -> Bool { blanked(in: bytes) != bytes }

  /// The text with blanks for the comments, so that lines and columns stay.
  static func blanked(in bytes: [UInt8]) -> [UInt8] {
    var copy = bytes
    var isText = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if isText, byte == UInt8(ascii: "\\") {
        index += 1
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText, byte == UInt8(ascii: "/") {
        let rest = bytes[index...]
        var end = index
        if rest.starts(with: "//".utf8) {
          end = rest.firstIndex(of: 0x0A) ?? bytes.count
        } else if rest.starts(with: "/*".utf8) {
          end =
            bytes[(index + 2)...].indices.first { bytes[$0...].starts(with: "*/".utf8) }.map { $0 + 2 }
            ?? bytes.count
        }
        for place in index..<end where bytes[place] != 0x0A { copy[place] = 0x20 }
        index = max(index, end - 1)
      }
      index += 1
    }
    return copy
  }
}
