#if CURL
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Synchronization
  import Testing

  @Suite struct FailureTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test func aClosedPortIsARefusedConnection() async throws {
      let peer = try WireServer { _ in }
      peer.stop()
      try await withClient(CURLTransport(), base: peer.url) { client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.kind == .connectionRefused)
        #expect(error?.requestMayHaveBeenSent == false)
      }
    }

    @Test func anUnknownHostIsAFailureOfNameResolution() async throws {
      try await withClient(CURLTransport(), base: "http://no-such-host.invalid/") { client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.kind == .nameResolution)
      }
    }

    @Test(arguments: [false, true])
    func aConnectionClosedWithoutAnAnswerIsAnError(isReset: Bool) async throws {
      try await withPeer { connection in
        try connection.readHead()
        if isReset { connection.reset() }
      } _: { peer, client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.kind == .connectionReset)
        #expect(error?.requestMayHaveBeenSent == true)
        #expect(error?.connectionWasReused == false)
        #expect(peer.accepted == 1)
      }
    }

    @Test func aKeptConnectionThatDiesUnderARequestIsNotRepeated() async throws {
      try await withPeer { connection in
        try connection.readHead()
        try connection.send(Self.empty)
        try connection.readHead()
      } _: { peer, client in
        _ = try await client.send(.get(""))
        let error = await exchangeError { try await client.send(.post("", body: .bytes("once"))) }
        #expect(error?.kind == .connectionReset)
        #expect(error?.requestMayHaveBeenSent == true)
        #expect(error?.connectionWasReused == true)
        #expect(peer.text.split(separator: "POST /").count == 2)
      }
    }

    @Test func aSafeRequestOnADeadKeptConnectionIsRepeatedWithoutDelay() async throws {
      let peer = try WireServer { connection in
        try connection.readHead()
        try connection.send(Self.empty)
        try connection.readHead()
      }
      defer { peer.stop() }
      // On this clock no wait would end.
      let client = try Client(
        over: CURLTransport(),
        base: peer.url,
        configuration: .init(clock: ManualTime())
      )
      for _ in 0..<2 { _ = try await client.send(.get("")) }
      #expect(peer.text.split(separator: "GET /").count == 3)
      await client.shutdown()
    }

    @Test func aKeptConnectionThatWasClosedIsReplaced() async throws {
      let closed = Atomic(0)
      try await withPeer { connection in
        try connection.readHead()
        try connection.send(Self.empty)
        connection.close()
        closed.add(1, ordering: .sequentiallyConsistent)
      } _: { peer, client in
        for round in 1...5 {
          _ = try await client.send(.post("", body: .bytes("x")))
          try await eventually { closed.load(ordering: .sequentiallyConsistent) == round }
          try await Task.sleep(for: .milliseconds(5))
        }
        #expect(peer.accepted == 5)
      }
    }

    @Test func aFailingProducerEndsTheRequestUncleanly() async throws {
      struct Broken: Error {}
      let body = AsyncThrowingStream<Bytes, any Error> {
        $0.yield("abc")
        $0.finish(throwing: Broken())
      }
      try await withPeer { connection in
        try connection.readToEnd()
      } _: { peer, client in
        let error = await exchangeError {
          try await client.send(.post("", body: .oneShot(body, length: nil)))
        }
        #expect(error?.underlying is Broken)
        #expect(error?.kind == .requestBody)
        #expect(!peer.text.contains("abc\r\n0"))
      }
    }

    @Test(arguments: [4, 2])
    func aBodyOfAnotherLengthFails(declared: Int64) async throws {
      let body = AsyncStream<Bytes> {
        $0.yield("a")
        $0.yield("bc")
        $0.finish()
      }
      try await withPeer { connection in
        try connection.readToEnd()
      } _: { _, client in
        let error = await exchangeError {
          try await client.send(.post("", body: .oneShot(body, length: declared)))
        }
        #expect(error?.kind == .requestBody)
      }
    }

    @Test func anEarlyAnswerIsDeliveredWhileTheContentIsSent() async throws {
      let (stream, producer) = AsyncStream<Bytes>.makeStream()
      producer.yield("start")
      try await withPeer { connection in
        try connection.read(through: Array("start".utf8))
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
        try connection.read(through: Array("0\r\n\r\n".utf8))
        try connection.send("done")
        try connection.readToEnd()
      } _: { _, client in
        let response = try await client.send(.post("", body: .oneShot(stream, length: nil)))
        #expect(response.status == .ok)
        producer.yield("more")
        producer.finish()
        let content = try await response.body.collect(upTo: 10)
        #expect(String(decoding: content) == "done")
      }
    }

    @Test func anEarlyRefusalWins() async throws {
      try await withPeer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        connection.halfClose()
        try connection.readToEnd()
      } _: { peer, _ in
        let transport = CURLTransport()
        let endless = AsyncStream<Bytes>(unfolding: { Bytes([UInt8](repeating: 1, count: 10_000)) })
        let head = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:\(peer.port)", path: "/")
        let (response, text) = try await sent(
          Request(head: head, body: .oneShot(endless, length: nil)),
          over: transport
        )
        #expect(response.status.code == 413)
        #expect(text == "no")
        await transport.shutdown()
      }
    }

    @Test func aSlowPeerHoldsTheProducer() async throws {
      let made = Atomic(0)
      try await withPeer { connection in
        try connection.readHead()
        Thread.sleep(forTimeInterval: 0.3)
        let early = made.load(ordering: .relaxed)
        #expect(early < 16 << 20)
        for _ in 0..<1024 { _ = try connection.read(65_536) }
        try connection.send(Self.empty)
        try connection.readToEnd()
      } _: { _, client in
        let left = Mutex(1024)
        let body = AsyncStream<Bytes>(unfolding: {
          let goesOn = left.withLock { left in
            left -= 1
            return left >= 0
          }
          guard goesOn else { return nil }
          made.add(65_536, ordering: .relaxed)
          return Bytes([UInt8](repeating: 1, count: 65_536))
        })
        _ = try await client.send(.post("", body: .oneShot(body, length: 64 << 20)))
        let all = made.load(ordering: .relaxed)
        #expect(all == 64 << 20)
      }
    }
  }
#endif
