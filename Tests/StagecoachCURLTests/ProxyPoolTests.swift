#if CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Synchronization
  import TestSupport
  import Testing

  /// Connections to proxies: who waits for whom, whom they believe, and what comes on them unasked.
  @Suite struct ProxyPoolTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func transport(_ proxy: Proxy, perOrigin: Int = 8, trust: Trust = Trust()) -> CURLTransport {
      var connections = ConnectionOptions()
      connections.proxy = .server(proxy)
      connections.connectionsPerOrigin = perOrigin
      return CURLTransport(connections: connections, trust: trust)
    }

    @Test func originsBehindAProxyDoNotWaitForEachOther() async throws {
      let waiting = Mutex(Set<String>())
      let peer = try WireServer { connection in
        let target = try connection.readHead().target
        waiting.withLock { _ = $0.insert(target) }
        // Nobody is answered before all are here.
        while waiting.withLock({ $0.count }) < 3 { connection.pause(.milliseconds(2)) }
        try connection.send(Self.empty)
        try connection.readToEnd()
      }
      defer { peer.stop() }
      let transport = transport(Proxy(.http, host: "127.0.0.1", port: peer.port), perOrigin: 1)
      let statuses = try await withClient(transport, base: "http://a.example/") { client in
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
          for host in ["a", "b", "c"] {
            group.addTask { try await client.send(.get("http://\(host).example/")).status }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(statuses == [.ok, .ok, .ok])
    }

    @Test func whatAProxySendsUnaskedAnswersNothing() async throws {
      let peer = try WireServer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue")
        // On the connection that is idle now, as far as the client knows.
        connection.pause(.milliseconds(50))
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse")
        try connection.readToEnd()
      }
      defer { peer.stop() }
      let transport = transport(Proxy(.http, host: "127.0.0.1", port: peer.port))
      try await withClient(transport, base: "http://origin.example/") { client in
        for count in 1...5 {
          #expect(try await client.get("\(count)", as: .text) == "true")
          try await eventually { peer.closed == count }
        }
      }
    }

    @Test(.enabled(if: Nginx.executable != nil, "nginx is not installed: this test is not run"))
    func aSecureProxyToAPlainOriginIsJudgedByTheTrust() async throws {
      let trust = Trust(roots: .only(try Certificate.fromPEM(TestPKI.root)))
      try await withNginx { nginx in
        let authority = nginx.secureURL.dropFirst("https://".count).prefix { $0 != "/" }
        let port = try #require(Int(authority.drop { $0 != ":" }.dropFirst()))
        let host = String(authority.prefix { $0 != ":" })
        func text(_ trust: Trust) async throws -> String {
          try await withClient(
            self.transport(Proxy(.https, host: host, port: port), trust: trust),
            base: "http://origin.example/"
          ) { client in try await client.get("a.txt", as: .text) }
        }
        #expect(try await text(trust) == "hello")
        let error = await exchangeError { try await text(Trust()) }
        #expect(error?.kind == .tls(.untrusted))
        #expect(error?.requestMayHaveBeenSent == false)
      }
    }

    @Test func digestIsRefusedWhereAProxyTakesPasswordsInClear() async throws {
      var proxy = Proxy(.socks5h, host: "127.0.0.1", port: 9, user: "me", password: "pw")
      proxy.authentication = .digest
      let error = await exchangeError {
        try await Pipeline(over: transport(proxy)) {}.send(.get("http://origin.example/"))
      }
      #expect(error?.kind == .unsupported)
      #expect(error?.description.contains("pw") == false)
    }
  }
#endif
