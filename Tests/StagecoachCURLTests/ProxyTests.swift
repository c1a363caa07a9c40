#if CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Testing

  @Suite struct ProxyTests {
    @Test func aPlainRequestIsForwardedInAbsoluteForm() async throws {
      let peer = try WireServer { try $0.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
      defer { peer.stop() }
      var connections = ConnectionOptions()
      connections.proxy = .server(
        Proxy(.http, host: "127.0.0.1", port: peer.port, user: "me", password: "pw")
      )
      try await withClient(CURLTransport(connections: connections), base: "http://origin.example/") {
        client in
        _ = try await client.send(.get("a?b"))
      }
      #expect(peer.text.hasPrefix("GET http://origin.example/a?b HTTP/1.1\r\n"))
      #expect(peer.text.contains("\r\nProxy-Authorization: Basic bWU6cHc=\r\n"))
      #expect(!peer.text.lowercased().contains("proxy-connection"))
    }

    @Test func aSecureRequestIsTunnelled() async throws {
      let peer = try WireServer { try $0.answer("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n") }
      defer { peer.stop() }
      var connections = ConnectionOptions()
      connections.proxy = .server(Proxy(.http, host: "127.0.0.1", port: peer.port))
      try await withClient(CURLTransport(connections: connections), base: "https://origin.example/") {
        client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.kind == .proxyRefused)
        #expect(error?.message.contains("CONNECT origin.example:443 with 403 Forbidden") == true)
        #expect(error?.requestMayHaveBeenSent == false)
      }
      #expect(peer.text == "CONNECT origin.example:443 HTTP/1.1\r\nHost: origin.example:443\r\n\r\n")
    }

    /// A handle is used again for requests through other proxies of the environment.
    @Test func aProxyNeverGetsAnotherProxysPassword() async throws {
      let peer = try WireServer { wire in
        while true {
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
      }
      defer { peer.stop() }
      for (user, password) in [("me", "pw"), ("me", nil), (nil, nil)] as [(String?, String?)] {
        var connections = ConnectionOptions()
        connections.proxy = .server(
          Proxy(.http, host: "127.0.0.1", port: peer.port, user: user, password: password)
        )
        try await withClient(CURLTransport(connections: connections), base: "http://origin.example/") {
          _ = try await $0.send(.get(""))
        }
      }
      let sent = peer.requests.map { $0.values(of: "Proxy-Authorization") }
      #expect(sent == [["Basic bWU6cHc="], ["Basic bWU6"], []])
    }

    @Test func aProxyThatOnlyTakesDigestIsNamed() async throws {
      let peer = try WireServer { wire in
        let challenge = "Digest realm=\"d\", nonce=\"n\", qop=\"auth\""
        try wire.answer("HTTP/1.1 407 Who\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
      }
      defer { peer.stop() }
      var connections = ConnectionOptions()
      connections.proxy = .server(
        Proxy(.http, host: "127.0.0.1", port: peer.port, user: "me", password: "pw")
      )
      try await withClient(CURLTransport(connections: connections), base: "https://origin.example/") {
        client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.kind == .proxyRefused)
        #expect(error?.message.hasSuffix("offers Digest") == true, "\(error as Any)")
        #expect(error?.advice?.hasPrefix("use Digest for the proxy") == true)
      }
    }

    @Test func socksResolvesAtTheProxyIfAsked() async throws {
      let peer = try WireServer { connection in
        let greeting = try connection.read(2)
        #expect(greeting.first == 5)
        _ = try connection.read(Int(greeting[1]))
        try connection.send([5, 0])
        let request = try connection.read(4 + 1 + 14 + 2)
        #expect(Array(request[..<5]) == [5, 1, 0, 3, 14])
        #expect(String(decoding: request[5..<19], as: UTF8.self) == "origin.example")
        try connection.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
        try connection.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
      }
      defer { peer.stop() }
      var connections = ConnectionOptions()
      connections.proxy = .server(Proxy(.socks5h, host: "127.0.0.1", port: peer.port))
      try await withClient(CURLTransport(connections: connections), base: "http://origin.example/") {
        client in
        let value1 = try await client.value(for: .get(""), as: .text)
        #expect(value1 == "hi")
      }
      #expect(peer.text.contains("GET / HTTP/1.1\r\nHost: origin.example\r\n"))
    }
  }
#endif
