#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP1

  /// Trailer fields carried as content that was already read. The engine does not support fields after the content, but
  /// passes all content on in order.
  extension ByteBuffer {
    /// Creates a buffer without readable bytes that carries fields.
    init(carrying fields: HTTPHeaders) {
      self.init()
      writeInteger(UInt32(fields.count))
      for (name, value) in fields {
        for text in [name, value] {
          writeInteger(UInt32(text.utf8.count))
          writeString(text)
        }
      }
      moveReaderIndex(to: writerIndex)
    }

    /// The fields that the buffer carries; `nil` for content.
    var carriedFields: HTTPHeaders? {
      guard readableBytes == 0, readerIndex > 0 else { return nil }
      var buffer = self
      buffer.moveReaderIndex(to: 0)
      var fields = HTTPHeaders()
      guard let count = buffer.readInteger(as: UInt32.self) else { return nil }
      for _ in 0..<count {
        guard let name = buffer.readText(), let value = buffer.readText() else { return nil }
        fields.add(name: name, value: value)
      }
      return fields
    }

    private mutating func readText() -> String? {
      readInteger(as: UInt32.self).flatMap { readString(length: Int($0)) }
    }
  }
#endif
