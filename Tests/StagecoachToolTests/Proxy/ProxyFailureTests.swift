#if Tool && AsyncHTTPClient
  import Foundation
  import StagecoachConformance
  import Synchronization
  import TestSupport
  import Testing

  /// What clients of `proxy` see when something ends early, and what it refuses to do.
  struct ProxyFailureTests {
    @Test func anUpstreamThatCannotBeReachedIs502() async throws {
      let port = try freePort()
      let errors = try await ProxyProcess.run(to: "http://localhost:\(port)") { proxy in
        let text = try await proxy.send("GET /a?token=secret HTTP/1.1")
        #expect(text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"), "\(text)")
        #expect(text.hasSuffix("\r\n\r\nthe service cannot be reached\n"))
        // Clients learn nothing about the service.
        #expect(!text.contains("localhost") && !text.contains("\(port)"))
        let other = try await RawExchange.send("GET / HTTP/1.0\nHost: other.example\n\n", to: proxy.url)
        #expect(
          other.hasPrefix("HTTP/1.1 421 ") && !other.contains("localhost") && !other.contains("\(port)")
        )
      }
      #expect(errors.contains("connectionRefused") && !errors.contains("secret"))
      #expect(errors.contains("localhost:\(port)") && errors.contains("a request for the host other.example"))
    }

    @Test func theLimitsForTheUpstreamAreFlags() async throws {
      let silent = try WireServer { wire in
        let request = try wire.readHead()
        if request.target == "/pause" { try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }
        try wire.hold()
      }
      defer { silent.stop() }
      let errors = try await ProxyProcess.run(
        to: silent.url,
        "--head-timeout",
        "0.2",
        "--idle-timeout",
        "0.2"
      ) { proxy in
        let text = try await proxy.send("GET / HTTP/1.1")
        #expect(text.hasPrefix("HTTP/1.1 504 Gateway Timeout\r\n"), "\(text)")
        #expect(text.hasSuffix("\r\n\r\nthe service did not answer in time\n"))
        #expect(try await proxy.send("GET /pause HTTP/1.1").hasSuffix("\r\n\r\nabc"))
      }
      #expect(
        errors.contains("--head-timeout = ") && errors.contains("raise --head-timeout"),
        "\(errors)"
      )
      #expect(!errors.contains("options."))
    }

    @Test func anUpstreamThatDoesNotSpeakHTTPIs502() async throws {
      for answer in [
        "SSH-2.0\r\n\r\n", "",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      ] {
        let server = try WireServer(answering: answer, closes: true)
        defer { server.stop() }
        try await ProxyProcess.run(to: server.url) { proxy in
          let text = try await proxy.send("GET / HTTP/1.1")
          #expect(text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"), "\(answer): \(text)")
        }
      }
    }

    @Test func aReplyThatTheUpstreamCutsIsCut() async throws {
      for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      ] {
        let server = try WireServer(answering: answer, closes: true)
        defer { server.stop() }
        try await ProxyProcess.run(to: server.url) { proxy in
          let text = try await RawExchange.send("GET / HTTP/1.1\nHost: HOST\n\n", to: proxy.url)
          #expect(text.hasSuffix("abc") || text.hasSuffix("3\r\nabc\r\n"), "\(text)")
          #expect(!text.hasSuffix("0\r\n\r\n"))
        }
      }
    }

    @Test func aClientThatGoesAwayEndsTheRequestToTheUpstream() async throws {
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      let server = try WireServer { wire in
        try wire.readHead()
        if wire.index == 1 { try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }
        try wire.expectEnd(within: .seconds(30))
        end.yield()
      }
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        for count in 1...2 {
          let socket = try LoopbackSocket(port: Int(proxy.url.split(separator: ":")[2]) ?? 0)
          try socket.send(
            Array("GET / HTTP/1.1\r\nHost: localhost:\(proxy.url.split(separator: ":")[2])\r\n\r\n".utf8)
          )
          #expect(try await server.wait { $0.flatMap(\.requests).count == count })
          if count == 2 {
            _ = try await RawExchange.blocking { [socket = Unchecked(socket)] in try socket.value.receive() }
          }
          withExtendedLifetime(socket) {}
        }
        var iterator = ended.makeAsyncIterator()
        for _ in 1...2 { await iterator.next() }
      }
    }

    /// A socket that one thread at a time uses.
    private struct Unchecked: @unchecked Sendable {
      let value: LoopbackSocket
      init(_ value: LoopbackSocket) { self.value = value }
    }

    @Test func whatTheCommandLineMayNotSay() async throws {
      for (arguments, reason) in [
        (["--upstream", "nonsense"], "--upstream is not a URL"),
        (["--upstream", "http://a/?b"], "without query"),
        (["--upstream", "http://a", "--listen", "0.0.0.0:0"], "requires --shared"),
        (["--upstream", "http://a", "--listen", "[::]:0"], "requires --shared"),
        (["--upstream", "http://a", "--listen", "192.0.2.1:0"], "requires --shared"),
        ([], "--upstream"),
      ] {
        let outcome = try await ToolProcess(["proxy"] + arguments).outcome()
        #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(arguments): \(outcome)")
      }
      for (arguments, reason) in [
        (["proxy", "--upstream", "http://a", "--cache", "folder", "--insecure"], "--insecure"),
        (["proxy", "--upstream", "http://a", "--cache", "folder", "--unix-socket", "/x"], "--unix-socket"),
        (["fetch", "http://a", "--cache", "folder", "--insecure"], "--insecure"),
        (["fetch", "http://a", "--cache", "folder", "--unix-socket", "/x"], "--unix-socket"),
      ] {
        let outcome = try await ToolProcess(arguments).outcome()
        #if SQLite
          #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(arguments): \(outcome)")
        #else
          #expect(outcome.status == 2 && outcome.errors.contains("\"SQLite\""), "\(reason): \(outcome)")
        #endif
      }
    }

    @Test func namesAnAddressThatIsInUse() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      let outcome = try await ToolProcess.run("proxy", "--upstream", "http://a", "--listen", server.authority)
      #expect(outcome.status == 3 && outcome.errors.contains("cannot listen"), "\(outcome)")
    }

    @Test func aSharedProxyTakesAnyAddressOfTheMachine() async throws {
      let server = try WireServer { wire in
        while true {
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
      }
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url, "--shared", "--listen", "0.0.0.0:0") { proxy in
        let port = proxy.url.split(separator: ":")[2]
        #expect(proxy.url == "http://0.0.0.0:\(port)")
        for (host, status) in [
          ("127.0.0.1", 200), ("192.0.2.1", 200), ("localhost", 200), ("name.example", 421),
        ] {
          let text = try await RawExchange.send(
            "GET / HTTP/1.1\nHost: \(host):\(port)\nConnection: close\n\n",
            to: proxy.url
          )
          #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(host): \(text)")
        }
      }
    }
  }
#endif
