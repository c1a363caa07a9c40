/// ISO-8859-1 and windows-1252: every octet is a character.
enum SingleByteCoder {
  static func decode(_ bytes: UnsafeRawBufferPointer, _ coding: Charset.Coding) -> String {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    for octet in bytes {
      if octet < 0x80 { text.append(octet) } else { text.append(contentsOf: scalar(octet, coding).utf8) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the octets of a text; `nil` if a character is not in the charset.
  static func encode(_ text: String, _ coding: Charset.Coding) -> [UInt8]? {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.utf8.count)
    for character in text.unicodeScalars {
      let same = UInt8(exactly: character.value).flatMap { scalar($0, coding) == character ? $0 : nil }
      guard let octet = same ?? (0x80...0x9F).first(where: { scalar($0, coding) == character }) else {
        return nil
      }
      octets.append(octet)
    }
    return octets
  }

  private static func scalar(_ octet: UInt8, _ coding: Charset.Coding) -> Unicode.Scalar {
    guard coding == .windows1252, 0x80...0x9F ~= octet else { return Unicode.Scalar(octet) }
    return windows1252[Int(octet & 0x1F)]
  }

  /// 0x80-0x9F of windows-1252 as WHATWG Encoding has them; the five that Microsoft leaves unassigned are
  /// themselves.
  private static let windows1252: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
