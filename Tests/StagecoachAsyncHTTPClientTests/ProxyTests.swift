#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// Through proxies: squid's, and one of SOCKS by a script.
  @Suite struct ProxyTests {
    private func client(through proxy: Proxy) throws -> Client {
      var connections = ConnectionOptions()
      connections.proxy = .server(proxy)
      let transport = AsyncHTTPClientTransport(connections: connections, trust: try .tests())
      return try Client(bare(transport))
    }

    private func withSquid(
      _ access: Squid.Guard = .nobody,
      user: String? = nil,
      password: String? = nil,
      _ body: (Client) async throws -> Void
    ) async throws {
      let squid = try Squid(access)
      defer { squid.stop() }
      try await squid.isListening()
      let proxy = Proxy(.http, host: "127.0.0.1", port: squid.port, user: user, password: password)
      let client = try client(through: proxy)
      try await body(client)
      await client.pipeline.shutdown()
    }

    @Suite(.enabled(if: Squid.executable != nil, "squid is not installed: these tests are not run"))
    struct SquidTests {
      @Test(arguments: [Squid.Guard.nobody, .basic])
      func aTunnelLeadsToTheOrigin(access: Squid.Guard) async throws {
        let tests = ProxyTests()
        let origin = try await Origin.start()
        var configuration = Origin.Configuration()
        configuration.tls = .init(
          certificateChain: .pem(TestCertificates.server),
          privateKey: .pem(TestCertificates.serverKey)
        )
        let secure = try await Origin.start(configuration)
        let user = access == .basic ? "driver" : nil
        try await tests.withSquid(access, user: user, password: "secret") { client in
          for url in ["\(origin.url)/json", "https://localhost:\(secure.port)/json"] {
            for _ in 0..<2 {
              let content = try await client.get(url, as: .data)
              #expect(content.count > 0)
            }
          }
        }
        #expect(origin.acceptedConnections == 1)
        #expect(secure.acceptedConnections == 1)
        // What is for the proxy stays there.
        for request in origin.requests + secure.requests {
          #expect(!request.fields.contains { $0.name.lowercased().hasPrefix("proxy-") })
        }
        try await origin.stop()
        try await secure.stop()
      }

      @Test func manyRequestsGetThrough() async throws {
        let origin = try await Origin.start()
        var configuration = Origin.Configuration()
        configuration.tls = .init(
          certificateChain: .pem(TestCertificates.server),
          privateKey: .pem(TestCertificates.serverKey)
        )
        let secure = try await Origin.start(configuration)
        try await ProxyTests().withSquid(.basic, user: "driver", password: "secret") { client in
          try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
              let url = number % 2 == 0 ? origin.url : "https://localhost:\(secure.port)"
              group.addTask { try await client.response(for: .get("\(url)/json"), as: .data).status.code }
            }
            for try await status in group { #expect(status == 200) }
          }
        }
        #expect(origin.requests.count == 100 && secure.requests.count == 100)
        try await origin.stop()
        try await secure.stop()
      }

      @Test func aCertificateForAnotherNameIsRefusedBehindAProxyToo() async throws {
        var configuration = Origin.Configuration()
        configuration.tls = .init(
          certificateChain: .pem(TestCertificates.other),
          privateKey: .pem(TestCertificates.otherKey)
        )
        let origin = try await Origin.start(configuration)
        try await ProxyTests().withSquid { client in
          let error = await exchangeError {
            try await client.get("https://localhost:\(origin.port)/json", as: .data)
          }
          #expect(error?.kind == .tls(.hostMismatch))
        }
        #expect(origin.requests.isEmpty)
        try await origin.stop()
      }

      /// NIOSSL alone would take it: it names the address of the proxy.
      @Test func refusesTheProxysCertificateForTheHost() async throws {
        var configuration = Origin.Configuration()
        configuration.tls = .init(
          certificateChain: .pem(TestCertificates.server),
          privateKey: .pem(TestCertificates.serverKey)
        )
        let origin = try await Origin.start(configuration)
        try await ProxyTests().withSquid { client in
          let error = await exchangeError {
            try await client.get("https://elsewhere.test:\(origin.port)/json", as: .data)
          }
          #expect(error?.kind == .tls(.hostMismatch))
        }
        #expect(origin.requests.isEmpty)
        try await origin.stop()
      }

      @Test(arguments: [nil, "driver"])
      func aProxyThatWantsAPasswordRefuses(user: String?) async throws {
        let origin = try await Origin.start()
        try await ProxyTests().withSquid(.basic, user: user, password: "wrong") { client in
          let error = await exchangeError { try await client.get("\(origin.url)/json", as: .data) }
          #expect(error?.kind == .proxyRefused, "\(error.map { "\($0)" } ?? "")")
          #expect(error?.message.contains("proxy") == true)
          #expect(error?.response?.status == .proxyAuthenticationRequired)
          #expect(error?.requestMayHaveBeenSent == false)
        }
        #expect(origin.acceptedConnections == 0)
        try await origin.stop()
      }

      /// Squid's log has a line for each CONNECT.
      @Test func aWrongPasswordIsSentOnceByTheStandardPipeline() async throws {
        let squid = try Squid(.basic)
        defer { squid.stop() }
        try await squid.isListening()
        var connections = ConnectionOptions()
        connections.proxy = .server(
          Proxy(.http, host: "127.0.0.1", port: squid.port, user: "driver", password: "wrong")
        )
        let pipeline = Pipeline.standard(over: AsyncHTTPClientTransport(connections: connections))
        let client = try Client(pipeline)
        // The second request ends after all of the first.
        for host in ["a.invalid", "b.invalid"] {
          for scheme in ["http", "https"] {
            let error = await exchangeError { try await client.send(.get("\(scheme)://\(host)/")) }
            #expect(error?.kind == .proxyRefused)
            #expect(error?.attempts == 1)
          }
        }
        try await eventually { (try? squid.log().count { $0.contains("b.invalid") }) == 2 }
        #expect(try squid.log().count { $0.contains("a.invalid") } == 2)
        #expect(try squid.log().allSatisfy { $0.contains("/407 ") && $0.contains("CONNECT") })
        await client.pipeline.shutdown()
      }

      /// The engine's tunnels are for http too: whoever asks in one is an origin.
      @Test func a407InATunnelIsFinal() async throws {
        let asking = try await Origin.start()
        let other = try await Origin.start()
        let squid = try Squid(.nobody)
        defer { squid.stop() }
        try await squid.isListening()
        var connections = ConnectionOptions()
        connections.proxy = .server(Proxy(.http, host: "127.0.0.1", port: squid.port))
        let proxy = Proxy(.http, host: "127.0.0.1", port: squid.port, user: "driver", password: "secret")
        let pipeline = Pipeline(over: AsyncHTTPClientTransport(connections: connections)) {
          Redirects()
          Authentication(proxy: proxy)
        }
        let client = try Client(pipeline)
        let target = "\(asking.url)/proxy-auth/driver/secret"
        for url in [target, target, "\(other.url)/redirect/302?to=\(target)", "\(other.url)/echo"] {
          let status = try await client.send(.get(url)).status
          #expect(status == (url.hasSuffix("/echo") ? .ok : .proxyAuthenticationRequired))
        }
        #expect(asking.requests.count == 3 && other.requests.count == 2)
        for request in asking.requests + other.requests { #expect(request["Proxy-Authorization"] == nil) }
        await client.pipeline.shutdown()
        try await asking.stop()
        try await other.stop()
      }

      @Test func anOriginThatTheProxyDoesNotReachFails() async throws {
        let port = try freePort()
        try await ProxyTests().withSquid { client in
          let error = await exchangeError { try await client.get("http://127.0.0.1:\(port)/", as: .data) }
          // Squid answers 503, which the engine does not tell from a refusal.
          #expect(error?.kind == .proxyRefused)
          #expect(error?.message.contains("proxy") == true)
        }
      }
    }

    @Test func aMissingProxyIsARefusedConnection() async throws {
      let client = try client(through: Proxy(.http, host: "127.0.0.1", port: try freePort()))
      let error = await exchangeError { try await client.get("http://localhost/", as: .data) }
      #expect(error?.kind == .connectionRefused)
      #expect(error?.message.contains("the proxy http://127.0.0.1:") == true)
      #expect(error?.advice?.contains("proxy") == true)
      await client.pipeline.shutdown()
    }

    /// Nobody listens there, which it would be the first to find out.
    @Test func aProxyThatWantsDigestIsNotSupported() async throws {
      var proxy = Proxy(.http, host: "127.0.0.1", port: try freePort(), user: "driver", password: "secret")
      proxy.authentication = .digest
      let client = try client(through: proxy)
      let error = await exchangeError { try await client.get("http://localhost/", as: .data) }
      #expect(error?.kind == .unsupported)
      await client.pipeline.shutdown()
    }

    @Test(arguments: [Proxy.Kind.socks5, .socks5h])
    func aSOCKSProxyIsAskedForTheName(kind: Proxy.Kind) async throws {
      let name = "stagecoach.invalid"
      let peer = try WireServer { wire in
        _ = try wire.read(3)
        try wire.send([5, 0])
        // Version, command, reserved, type, length, name, port.
        _ = try wire.read(5 + name.utf8.count + 2)
        try wire.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        try wire.hold()
      }
      defer { peer.stop() }
      let client = try client(through: Proxy(kind, host: "127.0.0.1", port: peer.port))
      let text = try await client.get("http://\(name):81/", as: .text)
      #expect(text == "ok")
      await client.pipeline.shutdown()
    }
  }
#endif
