/// ISO-2022-JP as on the web (WHATWG Encoding 13.2), which reads five escape sequences and no others.
final class ISO2022JPDecoder {
  private enum Characters {
    case ascii, roman, katakana, pairs
  }

  private let shiftJIS: ShiftJIS
  private var characters = Characters.ascii
  private var isAfterEscape = false

  /// Creates a decoder; `nil` if the C library has no decoder for Shift_JIS, which has the same characters.
  init?() {
    guard let shiftJIS = ShiftJIS() else { return nil }
    self.shiftJIS = shiftJIS
  }

  static func decode(_ bytes: UnsafeRawBufferPointer, mode: Charset.Mode) -> DecodingResult {
    guard let decoder = ISO2022JPDecoder() else { return .unknown }
    let (text, count, isMalformed) = decoder.decode(bytes, mode: mode, isLast: true)
    return isMalformed ? .undecodable(offset: count) : .text(text)
  }

  /// Decodes as much as possible, with the same parameters and results as ``SystemDecoder``.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    mode: Charset.Mode,
    isLast: Bool
  ) -> (text: String, count: Int, isMalformed: Bool) {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      if !isLast, isIncomplete(rest) { break }
      let (character, length) = rest[0] == 0x1B ? escape(at: rest) : character(at: rest)
      if let character {
        text.append(contentsOf: character.utf8)
      } else if mode == .strict {
        return (String(decoding: text, as: UTF8.self), offset, true)
      } else {
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
      }
      offset += length
    }
    return (String(decoding: text, as: UTF8.self), offset, false)
  }

  private func isIncomplete(_ rest: UnsafeRawBufferPointer) -> Bool {
    switch rest[0] {
    case 0x1B: rest.count == 1 || rest.count == 2 && (rest[1] == 0x24 || rest[1] == 0x28)
    case 0x21...0x7E: characters == .pairs && rest.count == 1
    default: false
    }
  }

  /// Reads an escape sequence; no text if it is unknown, or follows another one directly.
  private func escape(at rest: UnsafeRawBufferPointer) -> (text: String?, length: Int) {
    let next: Characters
    switch (rest.dropFirst().first, rest.dropFirst(2).first) {
    case (0x28, 0x42): next = .ascii
    case (0x28, 0x4A): next = .roman
    case (0x28, 0x49): next = .katakana
    case (0x24, 0x40), (0x24, 0x42): next = .pairs
    default:
      isAfterEscape = false
      return (nil, 1)
    }
    defer { isAfterEscape = true }
    characters = next
    return (isAfterEscape ? nil : "", 3)
  }

  private func character(at rest: UnsafeRawBufferPointer) -> (text: String?, length: Int) {
    isAfterEscape = false
    let octet = rest[0]
    switch (characters, octet) {
    case (.roman, 0x5C): return ("\u{A5}", 1)
    case (.roman, 0x7E): return ("\u{203E}", 1)
    case (.ascii, 0...0x0D), (.ascii, 0x10...0x7F), (.roman, 0...0x0D), (.roman, 0x10...0x7F):
      return (String(Unicode.Scalar(octet)), 1)
    case (.katakana, 0x21...0x5F):
      return (Unicode.Scalar(0xFF40 + UInt32(octet)).map { String($0) }, 1)
    case (.pairs, 0x21...0x7E):
      // The start of an escape sequence is no part of a pair.
      guard rest.count > 1, rest[1] != 0x1B else { return (nil, 1) }
      return (shiftJIS.character(rest[0], rest[1]).map { String($0) }, 2)
    default: return (nil, 1)
    }
  }
}
