#if CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import Synchronization
  import TestSupport
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

    private func withSquid(
      _ access: Squid.Guard,
      nonceUses: Int = 3,
      _ body: (Squid, Nginx) async throws -> Void
    ) async throws {
      let squid = try Squid(access, nonceUses: nonceUses)
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
        let client = try Client(Pipeline.standard(over: transport))
        for url in [nginx.secureURL, "https://b.invalid/"] {
          let error = await exchangeError { try await client.send(.get("\(url)a.txt")) }
          #expect(error?.kind == .proxyRefused)
          #expect(error?.response?.status == .proxyAuthenticationRequired)
          #expect(error?.requestMayHaveBeenSent == false)
          #expect(error?.attempts == 1)
        }
        await client.pipeline.shutdown()
        #expect(try nginx.log().isEmpty)
        // Once each; with Digest after a challenge.
        let count = access == .digest ? 2 : 1
        try await eventually { (try? squid.log().count { $0.contains("b.invalid") }) == count }
        #expect(try squid.log().count == 2 * count)
      }
    }

    @Test func aProxyThatWantsBasicGetsNothingWhereDigestIsAskedFor() async throws {
      try await withSquid(.basic) { squid, nginx in
        let transport = try transport(through: proxy(squid, .digest))
        try await withClient(transport, base: nginx.url) { client in
          let error = await exchangeError { try await client.send(.get("a.txt")) }
          #expect(error?.kind == .proxyRefused)
          #expect(error?.message.contains("offers Basic") == true)
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
        let client = try Client(pipeline, base: nginx.url)
        for _ in 0..<8 {
          let text = try await client.get("a.txt", as: .text)
          #expect(text == "hello")
        }
        await client.pipeline.shutdown()
        #expect(try nginx.log().count == 8)
      }
    }

    /// Notes the counts that nonces are sent with.
    private final class Counts: Middleware {
      private let counts = Mutex<[String: [Int]]>([:])

      /// Those since the last call, by nonce, in the order in which they were sent.
      func take() -> [[Int]] {
        counts.withLock { counts in
          defer { counts = [:] }
          return Array(counts.values)
        }
      }

      func handle(_ request: Request, next: Next) async throws -> Response {
        let sent = request.fields[.proxyAuthorization].flatMap {
          AuthenticationChallenge.parse($0).challenges.first
        }
        if let nonce = sent?[parameter: "nonce"],
          let count = sent?[parameter: "nc"].flatMap({ Int($0, radix: 16) })
        {
          counts.withLock { $0[nonce, default: []].append(count) }
        }
        return try await next(request)
      }
    }

    @Test func manyRequestsEachHaveTheirNonceCount() async throws {
      try await withSquid(.digest, nonceUses: 1000) { squid, nginx in
        var stage = Authentication(proxy: proxy(squid, .digest))
        stage.schemes = [DigestScheme()]
        let counts = Counts()
        let pipeline = Pipeline(over: try transport(through: proxy(squid, .nobody))) { [stage] in
          Validation()
          stage
          counts
        }
        let client = try Client(pipeline, base: nginx.url)
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 0..<200 { group.addTask { try await client.get("a.txt", as: .text) } }
          for try await text in group { #expect(text == "hello") }
        }
        #expect(try nginx.log().count == 200)
        // None is taken twice, nor left out.
        for sent in counts.take() { #expect(sent.sorted() == Array(1...sent.count)) }
        for _ in 0..<20 { #expect(try await client.get("a.txt", as: .text) == "hello") }
        await client.pipeline.shutdown()
        // One after the other, they rise on the wire.
        let later = counts.take()
        #expect(later.joined().count >= 20)
        for sent in later { #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 < $1 }) }
      }
    }

    /// Each over a connection of its own, which the proxy asks who wants it.
    @Test(arguments: [Squid.Guard.basic, .digest])
    func opensManyTunnelsConcurrently(access: Squid.Guard) async throws {
      try await withSquid(access) { squid, nginx in
        let transport = try transport(through: proxy(squid, access))
        try await withClient(transport, base: nginx.secureURL) { client in
          var request = Request.get("a.txt")
          request.options.networkUse = NetworkUse()
          request.options.networkUse?.newConnection = true
          for _ in 0..<10 {
            try await withThrowingTaskGroup(of: String.self) { group in
              for _ in 0..<20 {
                group.addTask { [request] in try await client.value(for: request, as: .text) }
              }
              for try await text in group { #expect(text == "hello") }
            }
          }
        }
        #expect(try nginx.log().count == 200)
      }
    }
  }
#endif
