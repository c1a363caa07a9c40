extension JSONReader {
  /// Reads a string whose opening quotation mark is at the position.
  @inline(__always)
  mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    let isASCII = skipPlainText()
    guard next == UInt8(ascii: "\"") else { return try string(from: start, isASCII: isASCII) }
    let text = bytes[start..<position]
    position += 1
    if isASCII { return String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self) }
    return try validated(UnsafeBufferPointer(rebasing: text), from: start)
  }

  /// Reads the rest of a string that has escapes, or an error in it; its plain text from `start` has been skipped.
  private mutating func string(from start: Int, isASCII: Bool) throws(JSONSyntaxError) -> String {
    unescaped.removeAll(keepingCapacity: true)
    var run = start
    while true {
      unescaped.append(contentsOf: bytes[run..<position])
      switch next {
      case UInt8(ascii: "\""):
        position += 1
        // Whatever an escape gives is valid, so only the plain text can fail.
        if let text = String(validating: unescaped, as: UTF8.self) { return text }
        throw failure(.invalidUTF8, at: invalidOffset(in: start..<position))
      case UInt8(ascii: "\\"):
        try escape()
      case nil:
        throw failure(.unterminatedString)
      default:
        throw failure(.controlCharacter)
      }
      run = position
      _ = skipPlainText()
    }
  }

  private func validated(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) throws(JSONSyntaxError) -> String {
    if let string = String(validating: text, as: UTF8.self) { return string }
    throw failure(.invalidUTF8, at: invalidOffset(in: start..<start + text.count))
  }

  private func invalidOffset(in range: Range<Int>) -> Int {
    var parser = UTF8.ForwardParser()
    var iterator = bytes[range].makeIterator()
    var offset = range.lowerBound
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }

  /// Goes on to the next quotation mark, backslash or control character, or to the end, eight bytes at a time,
  /// and says whether all was ASCII.
  @inline(__always)
  private mutating func skipPlainText() -> Bool {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var seen: UInt64 = 0
    if let base = UnsafeRawPointer(bytes.baseAddress) {
      while bytes.count - position >= 8 {
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // The high bit of each byte that is zero, or below 0x20; exact for the lowest such byte, which is all
        // that is used.
        let stops =
          ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            | (word &- ones &* 0x20) & ~word) & highBits
        guard stops == 0 else {
          let length = stops.trailingZeroBitCount & ~7
          position += length / 8
          return (seen | word & ((1 << UInt64(length)) &- 1)) & highBits == 0
        }
        seen |= word
        position += 8
      }
    }
    while let next, next >= 0x20, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\") {
      seen |= UInt64(next)
      position += 1
    }
    return seen & highBits == 0
  }

  /// Reads the escape at the position and appends its character.
  private mutating func escape() throws(JSONSyntaxError) {
    let start = position
    position += 1
    guard let letter = next else { throw failure(.unterminatedString) }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      unescaped.append(contentsOf: UTF8.encode(try escapedScalar(from: start)) ?? .init())
    default: throw failure(.invalidEscape, at: start)
    }
  }

  /// Reads the digits of the escape that begins at `start`, and after a leading surrogate the escape of the
  /// trailing one.
  private mutating func escapedScalar(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let unit = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) else {
      throw failure(.loneSurrogate, at: start)
    }
    let second = position
    position += 2
    let trail = try codeUnit(from: second)
    guard UTF16.isTrailSurrogate(trail) else { throw failure(.loneSurrogate, at: start) }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit(from start: Int) throws(JSONSyntaxError) -> UInt16 {
    guard bytes.count - position >= 4 else { throw failure(.invalidEscape, at: start) }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = bytes[position]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: throw failure(.invalidEscape, at: start)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
