#if Tool
  import ConformanceSubjects
  import HTTPTypes
  import Stagecoach
  @testable import StagecoachConformance
  import StagecoachOrigin
  import Testing

  /// Octets beyond UTF-8 in targets and fields, through stages and through a server, over each transport.
  @Suite(.timeLimit(.minutes(2))) struct OctetTests {
    private static let subjects = Subjects.all.filter { ["AsyncHTTPClient", "CURL"].contains($0.name) }
    private static let okay = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A raw octet of a Location is percent-encoded as it is.
    @Test(arguments: subjects)
    func aRedirectToARawOctetIsFollowed(subject: Subject) async throws {
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 302 Found\r\nLocation: /caf\u{e9}/\r\nContent-Length: 0\r\n\r\n")
        _ = try wire.readRequest()
        try wire.send(Self.okay)
      }
      defer { server.stop() }
      let client = try Client(Pipeline.standard(over: try #require(makeTransport(subject))), base: server.url)
      #expect(try await client.get("", as: .text) == "ok")
      #expect(server.requests.map(\.target) == ["/", "/caf%E9/"])
      await client.pipeline.shutdown()
    }

    /// Digest covers the target that is sent (RFC 7616 3.4.6).
    @Test(arguments: subjects)
    func digestCoversAnEscapeThatIsNotUTF8(subject: Subject) async throws {
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        let challenge = "Digest realm=\"a\", nonce=\"b\", qop=\"auth\", algorithm=SHA-256"
        try wire.send("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
        _ = try wire.readRequest()
        try wire.send(Self.okay)
      }
      defer { server.stop() }
      let client = try Client(Pipeline.standard(over: try #require(makeTransport(subject))), base: server.url)
      var request = Request.get("/caf%e9?q=%FF")
      request.options.credential = Credential(user: "user", password: "secret")
      #expect(try await client.value(for: request, as: .text) == "ok")
      #expect(server.requests.map(\.target) == ["/caf%e9?q=%FF", "/caf%e9?q=%FF"])
      let proof = try #require(server.requests.last?.values(of: "Authorization").first)
      #expect(proof.contains("uri=\"/caf%e9?q=%FF\""))
      await client.pipeline.shutdown()
    }

    /// A server that passes requests on, as the proxy and the recorder of the tool do.
    @Test(arguments: subjects)
    func rawOctetsPassThroughAProxy(subject: Subject) async throws {
      let upstream = try WireServer { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(
            "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"caf\u{e9}.txt\"\r\nX-UTF8: \u{c3}\u{a9}\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: \u{e9}\r\n\r\n"
          )
        }
      }
      let transport = try #require(makeTransport(subject))
      let proxy = try await HandlerServer.start { request in
        var request = request
        request.head.authority = upstream.authority
        return try await transport.send(request)
      }
      var request = Request(.delete, "\(proxy.url)/caf%e9")
      request.fields[.contentDisposition] = "caf\u{e9}"
      request.fields.append(HTTPField(name: .cookie, value: Array("name=Andr".utf8) + [0xe9]))
      for _ in 1...2 {
        let response = try await Pipeline(over: transport, stages: []).send(request)
        let octets = try #require(response.fields[fields: .contentDisposition].first).octets
        #expect(octets == Array("attachment; filename=\"caf".utf8) + [0xe9] + Array(".txt\"".utf8))
        #expect(response.fields[try #require(HTTPField.Name("X-UTF8"))] == "\u{e9}")
        #expect(try await response.body.collect(upTo: 10) == "ok")
        let trailer = response.body.trailers?[fields: try #require(HTTPField.Name("X-Sum"))].first
        #expect(trailer?.octets == [0xe9])
        let seen = try #require(upstream.requests.last)
        #expect(seen.target == "/caf%e9")
        #expect(seen.octets(of: "Cookie") == Array("name=Andr".utf8) + [0xe9])
        #expect(seen.octets(of: "Content-Disposition") == Array("caf\u{e9}".utf8))
      }
      await transport.shutdown()
      await proxy.stop()
      upstream.stop()
    }
  }
#endif
