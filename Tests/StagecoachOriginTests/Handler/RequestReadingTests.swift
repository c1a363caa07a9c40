#if Tool
  import HTTPTypes
  import StagecoachCore
  import StagecoachOrigin
  import Synchronization
  import Testing

  /// Requests that two recipients could read in two ways (RFC 9112 11.2), and those at the edge of them.
  struct RequestReadingTests {
    private static let host = "Host: a\n"

    /// What a server must not read, with the status that says so.
    private static let refused: [(request: String, status: Int)] = [
      // Where the message ends.
      ("POST / HTTP/1.1\n\(host)Content-Length: 3\nContent-Length: 3\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: 3\nContent-Length: 4\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: 3, 3\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: +3\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: -3\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: 0x3\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: 99999999999999999999\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length : 3\n\nabc", 400),
      ("POST / HTTP/1.1\n\(host)Content-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n", 400),
      ("POST / HTTP/1.1\n\(host)Transfer-Encoding: chunked\nContent-Length: 3\n\n0\n\n", 400),
      ("POST / HTTP/1.1\n\(host)Transfer-Encoding: gzip, chunked\n\n0\n\n", 501),
      ("POST / HTTP/1.1\n\(host)Transfer-Encoding: identity\n\n0\n\n", 501),
      ("POST / HTTP/1.1\n\(host)Transfer-Encoding: xchunked\n\n0\n\n", 501),
      ("POST / HTTP/1.1\n\(host)Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n", 400),
      ("POST / HTTP/1.1\n\(host)Transfer-Encoding:\u{b}chunked\n\n0\n\n", 400),
      ("POST / HTTP/1.0\nTransfer-Encoding: chunked\n\n0\n\n", 400),
      ("GET / HTTP/1.1\n\(host)X: a\n b\n\n", 400),
      ("GET / HTTP/1.1\n\(host)X: a\u{0}b\n\n", 400),
      ("GET / HTTP/1.1\n\(host)X: a\rb\n\n", 400),
      // Whom it is for.
      ("GET / HTTP/1.1\n\n", 400),
      ("GET / HTTP/1.1\n\(host)\(host)\n", 400),
      ("GET / HTTP/1.1\nHost: a b\n\n", 400),
      ("GET / HTTP/1.1\nHost: user@a\n\n", 400),
      ("GET / HTTP/1.1\nHost: a/b\n\n", 400),
      ("GET foo HTTP/1.1\n\(host)\n", 400),
      ("GET /a#b HTTP/1.1\n\(host)\n", 400),
      ("GET /ä HTTP/1.1\n\(host)\n", 400),
      ("GET * HTTP/1.1\n\(host)\n", 400),
      ("GET ftp://a/ HTTP/1.1\n\(host)\n", 400),
      ("GET http://u@a/ HTTP/1.1\n\(host)\n", 400),
      ("GET http:///x HTTP/1.1\n\(host)\n", 400),
      // What it asks for.
      ("CONNECT a:443 HTTP/1.1\nHost: a:443\n\n", 501),
      ("FOO / HTTP/1.1\n\(host)\n", 501),
      (
        "GET / HTTP/1.1\n\(host)Connection: keep-alive, Upgrade\nUpgrade: websocket\nSec-WebSocket-Key: a\n\n",
        501
      ),
      ("GET / HTTP/1.1\n\(host)Connection: upgrade\nUpgrade: h2c, WebSocket\n\n", 501),
      ("GET / HTTP/2.0\n\(host)\n", 505),
      ("GET / HTTP/1.2\n\(host)\n", 505),
      ("GET /\n\n", 505),
      ("POST / HTTP/1.1\n\(host)Content-Length: 3\nExpect: wonders\n\nabc", 417),
      // How much it is.
      ("GET / HTTP/1.1\n\(host)X: \(String(repeating: "a", count: 40_000))\n\n", 431),
      ("GET / HTTP/1.1\n\(host)\(String(repeating: "X: a\n", count: 300))\n", 431),
      ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\n\(host)\n", 414),
    ]

    @Test func whatCanBeReadInTwoWaysIsRefusedAndEndsTheConnection() async throws {
      let seen = Mutex<[String]>([])
      try await withHandlerServer { request in
        seen.withLock { $0.append(request.head.path ?? "") }
        return Response(.ok)
      } _: { server in
        for (request, expected) in Self.refused {
          // What follows would be a request of its own to who reads the first in another way.
          let text = try await server.exchange(request + "GET /smuggled HTTP/1.1\n\(Self.host)\n")
          #expect(status(of: text) == expected, "\(request.prefix(80)): \(text)")
          #expect(text.contains("\r\nConnection: close\r\n"), "\(request.prefix(80))")
          #expect(text.ranges(of: /HTTP\/1\.1 \d/).count == 1, "\(request.prefix(80)): \(text)")
        }
      }
      #expect(seen.withLock(\.self) == [])
    }

    /// Fields of the connection as clients send them; of each request the handler gets `X-A` alone.
    private static let ofConnection = [
      "Connection: Keep-Alive\n", "Connection: CLOSE\n", "Connection: TE, keep-alive\nTE: trailers\n",
      "Connection: X-Own\nx-own: 1\nConnection: X-Other\nX-Other: 2\n", "Keep-Alive: timeout=5\n",
      "Proxy-Connection: Keep-Alive\n", "TE: gzip\n", "Upgrade: h2c\n", "Upgrade: websocket\n",
      "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\n",
      "Transfer_Encoding: chunked\n",
    ]

    @Test(arguments: ofConnection)
    func fieldsOfTheConnectionEndAtTheServer(fields: String) async throws {
      let seen = Mutex<[HTTPFields]>([])
      try await withHandlerServer { request in
        seen.withLock { $0.append(request.fields) }
        let content = try await request.body.makeSource().next()
        #expect(content == (request.method == .post ? "abc" : nil))
        return Response(.ok, fields: [.connection: "X-End", HTTPField.Name("X-End")!: "1", .server: "s"])
      } _: { server in
        for request in ["GET / HTTP/1.1\n", "POST / HTTP/1.1\nContent-Length: 3\n"] {
          let content = request.hasPrefix("POST") ? "abc" : ""
          let text = try await server.exchange(
            "\(request)\(Self.host)X-A: 1\n\(fields)Connection: close\n\n\(content)"
          )
          #expect(status(of: text) == 200, "\(text)")
          #expect(text.contains("Server: s\r\n") && !text.contains("X-End"), "\(text)")
        }
      }
      let (plain, content) = (HTTPField.Name("X-A")!, HTTPField.Name.contentLength)
      #expect(seen.withLock(\.self) == [[plain: "1"], [content: "3", plain: "1"]])
    }

    @Test func malformedContentFailsTheHandlersReadAndEndsTheConnection() async throws {
      try await withHandlerServer { request in
        let source = try request.body.makeSource()
        do {
          while try await source.next() != nil {}
          return Response(.ok)
        } catch let error as ExchangeError {
          #expect(error.kind == .requestBody)
          return Response(.badRequest, body: .bytes("refused"))
        }
      } _: { server in
        for chunks in ["zz\nabc\n0\n\n", "-1\nabc\n0\n\n", "fffffffffffffffff\nabc\n", "3\nabcd\n0\n\n"] {
          let head = "POST / HTTP/1.1\n\(Self.host)Transfer-Encoding: chunked\n\n"
          let text = try await server.exchange(head + chunks + "GET /smuggled HTTP/1.1\n\(Self.host)\n")
          #expect(status(of: text) == 400 && text.hasSuffix("refused"), "\(chunks): \(text)")
          #expect(text.ranges(of: /HTTP\/1\.1 \d/).count == 1, "\(chunks): \(text)")
        }
      }
    }

    /// What a server must read, with the target as the handler gets it.
    private static let read: [(request: String, target: String)] = [
      ("GET /a?b=c HTTP/1.1\nHost: name:81\n", "GET http name:81 /a?b=c"),
      ("GET http://other/a HTTP/1.1\nHost: name\n", "GET http other /a"),
      ("GET HTTP://other:81?b HTTP/1.1\nHost: name\n", "GET http other:81 /?b"),
      ("GET https://other HTTP/1.1\nHost: name\n", "GET https other /"),
      ("OPTIONS * HTTP/1.1\nHost: name\n", "OPTIONS http name *"),
      ("OPTIONS http://other HTTP/1.1\nHost: name\n", "OPTIONS http other *"),
      ("GET / HTTP/1.1\nHost: [::1]:80\n", "GET http [::1]:80 /"),
      ("GET / HTTP/1.1\nHost: \t name \t\nContent-Length: 0 \n", "GET http name /"),
      ("GET //a HTTP/1.0\nHost: name\n", "GET http name //a"),
      ("M-SEARCH / HTTP/1.1\nHost: name\n", "M-SEARCH http name /"),
      ("DELETE / HTTP/1.1\nHost: name\nContent-Length: 0\n", "DELETE http name /"),
    ]

    @Test func allFormsOfTargetsAreRead() async throws {
      try await withHandlerServer { request in
        let head = request.head
        let parts = [head.method.rawValue, head.scheme ?? "", head.authority ?? "", head.path ?? ""]
        return Response(.ok, body: .bytes(Bytes(parts.joined(separator: " "))))
      } _: { server in
        for (request, target) in Self.read {
          let text = try await server.exchange(request + "Connection: close\n\n")
          #expect(text.hasSuffix("\r\n\r\n\(target)"), "\(request): \(text)")
        }
        let text = try await server.exchange("GET / HTTP/1.0\n\n")
        #expect(text.hasSuffix("GET http 127.0.0.1:\(server.port) /"))
      }
    }

    @Test func halfAHeadDoesNotBlockOthers() async throws {
      try await withHandlerServer { _ in
        Response(.ok)
      } _: { server in
        var slow: [Peer] = []
        for _ in 0..<50 {
          let peer = try Peer(port: server.port)
          try await peer.send("GET / HTTP/1.1\r\nHo")
          slow.append(peer)
        }
        let text = try await server.exchange("GET / HTTP/1.1\n\(Self.host)Connection: close\n\n")
        #expect(status(of: text) == 200)
        for peer in slow {
          try await peer.send("st: a\r\nConnection: close\r\n\r\n")
          #expect(try await peer.receiveResponse().status == 200)
        }
      }
    }
  }
#endif
