#if Images
  /// The chunks of a WebP container, as far as there are bytes (RFC 9649 2.3).
  struct WebPChunks: Sequence, IteratorProtocol {
    private let bytes: ImageBytes
    private var position = 12

    init(_ bytes: ImageBytes) {
      self.bytes = bytes
    }

    /// Returns the next chunk with its content, which is shorter than declared if the data ends.
    mutating func next() -> (name: String, content: ImageBytes)? {
      guard let length = bytes.number(at: position + 4, size: 4, isLittleEndian: true) else { return nil }
      let name = String(decoding: bytes.part(from: position, size: 4).buffer, as: UTF8.self)
      let content = bytes.part(from: position + 8, size: length)
      // Chunks are padded to an even length.
      position += 8 + length + length % 2
      return (name, content)
    }
  }
#endif
