#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import Stagecoach
  import Testing

  @testable import StagecoachAsyncHTTPClient

  struct UploadWindowTests {
    /// What a peer was given, and has to say that it wrote.
    private final class Peer {
      private(set) var buffers: [ByteBuffer] = []
      private var promises: [EventLoopPromise<Void>] = []

      func write(_ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let promise = HTTPClient.defaultEventLoopGroup.next().makePromise(of: Void.self)
        buffers.append(buffer)
        promises.append(promise)
        return promise.futureResult
      }

      /// Says that so many of the oldest are written.
      func finish(_ count: Int) {
        for promise in promises.prefix(count) { promise.succeed() }
        promises.removeFirst(count)
      }

      deinit { finish(promises.count) }
    }

    private func bytes(_ value: Int, count: Int) -> Bytes {
      Bytes([UInt8](repeating: UInt8(value), count: count))
    }

    private func waits(_ window: inout UploadWindow) -> Bool { window.shrinks() != nil }

    /// 256 KiB may be under way: then the older half is waited for.
    @Test func bytesAreLimited() async throws {
      var window = UploadWindow()
      let peer = Peer()
      for value in 0..<3 {
        window.add(bytes(value, count: 65_536), writing: peer.write)
        #expect(!waits(&window))
      }
      window.add(bytes(3, count: 65_536), writing: peer.write)
      let first = window.shrinks()
      let written = try #require(first)
      peer.finish(2)
      try await written.get()
      window.add(bytes(4, count: 65_536), writing: peer.write)
      #expect(!waits(&window))
      window.add(bytes(5, count: 65_536), writing: peer.write)
      #expect(waits(&window))
    }

    /// So may 16 chunks, however small.
    @Test func chunksAreLimited() async throws {
      var window = UploadWindow()
      let peer = Peer()
      for value in 0..<15 {
        window.add(bytes(value, count: 1), writing: peer.write)
        #expect(!waits(&window))
      }
      window.add(bytes(15, count: 1), writing: peer.write)
      let first = window.shrinks()
      let written = try #require(first)
      peer.finish(8)
      try await written.get()
      for value in 16..<23 {
        window.add(bytes(value, count: 1), writing: peer.write)
        #expect(!waits(&window))
      }
      window.add(bytes(23, count: 1), writing: peer.write)
      #expect(waits(&window))
    }

    /// What was handed over stays as it is, even where the peer keeps it and its memory is free for others.
    @Test func chunksArriveAsTheyWere() throws {
      var window = UploadWindow()
      let peer = Peer()
      for value in 0..<100 {
        window.add(bytes(value, count: 40_000), writing: peer.write)
        _ = window.shrinks()
      }
      #expect(
        peer.buffers.enumerated().allSatisfy { index, buffer in
          buffer.readableBytes == 40_000 && buffer.readableBytesView.allSatisfy { $0 == UInt8(index) }
        }
      )
      #expect(peer.buffers.count == 100)
      #expect(window.last != nil)
    }
  }
#endif
