#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes text in a charset that contains ASCII and is not UTF-8.
struct CharsetEncoder {
  let charset: Charset

  /// Nil for UTF-8, which needs no encoder.
  ///
  /// Throws ``ParameterEncodingError/unusableCharset(_:)`` if the system does not know the charset, or it
  /// does not contain ASCII.
  init?(_ charset: Charset) throws(ParameterEncodingError) {
    if case .utf8 = charset.coding { return nil }
    self.charset = charset
    let ascii: [UInt8] = Array(0x20..<0x7F)
    guard encodeAll(ascii) == ascii else { throw .unusableCharset(charset.name) }
  }

  /// The text in the charset; nil if it has characters that the charset does not have.
  func encode(_ text: String) -> [UInt8]? {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    return encodeAll(Array(text.utf8))
  }

  private func encodeAll(_ text: [UInt8]) -> [UInt8]? {
    switch charset.coding {
    case .utf8: text
    case .ascii: text.allSatisfy { $0 < 0x80 } ? text : nil
    case .latin1: Self.latin1(String(decoding: text, as: UTF8.self))
    case .windows1252: Self.convert(text, to: "CP1252")
    case .system(let name): charset.isSupported ? Self.convert(text, to: name) : nil
    case .utf16, .utf32: nil
    }
  }

  private static func latin1(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// By the C library; nil if it does not know the name or cannot write a character.
  private static func convert(_ text: [UInt8], to name: String) -> [UInt8]? {
    guard let descriptor = iconv_open(name, "UTF-8"), Int(bitPattern: descriptor) != -1 else { return nil }
    defer { iconv_close(descriptor) }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    let isDone = text.withUnsafeBytes { buffer in
      // `iconv` takes a mutable pointer for the sake of C, and does not write through it. Without input it
      // writes what takes the charset back to its initial state.
      let start = buffer.baseAddress.map {
        UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: CChar.self))
      }
      return convert(descriptor, start, buffer.count, &output) && convert(descriptor, nil, 0, &output)
    }
    return isDone ? output : nil
  }

  private static func convert(
    _ descriptor: iconv_t,
    _ start: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ output: inout [UInt8]
  ) -> Bool {
    var input = start
    var inputLeft = count
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      while true {
        var target = buffer.baseAddress
        var targetLeft = buffer.count
        let result =
          start == nil
          ? iconv(descriptor, nil, nil, &target, &targetLeft)
          : iconv(descriptor, &input, &inputLeft, &target, &targetLeft)
        let code = errno
        let written = buffer.count - targetLeft
        output.append(
          contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<written])
        )
        // More than zero counts the characters that were replaced by similar ones.
        if result == 0 { return true }
        guard result == -1, code == E2BIG, written > 0 else { return false }
      }
    }
  }
}
