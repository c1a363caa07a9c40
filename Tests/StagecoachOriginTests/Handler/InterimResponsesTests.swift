#if Tool
  import HTTPTypes
  import StagecoachCore
  import StagecoachOrigin
  import Synchronization
  import Testing

  /// Informational responses, those of the handler and 100.
  struct InterimResponsesTests {
    private static let hints = HTTPResponse(
      status: .init(code: 103, reasonPhrase: "Early Hints"),
      headerFields: [.init("Link")!: "</a>", .connection: "X"]
    )

    @Test func interimResponsesPrecedeTheResponse() async throws {
      try await withHandlerServer { request in
        request.options.informationalResponseHandler?(Self.hints)
        request.options.informationalResponseHandler?(Self.hints)
        // No connection changes its protocol here.
        request.options.informationalResponseHandler?(HTTPResponse(status: .switchingProtocols))
        return Response(.ok, body: .bytes("abc"))
      } _: { server in
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let text = try await server.exchange("GET / HTTP/1.1\nHost: a\nConnection: close\n\n")
        #expect(text.hasPrefix(hints + hints + "HTTP/1.1 200 OK\r\n"), "\(text)")
        #expect(try await server.exchange("GET / HTTP/1.0\n\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
    }

    @Test func oneThatComesTooLateIsDropped() async throws {
      let kept = Mutex<(@Sendable (HTTPResponse) -> Void)?>(nil)
      try await withHandlerServer { request in
        kept.withLock { $0 = $0 ?? request.options.informationalResponseHandler }
        return Response(.ok, body: .bytes("abc"))
      } _: { server in
        let peer = try Peer(port: server.port)
        for _ in 0..<2 {
          try await peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          #expect(try await peer.receiveResponse().text == "abc")
          kept.withLock(\.self)?(Self.hints)
        }
      }
    }

    @Test func contentIsAskedForWhenItIsRead() async throws {
      try await withHandlerServer { request in
        guard request.head.path == "/read" else { return Response(.contentTooLarge) }
        let source = try request.body.makeSource()
        var text = ""
        while let chunk = try await source.next() { text += String(decoding: chunk) }
        return Response(.ok, body: .bytes(Bytes(text)))
      } _: { server in
        let fields = "Host: a\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n\r\n"
        let peer = try Peer(port: server.port)
        for _ in 0..<2 {
          try await peer.send("PUT /read HTTP/1.1\r\n\(fields)")
          #expect(try await peer.receiveResponse().status == 100)
          try await peer.send("abc")
          #expect(try await peer.receiveResponse().text == "abc")
        }
        // Whether the content follows is open, so nothing else can.
        try await peer.send("PUT / HTTP/1.1\r\n\(fields)")
        let refusal = try await peer.receiveResponse()
        #expect(refusal.status == 413 && refusal["Connection"] == "close")
        #expect(try await peer.receive().isEmpty)
        // Clients of HTTP/1.0 do not wait.
        let old = try await server.exchange(
          "PUT /read HTTP/1.0\nContent-Length: 3\nExpect: 100-continue\n\nabc"
        )
        #expect(old.hasPrefix("HTTP/1.1 200 OK\r\n") && old.hasSuffix("abc"))
      }
    }
  }
#endif
