/// The common parts of field parsers: a position in the octets, and the grammar rules of RFC 9110 5.6.
package protocol FieldReading {
  var octets: UnsafeBufferPointer<UInt8> { get }
  var position: Int { get set }
}

extension FieldReading {
  package mutating func take(_ octet: UInt8) -> Bool {
    guard position < octets.count, octets[position] == octet else { return false }
    position += 1
    return true
  }

  package mutating func skipBlanks() {
    while position < octets.count, octets[position].isBlankInField { position += 1 }
  }

  mutating func skipToSemicolon() {
    while position < octets.count, octets[position] != UInt8(ascii: ";") { position += 1 }
  }

  /// A token, lower-cased; nil if none is here.
  mutating func token() -> String? {
    let start = position
    while position < octets.count, octets[position].isTokenOctet { position += 1 }
    guard position > start else { return nil }
    let token = octets[start..<position]
    return String(unsafeUninitializedCapacity: token.count) { buffer in
      for (offset, octet) in token.enumerated() { buffer[offset] = octet.lowercasedInField }
      return token.count
    }
  }

  /// Reads the rest of a quoted string after its opening quote; the closing quote may be missing.
  ///
  /// - Parameter isEscape: Whether the backslash at a position escapes the following octet, if there is one.
  package mutating func quotedString(isEscape: (Int) -> Bool = { _ in true }) -> [UInt8] {
    var value: [UInt8] = []
    while position < octets.count, !take(UInt8(ascii: "\"")) {
      if octets[position] == UInt8(ascii: "\\"), position + 1 < octets.count, isEscape(position) {
        position += 1
      }
      value.append(octets[position])
      position += 1
    }
    return value
  }
}

extension BidirectionalCollection<UInt8> where SubSequence: BidirectionalCollection<UInt8> {
  /// The octets without the blanks at both ends.
  @inlinable
  package var trimmed: SubSequence {
    let start = drop(while: \.isBlankInField)
    guard let last = start.lastIndex(where: { !$0.isBlankInField }) else { return self[endIndex..<endIndex] }
    return self[start.startIndex...last]
  }
}

extension UInt8 {
  /// Whether the octet is a `tchar` (RFC 9110 5.6.2).
  package var isTokenOctet: Bool {
    switch self {
    case 0..<64: 0x03FF_6CFA_0000_0000 & (1 << UInt64(self)) as UInt64 != 0
    case 64..<128: 0x57FF_FFFF_C7FF_FFFE & (1 << UInt64(self - 64)) as UInt64 != 0
    default: false
    }
  }

  /// Whether the octet is a control character that is not allowed in a field value: all except tab.
  package var isControlInField: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

  @inlinable
  package var isBlankInField: Bool { self == 0x20 || self == 0x09 }

  package var lowercasedInField: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
