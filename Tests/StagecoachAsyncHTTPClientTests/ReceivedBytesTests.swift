#if AsyncHTTPClient
  import NIOCore
  import Stagecoach
  import Testing

  @testable import StagecoachAsyncHTTPClient

  struct ReceivedBytesTests {
    private func isShared(_ bytes: Bytes, _ buffer: ByteBuffer) -> Bool {
      bytes.withUnsafeBytes { bytes in
        buffer.withUnsafeReadableBytes { $0.baseAddress == bytes.baseAddress }
      }
    }

    /// A chunk of a byte would keep all that was received with it.
    @Test(arguments: [1, 100, 4_000, 30_000, 60_000])
    func aChunkKeepsNoMoreThanAFewTimesItsBytes(count: Int) {
      var buffer = ByteBufferAllocator().buffer(capacity: 65_536)
      buffer.writeRepeatingByte(7, count: count)
      let bytes = Bytes(buffer)
      #expect(isShared(bytes, buffer) == (count * 4 >= buffer.storageCapacity))
      #expect(bytes == Bytes([UInt8](repeating: 7, count: count)))
    }
  }
#endif
