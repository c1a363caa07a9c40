#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// The part of a request body that the engine has and has not written yet. It is large enough that the engine seldom
  /// waits for more, and its memory is reused.
  struct UploadWindow {
    /// The maximum number of bytes in flight.
    private static let capacity = 256 * 1024
    /// The maximum number of chunks in flight: small ones take more memory than they have bytes.
    private static let mostWrites = 16

    private struct Write {
      var buffer: ByteBuffer
      let written: EventLoopFuture<Void>
    }

    private var writes = CircularBuffer<Write>()
    private var count = 0
    private var free: [ByteBuffer] = []

    /// Fulfilled when all chunks are written; `nil` if they already are.
    var last: EventLoopFuture<Void>? { writes.last?.written }

    /// Hands over a copy of a chunk, because the engine writes only its own buffers.
    mutating func add(_ chunk: Bytes, writing write: (ByteBuffer) -> EventLoopFuture<Void>) {
      var buffer = free.popLast() ?? ByteBuffer()
      // Allocates new memory if the engine still uses this buffer.
      buffer.clear()
      chunk.withUnsafeBytes { _ = buffer.writeBytes($0) }
      count += chunk.count
      let written = write(buffer)
      writes.append(Write(buffer: buffer, written: written))
    }

    /// Returns the write to wait for before the next chunk; `nil` if there is room.
    ///
    /// Half of the window is released at a time, because each wait costs two changes of thread.
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
