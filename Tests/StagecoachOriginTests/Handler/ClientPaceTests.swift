#if Tool
  import HTTPTypes
  import StagecoachCore
  import StagecoachOrigin
  import Testing

  /// Clients that are too slow, and clients with too many connections.
  struct ClientPaceTests {
    private func withServer(
      host: String = "127.0.0.1",
      _ limits: HandlerLimits,
      _ handler: @escaping HandlerServer.Handler,
      _ body: (Int) async throws -> Void
    ) async throws {
      let server = try await HandlerServer.start(host: host, port: 0, limits: limits) { _ in handler }
      do {
        try await body(server.port)
      } catch {
        await server.stop(patience: .zero)
        throw error
      }
      await server.stop(patience: .zero)
    }

    private static func content(of request: Request) async throws -> Int {
      let source = try request.body.makeSource()
      var count = 0
      while let chunk = try await source.next() { count += chunk.count }
      return count
    }

    private var hasty: HandlerLimits {
      var limits = HandlerLimits()
      limits.contentTime = .milliseconds(400)
      limits.readTime = .milliseconds(400)
      return limits
    }

    @Test func contentThatComesTooSlowlyIsAnsweredWith408() async throws {
      try await withServer(hasty) { request in
        Response(.ok, body: .bytes(Bytes("\(try await Self.content(of: request))")))
      } _: { port in
        for framing in ["Content-Length: 1000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"] {
          let peer = try Peer(port: port)
          try await peer.send("PUT / HTTP/1.1\r\nHost: a\r\n\(framing)")
          let text = String(decoding: try await peer.receiveToEnd(), as: UTF8.self)
          #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), "\(text)")
          #expect(text.contains("\r\nConnection: close\r\n"))
        }
      }
    }

    @Test func aClientThatSendsNothingAfter100IsAnsweredWith408() async throws {
      try await withServer(hasty) { request in
        Response(.ok, body: .bytes(Bytes("\(try await Self.content(of: request))")))
      } _: { port in
        let peer = try Peer(port: port)
        try await peer.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 100)
        #expect(try await peer.receiveResponse().status == 408)
        #expect(try await peer.receiveToEnd().isEmpty)
      }
    }

    @Test func aSlowClientStillGetsAnEarlyAnswer() async throws {
      try await withServer(hasty) { _ in
        Response(.forbidden, body: .bytes("no"))
      } _: { port in
        let peer = try Peer(port: port)
        try await peer.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc")
        let text = String(decoding: try await peer.receiveToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 403 Forbidden\r\n") && text.hasSuffix("\r\n\r\nno"), "\(text)")
      }
    }

    @Test func timeInWhichTheServerIsWaitedForDoesNotCount() async throws {
      let size = 4 << 20
      var limits = HandlerLimits()
      limits.contentTime = .seconds(2)
      try await withServer(limits) { request in
        try await Task.sleep(for: .seconds(4))
        return Response(.ok, body: .bytes(Bytes("\(try await Self.content(of: request))")))
      } _: { port in
        // The content waits for the closure.
        let sender = try Peer(port: port)
        async let sent: Void = sender.send(
          Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n".utf8)
            + [UInt8](repeating: 0x61, count: size)
        )
        // The client waits for 100.
        let patient = try Peer(port: port)
        try await patient.send(
          "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        )
        // The client waits for the answer.
        let quiet = try Peer(port: port)
        try await quiet.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await patient.receiveResponse().status == 100)
        try await patient.send("abc")
        #expect(try await patient.receiveResponse().text == "3")
        #expect(try await quiet.receiveResponse().text == "0")
        try await sent
        #expect(try await sender.receiveResponse().text == "\(size)")
      }
    }

    @Test func aReaderThatIsTooSlowIsReset() async throws {
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      try await withServer(hasty) { _ in
        let body = AsyncStream<Bytes> { chunks in
          for _ in 0..<512 { chunks.yield(Bytes([UInt8](repeating: 0x61, count: 64 << 10))) }
          chunks.onTermination = { _ in end.finish() }
        }
        return Response(.ok, body: Response.Body(body))
      } _: { port in
        let peer = try Peer(port: port)
        try await peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in ended {}
        // What it then reads ends in a reset.
        await #expect(throws: Peer.Failure.self) { try await peer.receiveToEnd() }
      }
    }

    /// The server listens at all addresses, so that clients of two can come.
    @Test func oneClientDoesNotGetAllConnections() async throws {
      var limits = HandlerLimits()
      limits.connections = 5
      try await withServer(host: "::", limits) { _ in
        Response(.ok, body: .bytes("ok"))
      } _: { port in
        func status(_ peer: Peer) async throws -> Int {
          try await peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          return try await peer.receiveResponse().status
        }
        var first = [try Peer(port: port), try Peer(port: port)]
        for peer in first { #expect(try await status(peer) == 200) }
        let third = try Peer(port: port)
        #expect(try await third.receiveResponse().status == 503)
        #expect(try await status(Peer(ipv6Port: port)) == 200)
        // The place of one that leaves is free again, as soon as the server has noticed.
        first.removeLast()
        var isFree = false
        for _ in 0..<500 where !isFree {
          let peer = try Peer(port: port)
          isFree = (try? await status(peer)) == 200
          if !isFree { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(isFree)
      }
    }
  }
#endif
