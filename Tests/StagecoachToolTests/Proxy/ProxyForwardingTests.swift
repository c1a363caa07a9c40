#if Tool && AsyncHTTPClient
  import Foundation
  import StagecoachConformance
  import TestSupport
  import Testing

  /// What `proxy` passes on, and what ends at it (RFC 9110 7.6).
  struct ProxyForwardingTests {
    /// Answers each request with 200, or with a head of the test.
    private func upstream(_ answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") throws
      -> WireServer
    {
      try WireServer { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(answer)
        }
      }
    }

    @Test func fieldsOfTheConnectionEndAtTheProxy() async throws {
      let server = try upstream(
        "HTTP/1.1 200 OK\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nUpgrade: h2c\r\n"
          + "Via: 1.0 up\r\nLocation: http://127.0.0.1/x\r\nSet-Cookie: a=b; Domain=x\r\nX-End: 1\r\n"
          + "Proxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nok"
      )
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url + "/base/") { proxy in
        let text = try await RawExchange.send(
          "GET /a?b HTTP/1.1\nHost: HOST\nConnection: close, X-Mine\nX-Mine: 1\nTE: trailers\nVia: 1.0 me\n"
            + "Upgrade: h2c\nProxy-Authorization: x\nForwarded: for=1\nX-Forwarded-For: 1\nX-forwarded-Host: a\n"
            + "Keep-Alive: 1\nProxy-Connection: x\nCookie: a=b\nX-End: 2\nX_Forwarded_For: 1\nX.Forwarded.For: 1\n"
            + "X-Real-IP: 1\nTrue_Client_IP: 1\nX_End: 3\n\n",
          to: proxy.url
        )
        #expect(
          text.replacing(/Date: [^\r]*/, with: "Date: now") == """
            HTTP/1.1 200 OK\r
            Via: 1.0 up\r
            Location: http://127.0.0.1/x\r
            Set-Cookie: a=b; Domain=x\r
            X-End: 1\r
            Content-Length: 2\r
            Via: 1.1 stagecoach\r
            Date: now\r
            Connection: close\r
            \r
            ok
            """
        )
        _ = try await RawExchange.send("GET / HTTP/1.0\n\n", to: proxy.url)
      }
      let seen = server.requests
      #expect(seen[0].startLine == "GET /base/a?b HTTP/1.1")
      #expect(
        seen[0].fields.dropLast().map { "\($0.name): \($0.value)" } == [
          "Host: \(server.authority)", "Via: 1.0 me", "Cookie: a=b", "X-End: 2", "X_End: 3",
        ]
      )
      let vias = seen.flatMap { $0.values(of: "Via") }.map { $0.replacing(/-[0-9a-f]{8}$/, with: "-ID") }
      #expect(vias == ["1.0 me", "1.1 stagecoach-ID", "1.0 stagecoach-ID"])
    }

    @Test func noPathLeavesTheUpstreamsPrefix() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url + "/base") { proxy in
        for path in ["/..", "/../a", "/a/../../b", "/%2E./a", "/a%2f..%2Fb", "/..\\a", "/%2e%2e%5ca"] {
          let answer = try await proxy.send("GET \(path) HTTP/1.1")
          #expect(answer.hasPrefix("HTTP/1.1 400 ") && !answer.contains("base"), "\(path): \(answer)")
        }
        for path in ["/..a/b..", "/.../", "/a?/../b"] {
          let answer = try await proxy.send("GET \(path) HTTP/1.1")
          #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path): \(answer)")
        }
      }
      #expect(server.requests.count == 3)
      #expect(server.requests.allSatisfy { $0.startLine.hasPrefix("GET /base/") })
      try await ProxyProcess.run(to: server.url) { proxy in
        let answer = try await proxy.send("GET /a/../b HTTP/1.1")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
      }
    }

    @Test func contentPassesInBothFramings() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        _ = try await proxy.send("PUT / HTTP/1.1", "Content-Length: 003\n\nabc")
        _ = try await proxy.send(
          "PUT / HTTP/1.1",
          "Transfer-Encoding: Chunked\nTrailer: X-Sum\n\n3\nabc\n2\nde\n0\nX-Sum: 5\n\n"
        )
        _ = try await proxy.send("POST / HTTP/1.1", "Content-Length: 0\n\n")
        _ = try await proxy.send("GET / HTTP/1.1", "Content-Length: 3\n\nabc")
        let refused = try await proxy.send("TRACE / HTTP/1.1", "Content-Length: 3\n\nabc")
        #expect(refused.hasPrefix("HTTP/1.1 400 "))
      }
      let seen = server.requests
      #expect(seen.map { String(decoding: $0.body, as: UTF8.self) } == ["abc", "abcde", "", "abc"])
      #expect(seen[0].values(of: "Content-Length") == ["3"])
      // Trailer fields of clients end at the proxy.
      #expect(seen[1].chunks.count == 2 && seen[1].trailers.isEmpty && seen[1].values(of: "Trailer").isEmpty)
      #expect(seen[2].values(of: "Content-Length") == ["0"])
    }

    @Test func otherAuthoritiesAreMisdirected() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        let port = proxy.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != ":" }
        for place in [
          "127.0.0.1\(port)", "LocalHost\(port)", "[::1]\(port)", server.authority, "127.0.0.1", "localhost",
          "127.0.0.2\(port)",
        ] {
          for request in ["GET / HTTP/1.1\nHost: \(place)", "GET http://\(place)/ HTTP/1.1\nHost: x"] {
            let text = try await RawExchange.send("\(request)\nConnection: close\n\n", to: proxy.url)
            #expect(text.hasPrefix("HTTP/1.1 200 "), "\(request): \(text)")
          }
        }
        for place in ["evil.example", "evil.example\(port)", "localhost.evil.example", "192.0.2.1\(port)"] {
          for request in ["GET / HTTP/1.1\nHost: \(place)", "GET http://\(place)/ HTTP/1.1\nHost: HOST"] {
            let text = try await RawExchange.send("\(request)\nConnection: close\n\n", to: proxy.url)
            #expect(text.hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"), "\(request): \(text)")
          }
        }
        let secure = try await RawExchange.send(
          "GET https://\(server.authority)/ HTTP/1.1\nHost: x\nConnection: close\n\n",
          to: proxy.url
        )
        #expect(secure.hasPrefix("HTTP/1.1 200 "))
      }
      #expect(server.requests.allSatisfy { $0.values(of: "Host") == [server.authority] })
    }

    @Test func maxForwardsEndsAtItsTurn() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        let trace = try await proxy.send("TRACE /t HTTP/1.1", "Max-Forwards: 0\nCookie: a=b\nX-Y: 1\n\n")
        #expect(
          trace.contains("Content-Type: message/http\r\n") && trace.contains("\r\nTRACE /t HTTP/1.1\r\n")
        )
        #expect(trace.contains("X-Y: 1\r\n") && !trace.contains("a=b"))
        #expect(try await proxy.send("OPTIONS * HTTP/1.1", "Max-Forwards: 0\n\n").hasPrefix("HTTP/1.1 200 "))
        #expect(server.requests.isEmpty)
        _ = try await proxy.send("OPTIONS * HTTP/1.1", "Max-Forwards: 3\n\n")
        _ = try await proxy.send("GET / HTTP/1.1", "Max-Forwards: 0\n\n")
        let circle = String(repeating: "Via: 1.1 stagecoach\n", count: 10)
        #expect(try await proxy.send("GET / HTTP/1.1", circle + "\n").hasPrefix("HTTP/1.1 508 "))
        #expect(
          try await proxy.send("GET / HTTP/1.1", "Via: 1.1 stagecoach-00000000 (x)\n\n").hasPrefix(
            "HTTP/1.1 200 "
          )
        )
      }
      #expect(
        server.requests.map(\.startLine) == ["OPTIONS * HTTP/1.1", "GET / HTTP/1.1", "GET / HTTP/1.1"]
      )
      #expect(server.requests.map { $0.values(of: "Max-Forwards") } == [["2"], ["0"], []])
    }

    @Test(arguments: [[], ["--cache", "memory"]])
    func aProxyThatIsItsOwnUpstreamSaysSo(_ cache: [String]) async throws {
      let port = try freePort()
      let process = try ToolProcess(
        ["proxy", "--upstream", "http://localhost:\(port)/a", "--listen", "127.0.0.1:\(port)"] + cache
      )
      defer { process.send(SIGKILL) }
      let proxy = ProxyProcess(process: process, url: try await process.listening())
      let text = try await proxy.send("GET / HTTP/1.1")
      #expect(text.hasPrefix("HTTP/1.1 508 Loop Detected\r\n"), "\(text)")
      // It passed once.
      #expect(text.ranges(of: "\r\nVia: ").count == 1)
      process.interrupt()
      #expect(try await process.outcome().errors.contains("its upstream is, or leads to, the proxy itself"))
    }

    @Test func informationalResponsesPass() async throws {
      let server = try upstream(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      )
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        let text = try await proxy.send("GET / HTTP/1.1")
        #expect(text.hasPrefix("HTTP/1.1 103 "))
        #expect(text.contains("\r\nLink: </a>\r\nVia: 1.1 stagecoach\r\n\r\nHTTP/1.1 200 OK\r\n"), "\(text)")
        #expect(try await RawExchange.send("GET / HTTP/1.0\n\n", to: proxy.url).hasPrefix("HTTP/1.1 200 "))
      }
    }

    @Test(.enabled(if: Nginx.executable != nil, "nginx is not installed: this test is not run"))
    func nginxIsReachedOverTLSAndPlain() async throws {
      let nginx = try Nginx(directives: "gzip on; gzip_types application/json; gzip_min_length 1;")
      defer { nginx.stop() }
      try await nginx.isListening()
      for (url, more) in [(nginx.url, [String]()), (nginx.secureURL, ["--insecure"])] {
        let process = try ToolProcess(["proxy", "--upstream", url] + more)
        defer { process.send(SIGKILL) }
        let proxy = ProxyProcess(process: process, url: try await process.listening())
        let text = try await proxy.send("GET /a.txt HTTP/1.1")
        #expect(text.hasSuffix("\r\n\r\nhello") && text.lowercased().contains("\r\nserver: nginx"))
        let range = try await proxy.send("GET /a.txt HTTP/1.1", "Range: bytes=1-2\n\n")
        #expect(range.hasPrefix("HTTP/1.1 206 ") && range.hasSuffix("\r\n\r\nel"))
        let head = try await proxy.send("HEAD /large HTTP/1.1")
        #expect(head.lowercased().contains("\r\ncontent-length: 67108864\r\n") && head.hasSuffix("\r\n\r\n"))
        #expect(try await proxy.send("GET /large HTTP/1.1").utf8.count > 64 << 20)
        process.interrupt()
        #expect(try await process.outcome().status == 0)
      }
    }
  }
#endif
