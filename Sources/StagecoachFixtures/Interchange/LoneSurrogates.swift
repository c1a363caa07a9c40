import StagecoachCore

/// Escapes of one half of a surrogate pair in a JSON text, which tools in JavaScript write.
enum LoneSurrogates {
  /// Returns the text with U+FFFD for each half without the other, as decoders of UTF-16 do.
  static func replaced(in text: [UInt8]) -> [UInt8] {
    var output = text
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let unit = unit(of: text[index...]), (0xd800...0xdfff).contains(unit) else {
        index += 2
        continue
      }
      if unit < 0xdc00, let next = self.unit(of: text[index...].dropFirst(6)),
        (0xdc00...0xdfff).contains(next)
      {
        index += 12
      } else {
        output.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
        index += 6
      }
    }
    return output
  }

  /// The code unit of the escape that a text begins with, such as `\\ud83d`.
  private static func unit(of text: ArraySlice<UInt8>) -> UInt16? {
    guard text.count >= 6, text.starts(with: "\\u".utf8) else { return nil }
    return UInt16(String(decoding: text.dropFirst(2).prefix(4), as: UTF8.self), radix: 16)
  }
}
