#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// What of a request body was handed to the engine and not written yet: so much that the engine seldom waits for more,
  /// in memory that is used again.
  struct UploadWindow {
    /// How many bytes may be under way.
    private static let capacity = 256 * 1024
    /// How many chunks may be: small ones take more memory than they have bytes.
    private static let mostWrites = 16

    private struct Write {
      var buffer: ByteBuffer
      let written: EventLoopFuture<Void>
    }

    private var writes = CircularBuffer<Write>()
    private var count = 0
    private var free: [ByteBuffer] = []

    /// Fulfilled when all is written; nil if it is.
    var last: EventLoopFuture<Void>? { writes.last?.written }

    /// Hands over a chunk, copied: the engine writes its own buffers only.
    mutating func add(_ chunk: Bytes, writing write: (ByteBuffer) -> EventLoopFuture<Void>) {
      var buffer = free.popLast() ?? ByteBuffer()
      // Other memory, if the engine still has this.
      buffer.clear()
      chunk.withUnsafeBytes { _ = buffer.writeBytes($0) }
      count += chunk.count
      let written = write(buffer)
      writes.append(Write(buffer: buffer, written: written))
    }

    /// What has to be waited for before more is handed over; nil if nothing.
    ///
    /// Half of all is let go of at a time: each wait costs two changes of thread.
    mutating func shrinks() -> EventLoopFuture<Void>? {
      guard count >= Self.capacity || writes.count >= Self.mostWrites else { return nil }
      var written: EventLoopFuture<Void>?
      while count > Self.capacity / 2 || writes.count > Self.mostWrites / 2, let write = writes.popFirst() {
        count -= write.buffer.readableBytes
        free.append(write.buffer)
        written = write.written
      }
      return written
    }
  }
#endif
