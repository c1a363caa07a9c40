#if CURL
  import Stagecoach
  import StagecoachCURL
  import TestServers
  import Testing

  /// Through squid, which wants to know who one is, to nginx.
  @Suite(
    .enabled(
      if: Squid.executable != nil && Nginx.executable != nil,
      "squid or nginx is not installed: these tests are not run"
    )
  )
  struct SquidTests {
    private func proxy(_ squid: Squid, _ access: Squid.Guard, password: String = "secret") -> Proxy {
      var proxy = Proxy(.http, host: "127.0.0.1", port: squid.port)
      if access != .nobody { (proxy.user, proxy.password) = ("driver", password) }
      if access == .digest { proxy.authentication = .digest }
      return proxy
    }

    private func transport(through proxy: Proxy) throws -> CURLTransport {
      var connections = ConnectionOptions()
      connections.proxy = .server(proxy)
      return CURLTransport(
        connections: connections,
        trust: Trust(roots: .only(try Certificate.fromPEM(TestPKI.root)))
      )
    }

    private func withSquid(_ access: Squid.Guard, _ body: (Squid, Nginx) async throws -> Void) async throws {
      let squid = try Squid(access)
      defer { squid.stop() }
      try await squid.isListening()
      try await withNginx { try await body(squid, $0) }
    }

    @Test(arguments: Squid.Guard.allCases)
    func aProxyLeadsToTheOrigin(access: Squid.Guard) async throws {
      try await withSquid(access) { squid, nginx in
        let transport = try transport(through: proxy(squid, access))
        try await withClient(transport, base: nginx.url) { client in
          // More often than one nonce lasts.
          for _ in 0..<6 {
            for base in [nginx.url, nginx.secureURL] {
              let text = try await client.value(for: .get("\(base)a.txt"), as: .text)
              #expect(text == "hello")
            }
          }
        }
      }
    }

    @Test(arguments: [Squid.Guard.basic, .digest])
    func aWrongPasswordIsRefused(access: Squid.Guard) async throws {
      try await withSquid(access) { squid, nginx in
        let transport = try transport(through: proxy(squid, access, password: "wrong"))
        try await withClient(transport, base: nginx.secureURL) { client in
          let error = await exchangeError { try await client.send(.get("a.txt")) }
          #expect(error?.kind == .connectionFailed)
          #expect(error?.requestMayHaveBeenSent == false)
        }
        #expect(try nginx.log().isEmpty)
      }
    }

    @Test func aProxyThatWantsBasicGetsNothingWhereDigestIsAskedFor() async throws {
      try await withSquid(.basic) { squid, nginx in
        let transport = try transport(through: proxy(squid, .digest))
        try await withClient(transport, base: nginx.url) { client in
          let error = await exchangeError { try await client.send(.get("a.txt")) }
          #expect(error?.kind == .connectionFailed)
        }
        #expect(try nginx.log().isEmpty)
      }
    }

    /// Of http the stage answers for, with a transport that knows no name.
    @Test(arguments: [Squid.Guard.basic, .digest])
    func theStageAnswersTheProxy(access: Squid.Guard) async throws {
      try await withSquid(access) { squid, nginx in
        var stage = Authentication(proxy: proxy(squid, access))
        if access == .digest { stage.schemes = [DigestScheme()] }
        let pipeline = Pipeline(over: try transport(through: proxy(squid, .nobody))) {
          Validation()
          stage
        }
        let client = try Client(pipeline, base: nginx.url, ownsTransport: true)
        for _ in 0..<8 {
          let text = try await client.get("a.txt", as: .text)
          #expect(text == "hello")
        }
        await client.shutdown()
        #expect(try nginx.log().count == 8)
      }
    }
  }
#endif
