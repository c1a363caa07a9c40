/// UTF-8 (RFC 3629).
enum UTF8Decoder {
  static func decode(_ bytes: UnsafeRawBufferPointer, mode: Charset.Mode) -> DecodingResult {
    if mode == .lossy { return .text(String(decoding: bytes, as: UTF8.self)) }
    if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
    var parser = Unicode.UTF8.ForwardParser()
    var octets = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &octets) {
      offset += scalar.count
    }
    return .undecodable(offset: offset)
  }
}

/// UTF-16 (RFC 2781).
enum UTF16Decoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer,
    order: Charset.ByteOrder?,
    mode: Charset.Mode
  ) -> DecodingResult {
    var order = order
    var start = 0
    if order == nil {
      if bytes.starts(with: [0xFF, 0xFE]) {
        (order, start) = (.littleEndian, 2)
      } else if bytes.starts(with: [0xFE, 0xFF]) {
        start = 2
      }
    }
    let isLittleEndian = order == .littleEndian
    let units = (0..<(bytes.count - start) / 2).map { index in
      let unit = bytes.loadUnaligned(fromByteOffset: start + 2 * index, as: UInt16.self)
      return isLittleEndian ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit)
    }
    let isCutOff = !bytes.count.isMultiple(of: 2)
    switch mode {
    case .lossy:
      // Half a character and what is left of its other half are one error.
      let isHalf = units.last.map(UTF16.isLeadSurrogate) ?? false
      return .text(String(decoding: units, as: UTF16.self) + (isCutOff && !isHalf ? "\u{FFFD}" : ""))
    case .strict:
      if let text = String(validating: units, as: UTF16.self) {
        return isCutOff ? .undecodable(offset: bytes.count - 1) : .text(text)
      }
      var parser = Unicode.UTF16.ForwardParser()
      var iterator = units.makeIterator()
      var index = 0
      while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
        index += scalar.count
      }
      return .undecodable(offset: start + 2 * index)
    }
  }
}

/// UTF-32 (Unicode 3.10).
enum UTF32Decoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer,
    order: Charset.ByteOrder?,
    mode: Charset.Mode
  ) -> DecodingResult {
    var order = order
    var start = 0
    if order == nil {
      if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
        (order, start) = (.littleEndian, 4)
      } else if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
        start = 4
      }
    }
    let isLittleEndian = order == .littleEndian
    var text = String.UnicodeScalarView()
    var offset = start
    while bytes.count - offset >= 4 {
      let unit = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let value = isLittleEndian ? UInt32(littleEndian: unit) : UInt32(bigEndian: unit)
      let scalar = Unicode.Scalar(value)
      if scalar == nil, mode == .strict { return .undecodable(offset: offset) }
      text.append(scalar ?? "\u{FFFD}")
      offset += 4
    }
    if offset < bytes.count {
      if mode == .strict { return .undecodable(offset: offset) }
      text.append("\u{FFFD}")
    }
    return .text(String(text))
  }
}
