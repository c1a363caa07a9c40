import StagecoachFormats

extension [UInt8] {
  /// Returns the offset of the first occurrence of a sequence at or after an offset; `nil` if there is none.
  func firstOffset(of run: [UInt8], from start: Int = 0) -> Int? {
    guard start <= count else { return nil }
    return withUnsafeBytes { buffer in
      OctetSearch.firstOffset(of: run, in: UnsafeRawBufferPointer(rebasing: buffer[start...])).map {
        $0 + start
      }
    }
  }

  /// Returns whether the octet at an index satisfies a condition; `false` outside of the array.
  func has(_ index: Int, _ condition: (UInt8) -> Bool) -> Bool {
    index >= 0 && index < count && condition(self[index])
  }

  /// Returns the range without the white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start].isSpace { start += 1 }
    while start < end, self[end - 1].isSpace { end -= 1 }
    return start..<end
  }

  func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}

extension ArraySlice<UInt8> {
  /// Returns the first elements that satisfy a condition, at most `maximum`.
  func prefix(_ maximum: Int, while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    prefix(maximum).prefix(while: condition)
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isUpperCase: Bool { self &- 0x41 < 26 }
  var isLowerCase: Bool { self &- 0x61 < 26 }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isAlphanumeric: Bool { isDigit || isLetter }
  var isSpace: Bool { self == 0x20 || self &- 0x09 < 5 }
  var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
  /// Whether the octet is one of some characters of ASCII.
  @inline(__always)
  func isOne(of characters: StaticString) -> Bool {
    for index in 0..<characters.utf8CodeUnitCount where characters.utf8Start[index] == self { return true }
    return false
  }

  /// Whether the octet may be part of the name of a placeholder.
  var isNameOctet: Bool { isUpperCase || isDigit || self == UInt8(ascii: "_") }
  /// Whether the octet is a digit of base64 or base64url (RFC 4648).
  var isBase64Digit: Bool { isAlphanumeric || Base64.value(of: self) != nil }
}
