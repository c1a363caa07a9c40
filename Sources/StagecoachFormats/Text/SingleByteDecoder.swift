/// US-ASCII, ISO-8859-1, windows-1252 and x-user-defined: one octet is one character.
enum SingleByteDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer,
    coding: Charset.Coding,
    mode: Charset.Mode
  ) -> DecodingResult {
    guard bytes.contains(where: { $0 >= 0x80 }) else {
      return .text(String(decoding: bytes, as: UTF8.self))
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    for (offset, octet) in bytes.enumerated() {
      if octet < 0x80 {
        text.append(octet)
      } else if let scalar = scalar(octet, in: coding) {
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else if mode == .strict {
        return .undecodable(offset: offset)
      } else {
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
      }
    }
    return .text(String(decoding: text, as: UTF8.self))
  }

  /// Returns the octets of a text; `nil` if a character is not in the charset.
  static func encode(_ text: String, coding: Charset.Coding) -> [UInt8]? {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.utf8.count)
    for character in text.unicodeScalars {
      if character.isASCII {
        octets.append(UInt8(character.value))
      } else if let octet = UInt8(exactly: character.value), scalar(octet, in: coding) == character {
        octets.append(octet)
      } else if let octet = (0x80...0xFF).first(where: { scalar($0, in: coding) == character }) {
        octets.append(octet)
      } else {
        return nil
      }
    }
    return octets
  }

  /// Returns the character of an octet above 0x7F; `nil` if there is none.
  private static func scalar(_ octet: UInt8, in coding: Charset.Coding) -> Unicode.Scalar? {
    switch coding {
    case .latin1:
      return Unicode.Scalar(octet)
    case .windows1252:
      guard octet < 0xA0 else { return Unicode.Scalar(octet) }
      return Unicode.Scalar(windows1252[Int(octet & 0x1F)])
    case .userDefined:
      return Unicode.Scalar(0xF700 + UInt16(octet))
    default:
      return nil
    }
  }

  /// 0x80-0x9F of windows-1252 as WHATWG Encoding has them; the five that Microsoft leaves unassigned are
  /// themselves.
  private static let windows1252: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]
}
