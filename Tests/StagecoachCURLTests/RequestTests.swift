#if CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Testing

  @Suite struct RequestTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// What reaches the wire, with `HOST` for the peer's address.
    private func wire(
      _ method: HTTPRequest.Method,
      _ path: String,
      fields: HTTPFields = [:],
      body: Request.Body = .empty,
      until mark: String = "\r\n\r\n"
    ) async throws -> String {
      try await withPeer { connection in
        try connection.read(through: Array(mark.utf8))
        try connection.send(Self.empty)
        try connection.readToEnd()
      } _: { peer, _ in
        let transport = CURLTransport()
        let head = HTTPRequest(
          method: method,
          scheme: "http",
          authority: "127.0.0.1:\(peer.port)",
          path: path,
          headerFields: fields
        )
        _ = try await sent(Request(head: head, body: body), over: transport)
        await transport.shutdown()
        return peer.text.replacing("127.0.0.1:\(peer.port)", with: "HOST")
      }
    }

    @Test(arguments: ["GET", "DELETE", "OPTIONS", "PROPFIND", "get", "M-SEARCH"])
    func aMethodWithoutContentSendsOnlyTheHead(method: String) async throws {
      let method = try #require(HTTPRequest.Method(method))
      let value12 = try await wire(method, "/a")
      #expect(value12 == "\(method.rawValue) /a HTTP/1.1\r\nHost: HOST\r\n\r\n")
    }

    @Test(arguments: ["POST", "PUT", "PATCH"])
    func noContentOfAMethodThatHasSomeIsSaid(method: String) async throws {
      let method = try #require(HTTPRequest.Method(method))
      let text = try await wire(method, "/a")
      #expect(text == "\(method.rawValue) /a HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: ["/%2f%41//./../b?", "/?a=1&a=2&b=+&c", "/a;b=c?x=%7B%7D[]|", "*"])
    func aTargetIsSentAsItIs(path: String) async throws {
      let value13 = try await wire(.options, path)
      #expect(value13 == "OPTIONS \(path) HTTP/1.1\r\nHost: HOST\r\n\r\n")
    }

    @Test func fieldsKeepOrderCaseAndRepetition() async throws {
      var fields: HTTPFields = [:]
      for (name, value) in [
        ("X-b", "2"), ("x-A", "1"), ("X-Empty", ""), ("x-a", "a  b"), ("User-agent", "me"),
      ] {
        fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
      }
      let text = try await wire(.get, "/", fields: fields)
      #expect(
        text
          == "GET / HTTP/1.1\r\nHost: HOST\r\nX-b: 2\r\nx-A: 1\r\nX-Empty:\r\nx-a: a  b\r\nUser-agent: me\r\n\r\n"
      )
    }

    @Test func manyAndLongFieldsArrive() async throws {
      var fields: HTTPFields = [:]
      for index in 0..<200 {
        fields.append(HTTPField(name: try #require(HTTPField.Name("x-\(index)")), value: "\(index)"))
      }
      fields[.cookie] = String(repeating: "c", count: 60_000)
      var request = Request(head: HTTPRequest(method: .get, scheme: "http", authority: "", path: "/"))
      request.options.requestHeadLimit = 1 << 20
      try await withPeer { connection in
        try connection.answer(Self.empty)
      } _: { peer, _ in
        request.head.authority = "127.0.0.1:\(peer.port)"
        request.head.headerFields = fields
        let transport = CURLTransport()
        _ = try await sent(request, over: transport)
        await transport.shutdown()
        #expect(peer.text.contains("\r\nx-199: 199\r\n"))
        #expect(peer.text.contains("cccc\r\n"))
        #expect(peer.received.count > 60_000)
      }
    }

    @Test(arguments: [3, 16 * 1024, 16 * 1024 + 1, 200_000])
    func contentInMemoryIsSentWithItsLengthOnce(count: Int) async throws {
      let content = String(repeating: "x", count: count - 1) + "!"
      for method in [HTTPRequest.Method.get, .post, .delete] {
        let text = try await wire(method, "/", body: .bytes(Bytes(content)), until: "!")
        let head = "\(method.rawValue) / HTTP/1.1\r\nHost: HOST\r\nContent-Length: \(count)\r\n\r\n"
        #expect(text.prefix(100) == (head + content).prefix(100))
        #expect(text.utf8.count == head.utf8.count + count)
      }
    }

    @Test func eachChunkOfUnknownLengthIsAChunk() async throws {
      let body = Request.Body.oneShot(
        AsyncStream {
          for part in ["abc", "", "defgh"] { $0.yield(Bytes(part)) }
          $0.finish()
        },
        length: nil
      )
      let text = try await wire(.put, "/", body: body, until: "0\r\n\r\n")
      #expect(
        text
          == "PUT / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5\r\ndefgh\r\n0\r\n\r\n"
      )
    }

    @Test func aStreamWithoutChunksEndsProperly() async throws {
      let text = try await wire(
        .post,
        "/",
        body: .oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil),
        until: "0\r\n\r\n"
      )
      #expect(text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
    }

    @Test func trailersFollowTheLastChunk() async throws {
      let body = Request.Body.stream(length: 3, trailers: { [.eTag: "\"x\"", .contentLanguage: "de"] }) {
        AsyncStream<Bytes> {
          $0.yield("abc")
          $0.finish()
        }
      }
      let text = try await wire(.post, "/", body: body, until: "de\r\n\r\n")
      #expect(text.hasSuffix("chunked\r\n\r\n3\r\nabc\r\n0\r\nETag: \"x\"\r\nContent-Language: de\r\n\r\n"))
    }

    @Test func theHostFieldIsTheAuthority() async throws {
      try await withPeer {
        try $0.answer(Self.empty)
      } _: { peer, _ in
        var connections = ConnectionOptions()
        connections.addresses["api.example.com"] = "127.0.0.1"
        let transport = CURLTransport(connections: connections)
        let head = HTTPRequest(
          method: .get,
          scheme: "http",
          authority: "api.example.com:\(peer.port)",
          path: "/"
        )
        _ = try await sent(Request(head: head), over: transport)
        #expect(peer.text.contains("Host: api.example.com:\(peer.port)\r\n"))
        await transport.shutdown()
      }
    }

    @Test(arguments: ["user@127.0.0.1", "a b", "", "a/b", "ex%61mple", "[::g]", "bücher.example"])
    func refusesAMalformedAuthority(authority: String) async {
      let transport = CURLTransport()
      let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
      let error = await exchangeError { try await transport.send(Request(head: head)) }
      #expect(error?.kind == .invalidRequest)
      #expect(error?.requestMayHaveBeenSent != true)
      await transport.shutdown()
    }

    @Test func aContinueIsWaitedFor() async throws {
      let text = try await withPeer { connection in
        let head = try connection.readHead()
        #expect(head.values(of: "Expect") == ["100-continue"])
        #expect(try !connection.hasBytes(within: .milliseconds(100)))
        try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
        let content = try connection.read(5)
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        try connection.send(content)
        try connection.readToEnd()
      } _: { _, client in
        var request = Request.post("", body: .bytes("hello"))
        request.fields[.expect] = "100-continue"
        return try await client.value(for: request, as: .text)
      }
      #expect(text == "hello")
    }

    @Test func aRefusedExpectationSendsNoContent() async throws {
      try await withPeer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno")
        try connection.readToEnd()
      } _: { peer, _ in
        var request = Request(
          head: HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:\(peer.port)", path: "/")
        )
        request.body = .bytes("hello")
        request.fields[.expect] = "100-continue"
        let transport = CURLTransport()
        let response = try await Pipeline(over: transport) {}.send(request)
        #expect(response.status.code == 417)
        // libcurl reads the content and keeps it to itself, which must not pass for an empty one.
        let error = await exchangeError { try await response.body.collect(upTo: 100) }
        #expect(error?.kind == .incompleteBody)
        await transport.shutdown()
        #expect(!peer.text.contains("hello"))
        #expect(peer.text.split(separator: "POST /").count == 1)
      }
    }
  }
#endif
