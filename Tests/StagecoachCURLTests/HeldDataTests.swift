#if CURL
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Synchronization
  import Testing

  /// What libcurl holds while it is paused, and chunks that hold nothing.
  @Suite struct HeldDataTests {
    @Test func refusingHeldDataFailsItsTransfer() async throws {
      let isSent = Mutex(false)
      try await withPeer { connection in
        guard try connection.readHead().target == "/long" else {
          return try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        // The last chunk is one too many for the reader's buffer, and the trailer comes with it.
        let first = String(repeating: "a", count: 258_000)
        let last = String(repeating: "b", count: 4000)
        try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3EFD0\r\n\(first)\r\n")
        try connection.send("FA0\r\n\(last)\r\n0\r\nX-Long: \(String(repeating: "c", count: 500))\r\n\r\n")
        isSent.withLock { $0 = true }
        try connection.readToEnd()
      } options: {
        $0.responseHeadLimits.trailerBytes = 100
      } _: { _, client in
        let response = try await client.send(.get("long"))
        try await eventually { isSent.withLock { $0 } }
        // The engine has seen what was there before it answers another.
        for _ in 0..<3 { _ = try await client.send(.get("short")) }
        let error = await exchangeError { try await response.body.collect(upTo: 1 << 20) }
        #expect(error?.kind == .limit(.responseHead))
      }
    }

    /// Before libcurl 8.1 a handle keeps the address of the last field line after its memory was freed: a head that begins
    /// with a folded line writes there if the handle is used again.
    @Test func aHeadThatBeginsWithAFoldIsRefusedBehindAnotherTransfer() async throws {
      try await withPeer { connection in
        let isFirst = try connection.readHead().target == "/honest"
        let long = String(repeating: "x", count: 5000)
        try connection.send(
          isFirst
            ? "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\nX-Long: \(long)\r\n\r\n"
            : "HTTP/1.1 200 OK\r\n fold: \(long)\(long)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        )
      } _: { _, client in
        for _ in 0..<20 {
          _ = try await client.send(.get("honest"))
          let error = await exchangeError { try await client.send(.get("folded")) }
          #expect(error?.kind == .protocolViolation, "\(String(describing: error))")
        }
      }
    }

    @Test func anEmptyChunkOfAnUploadIsNotItsEnd() async throws {
      let body = Request.Body.source(length: nil, isReplayable: false) { EmptyBetween() }
      try await withPeer { connection in
        try connection.read(through: Array("\r\n0\r\n\r\n".utf8))
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      } _: { peer, client in
        var request = Request.post("")
        request.body = body
        _ = try await client.send(request)
        #expect(peer.text.contains("abc"))
        #expect(peer.text.contains("def"))
      }
    }

    /// Gives an empty chunk, against its protocol.
    private final class EmptyBetween: BodySource {
      private let chunks = Mutex<[Bytes]>([Bytes("def"), Bytes(), Bytes("abc")])

      func next() async throws -> Bytes? { chunks.withLock { $0.popLast() } }
      var trailers: HTTPFields? { nil }
      func cancel() {}
    }
  }
#endif
