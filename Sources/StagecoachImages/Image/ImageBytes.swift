#if Images
  /// A bounds-checked view of the bytes of an image: what lies outside is `nil`.
  ///
  /// It is only valid as long as the buffer.
  struct ImageBytes {
    let buffer: UnsafeRawBufferPointer

    init(_ buffer: UnsafeRawBufferPointer) {
      self.buffer = buffer
    }

    var count: Int { buffer.count }

    func byte(at offset: Int) -> UInt8? {
      buffer.indices.contains(offset) ? buffer[offset] : nil
    }

    /// The unsigned number of up to four bytes at an offset.
    func number(at offset: Int, size: Int, isLittleEndian: Bool = false) -> Int? {
      guard offset >= 0, offset <= count - size else { return nil }
      let bytes = buffer[offset..<offset + size]
      return isLittleEndian
        ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The bytes from an offset on, at most `size` of them.
    func part(from offset: Int, size: Int) -> ImageBytes {
      let start = min(max(offset, 0), count)
      let end = start + min(max(size, 0), count - start)
      return ImageBytes(UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
    }

    func starts(with octets: [UInt8]) -> Bool { buffer.starts(with: octets) }

    /// Whether the bytes are fewer than these octets, and equal to the first of them.
    func isStart(of octets: [UInt8]) -> Bool { count < octets.count && octets.starts(with: buffer) }

    /// Whether there is an ASCII text at an offset.
    func has(_ text: StaticString, at offset: Int) -> Bool {
      text.withUTF8Buffer { text in
        offset >= 0 && offset <= count - text.count
          && buffer[offset..<offset + text.count].elementsEqual(text)
      }
    }
  }
#endif
