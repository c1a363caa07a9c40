internal import CLibXML2
internal import StagecoachCore

/// Copies text and repairs its character references, so that libxml2 can replace them.
///
/// Numeric references get their meaning in HTML (13.2.5.80): the controls 0x80-0x9F are windows-1252, and invalid
/// characters are U+FFFD, where libxml2 would truncate the attribute. Named references get the semicolon that old
/// pages omit.
enum HTMLReferences {
  /// The characters that are escaped in addition, because libxml2 must treat them as text.
  struct Escapes: OptionSet {
    let rawValue: Int
    static let lessThan = Escapes(rawValue: 1)
    static let quote = Escapes(rawValue: 2)
    static let ampersand = Escapes(rawValue: 4)
  }

  static func append(
    _ text: Slice<UnsafeBufferPointer<UInt8>>,
    to output: inout [UInt8],
    escaping escapes: Escapes = []
  ) {
    // The start of what has not been copied yet.
    var start = text.startIndex
    var index = start
    func copy(_ output: inout [UInt8], instead text: StaticString) {
      output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    while index < text.endIndex {
      let byte = text[index]
      guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      start = index
      index += 1
      switch byte {
      case UInt8(ascii: "<") where escapes.contains(.lessThan):
        copy(&output, instead: "&lt;")
        start = index
      case UInt8(ascii: "\"") where escapes.contains(.quote):
        copy(&output, instead: "&quot;")
        start = index
      case UInt8(ascii: "&"):
        let next = index < text.endIndex ? text[index] : 0
        if !escapes.contains(.ampersand) {
          if next.isASCIILetter {
            guard let end = unterminated(text[index...], isAttribute: escapes.contains(.quote)) else { break }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            output.append(UInt8(ascii: ";"))
            start = end
            index = end
            break
          }
          if next == UInt8(ascii: "#"), let (scalar, end) = numeric(text[index...].dropFirst()) {
            output.append(contentsOf: "&#\(scalar.value);".utf8)
            start = end
            index = end
            break
          }
        }
        copy(&output, instead: "&amp;")
        start = index
      default: break
      }
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// Returns the end of a named reference without a semicolon; `nil` for any other. Names of Latin-1 and of markup
  /// characters do not require one, except in an attribute if it looks like the name of a parameter.
  private static func unterminated(_ text: Slice<UnsafeBufferPointer<UInt8>>, isAttribute: Bool) -> Int? {
    // The longest name has eight letters.
    let name = text.prefix(8).prefix { $0.isASCIILetter || $0.isASCIIDigit }
    if name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"), character(name) != 0 {
      return nil
    }
    for length in stride(from: name.count, through: 2, by: -1) {
      let value = character(name.prefix(length))
      guard (160...255).contains(value) || [34, 38, 60, 62].contains(value) else { continue }
      let end = name.startIndex + length
      let next = end < text.endIndex ? text[end] : 0
      let continues = next == UInt8(ascii: "=") || next.isASCIILetter || next.isASCIIDigit
      return isAttribute && continues ? nil : end
    }
    return nil
  }

  /// The characters of HTML 4 by their names, which libxml2 would look through one by one.
  private static let characters: [UInt64: UInt32] = {
    var characters: [UInt64: UInt32] = [:]
    // The last one is a suit of cards.
    for value in UInt32(34)...9830 {
      guard let name = htmlEntityValueLookup(value)?.pointee.name else { continue }
      characters[key(String(cString: name).utf8)] = value
    }
    return characters
  }()

  /// The bytes of a name of up to eight.
  private static func key(_ name: some Sequence<UInt8>) -> UInt64 {
    name.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the character of HTML 4 with a name of up to eight letters; 0 if there is none.
  private static func character(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    characters[key(name)] ?? 0
  }

  /// Returns the character of a numeric reference after its `#`, and its end; `nil` if there is no number.
  private static func numeric(
    _ text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    let isHexadecimal = text.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = (isHexadecimal ? text.dropFirst() : text).prefix { byte in
      byte.isASCIIDigit
        || isHexadecimal && (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for digit in digits where value < 0x11_0000 {
      let number = digit.isASCIIDigit ? digit - UInt8(ascii: "0") : (digit | 0x20) - UInt8(ascii: "a") + 10
      value = value * (isHexadecimal ? 16 : 10) + UInt32(number)
    }
    let hasEnd = digits.endIndex < text.endIndex && text[digits.endIndex] == UInt8(ascii: ";")
    return (scalar(value), digits.endIndex + (hasEnd ? 1 : 0))
  }

  private static func scalar(_ value: UInt32) -> Unicode.Scalar {
    switch value {
    case 0x80...0x9F:
      let text = try? Charset.windows1252.decode([UInt8(value)], mode: .lossy)
      return text?.unicodeScalars.first ?? "\u{FFFD}"
    case 0x0D: return "\n"
    case 0..<0x09, 0x0B, 0x0C, 0x0E..<0x20, 0xFFFE, 0xFFFF: return "\u{FFFD}"
    default: return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
  }
}
