#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Charset {
  /// Encodes a text. UTF-16 and UTF-32 without a byte order in their name are written big-endian after a byte order
  /// mark (RFC 2781 3.3).
  ///
  /// - Throws: ``CharsetError/unknown(_:)`` if the system has no encoder, and
  ///   ``CharsetError/unencodable(_:character:)`` if a character is not in the charset.
  public func encode(_ text: String) throws(CharsetError) -> [UInt8] {
    if let octets = octets(of: text) { return octets }
    guard octets(of: "") != nil else { throw .unknown(name) }
    // The error names the first character that cannot be encoded by itself; each is tried once.
    var tried: Set<Unicode.Scalar> = []
    let missing = text.unicodeScalars.first { tried.insert($0).inserted && octets(of: String($0)) == nil }
    throw .unencodable(name, character: missing)
  }

  /// Returns the encoded text; `nil` if a character is not in the charset, or the system does not support it.
  private func octets(of text: String) -> [UInt8]? {
    switch coding {
    case .utf8: return Array(text.utf8)
    case .latin1, .windows1252: return SingleByteCoder.encode(text, coding)
    case .system(let name):
      guard isSupported else { return nil }
      // Without a byte order in the name, the order would be that of the system.
      let isOrdered = self != .utf16 && self != .utf32
      return isOrdered
        ? Self.convert(Array(text.utf8), to: name)
        : Self.convert(Array("\u{FEFF}\(text)".utf8), to: "\(name)BE")
    }
  }

  /// Encodes a text with the C library; returns `nil` if it does not support the charset or a character is not in it.
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
