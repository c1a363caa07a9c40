#if Tool
  import HTTPTypes
  import StagecoachCore
  import StagecoachOrigin
  import Testing

  struct HandlerServerTests {
    private func withServer(
      _ handler: @escaping HandlerServer.Handler,
      _ body: (Peer) async throws -> Void
    ) async throws {
      let server = try await HandlerServer.start(handler)
      #expect(server.url == "http://127.0.0.1:\(server.port)")
      do {
        try await body(Peer(port: server.port))
      } catch {
        await server.stop(patience: .zero)
        throw error
      }
      await server.stop(patience: .zero)
    }

    /// Sends a request and reads up to an end.
    private func exchange(_ peer: Peer, _ request: String, until end: String) async throws -> String {
      try await peer.send(Array(request.replacing("\n", with: "\r\n").utf8))
      var bytes: [UInt8] = []
      while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { bytes += try await peer.bytes(1) }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test func fieldsGoOutAsTheyAreAndConnectionsAreKept() async throws {
      try await withServer { request in
        let path = request.head.path ?? ""
        return Response(
          .init(code: 299, reasonPhrase: "Some Reason"),
          fields: [.init("x-Path")!: path, .init("X-Host")!: request.head.authority ?? ""],
          body: .bytes(Bytes(path))
        )
      } _: { peer in
        for path in ["/a", "/b?c=d"] {
          let text = try await exchange(
            peer,
            "GET \(path) HTTP/1.1\nHost: name:1\n\n",
            until: "\r\n\r\n\(path)"
          )
          let head = "HTTP/1.1 299 Some Reason\r\nx-Path: \(path)\r\nX-Host: name:1\r\n"
          #expect(text == "\(head)Content-Length: \(path.utf8.count)\r\n\r\n\(path)")
        }
      }
    }

    /// In heads that come in pieces too, and not in content.
    @Test func valuesThatAreNotUTF8AreKept() async throws {
      try await withServer { request in
        let cookie = request.fields[fields: .cookie].first?.octets ?? []
        let content = try await request.body.makeSource().next() ?? Bytes([])
        return Response(
          .ok,
          fields: HTTPFields([HTTPField(name: .init("X-Cookie")!, value: cookie)]),
          body: .bytes(content)
        )
      } _: { peer in
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nCookie: a=".utf8)
        let values: [[UInt8]] = [
          [0xe9], [0xc3, 0xa9], [0x41], [0xf4, 0x8f, 0xbe, 0xa9, 0xe9], [0xf4, 0x8f, 0xbe, 0xa9],
          [0xef, 0xbf, 0xbd],
        ]
        for value in values {
          let end = Array("\r\nContent-Length: 3\r\n\r\n".utf8)
          let message = head + value + end + [0xe9, 0xf4, 0x0a]
          for cut in [
            head.count, head.count + 1, head.count + value.count + 1, message.count - 3, message.count,
          ] {
            try await peer.send(Array(message[..<cut]))
            if cut < message.count {
              try await Task.sleep(for: .milliseconds(5))
              try await peer.send(Array(message[cut...]))
            }
            var reply: [UInt8] = []
            while reply.suffix(4) != [0x0a, 0xe9, 0xf4, 0x0a] { reply += try await peer.bytes(1) }
            #expect(reply.firstRange(of: Array("X-Cookie: a=".utf8) + value + [0x0d, 0x0a]) != nil)
          }
        }
      }
    }

    /// The head begins in one piece with content, and ends in another one.
    @Test func aHeadThatIsNotUTF8IsRefusedBehindContent() async throws {
      try await withServer { request in
        let source = try request.body.makeSource()
        while try await source.next() != nil {}
        return Response(.ok)
      } _: { peer in
        let first = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n".utf8) + [0xe9]
        try await peer.send(first + Array("GET / HTTP/1.1\r\nHost: a\r\nCookie: a=".utf8) + [0xe9])
        #expect(try await peer.receiveResponse().status == 200)
        try await peer.send("b\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 400)
      }
    }

    @Test func trailerFieldsThatAreNotUTF8AreRefused() async throws {
      try await withServer { request in
        let source = try request.body.makeSource()
        while try await source.next() != nil {}
        return Response(.ok)
      } _: { peer in
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        try await peer.send(head + Array("3\r\nabc\r\n0\r\nX-Sum: ".utf8) + [0xe9, 0x0d, 0x0a, 0x0d, 0x0a])
        #expect(try await peer.receiveResponse().status == 400)
      }
    }

    @Test func bodiesStreamBothWays() async throws {
      try await withServer { request in
        let source = try request.body.makeSource()
        return Response(.ok, body: Response.Body(source: source))
      } _: { peer in
        let head = "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\nabc\n"
        let first = try await exchange(peer, head, until: "3\r\nabc\r\n")
        #expect(first.contains("Transfer-Encoding: chunked"))
        // The first chunk came back before the second one is sent.
        let rest = try await exchange(peer, "2\nde\n0\nX-Sum: 5\n\n", until: "\r\n\r\n")
        #expect(rest == "2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n")
      }
    }

    @Test func contentThatIsNotReadIsSkipped() async throws {
      try await withServer { _ in
        Response(.forbidden)
      } _: { peer in
        for _ in 0..<2 {
          let content = String(repeating: "x", count: 100_000)
          let request = "PUT / HTTP/1.1\nHost: a\nContent-Length: 100000\n\n\(content)"
          let head = try await exchange(peer, request, until: "\r\n\r\n")
          #expect(head.hasPrefix("HTTP/1.1 403"))
        }
      }
    }

    @Test func headHasNoBodyAndKeepsItsLength() async throws {
      try await withServer { _ in
        Response(.ok, fields: [.contentLength: "5"], body: .bytes("hello"))
      } _: { peer in
        let head = try await exchange(peer, "HEAD / HTTP/1.1\nHost: a\n\n", until: "\r\n\r\n")
        #expect(head == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        let text = try await exchange(peer, "GET / HTTP/1.1\nHost: a\nConnection: close\n\n", until: "hello")
        #expect(text.contains("Connection: close\r\n"))
      }
    }

    @Test func aFailureEndsTheConnection() async throws {
      try await withServer { request in
        if request.head.path == "/" { throw ExchangeError(.connectionReset, "of the test") }
        return Response(
          .ok,
          fields: [.contentLength: "9"],
          body: Response.Body(
            AsyncThrowingStream { chunks in
              chunks.yield(Bytes("cut"))
              chunks.finish(throwing: ExchangeError(.connectionReset, "of the test"))
            }
          )
        )
      } _: { peer in
        await #expect(throws: (any Error).self) {
          try await exchange(peer, "GET / HTTP/1.1\nHost: a\n\n", until: "HTTP")
        }
      }
    }

    @Test func stoppingWaitsForWhatIsUnderWay() async throws {
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let server = try await HandlerServer.start { _ in
        start.finish()
        try await Task.sleep(for: .milliseconds(200))
        return Response(.ok, body: .bytes("done"))
      }
      let peer = try Peer(port: server.port)
      async let text = exchange(peer, "GET / HTTP/1.1\nHost: a\n\n", until: "done")
      for await _ in started {}
      // Beside all other tests the fifth of a second may take longer.
      await server.stop(patience: .seconds(60))
      #expect(try await text.hasSuffix("done"))
    }

    @Test func anAddressInUseIsAnError() async throws {
      let server = try await HandlerServer.start { _ in Response(.ok) }
      await #expect(throws: OriginError.self) {
        try await HandlerServer.start(port: server.port) { _ in Response(.ok) }
      }
      await server.stop(patience: .zero)
    }
  }
#endif
