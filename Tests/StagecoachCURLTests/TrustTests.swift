#if CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import Synchronization
  import TestSupport
  import Testing

  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct TrustTests {
    private static func roots() throws -> Trust.Roots { .only(try Certificate.fromPEM(TestPKI.root)) }

    /// The text behind a URL, or what was thrown.
    private func fetch(
      _ url: String,
      _ trust: Trust,
      connections: ConnectionOptions = ConnectionOptions()
    ) async throws -> (text: String, version: HTTPVersion?, connection: ConnectionInfo?) {
      try await withClient(CURLTransport(connections: connections, trust: trust), base: url) { client in
        let response = try await client.send(.get("a.txt"))
        let text = String(decoding: try await response.body.collect(upTo: 1000))
        return (text, response.version, response.connection)
      }
    }

    @Test func givenRootsAreTrustedAndTheSystemsAreNot() async throws {
      try await withNginx { nginx in
        let result = try await fetch(nginx.secureURL, Trust(roots: Self.roots()))
        #expect(result.text == "hello")
        let hasHTTP2 = CURLTransport().capabilities.contains(.http2)
        #expect(result.version == (hasHTTP2 ? .http2 : .http11))
        #expect(result.connection?.applicationProtocol == (hasHTTP2 ? "h2" : nil))
        #expect(result.connection?.isReused == false)
        #expect(result.connection?.tlsHandshake.map { $0 > .zero } == true)
        #expect(result.connection?.connecting != nil)
        let untrusted = await exchangeError { try await fetch(nginx.secureURL, Trust()) }
        #expect(untrusted?.kind == .tls(.untrusted))
        #expect(untrusted?.requestMayHaveBeenSent == false)
        let nobody = await exchangeError { try await fetch(nginx.secureURL, Trust(roots: .only([]))) }
        #expect(nobody?.kind == .tls(.untrusted))
      }
    }

    @Test func aRefusalNamesItsReason() async throws {
      let trust = Trust(roots: try Self.roots())
      try await withNginx((TestPKI.other, TestPKI.otherKey)) { nginx in
        let error = await exchangeError { try await fetch(nginx.secureURL, trust) }
        #expect(error?.kind == .tls(.hostMismatch))
        // A name that holds a word of another failure.
        var connections = ConnectionOptions()
        connections.addresses = ["expired.example": "127.0.0.1"]
        let url = nginx.secureURL.replacing("127.0.0.1", with: "expired.example")
          .replacing("localhost", with: "expired.example")
        let named = await exchangeError { try await fetch(url, trust, connections: connections) }
        #expect(named?.kind == .tls(.hostMismatch))
        var none = trust
        none.verification = .noneForTesting
        let value2 = try await fetch(nginx.secureURL, none).text
        #expect(value2 == "hello")
      }
      try await withNginx((TestPKI.expired, TestPKI.expiredKey)) { nginx in
        let error = await exchangeError { try await fetch(nginx.secureURL, trust) }
        #expect(error?.kind == .tls(.expired))
      }
    }

    @Test func aPinOfTheServerIsMet() async throws {
      let pin = try Certificate.fromPEM(TestPKI.server)[0].publicKeyPin
      try await withNginx { nginx in
        let value3 = try await fetch(nginx.secureURL, Trust(roots: Self.roots(), pins: [pin])).text
        #expect(value3 == "hello")
      }
    }

    /// Whoever has a certificate of any authority could show the pinned one beside it.
    @Test func aPinOfWhatIsShownBesideIsNotMet() async throws {
      let pin = try Certificate.fromPEM(TestPKI.intermediate)[0].publicKeyPin
      try await withNginx { nginx in
        let trust = Trust(roots: try Self.roots(), pins: [pin])
        let error = await exchangeError { try await fetch(nginx.secureURL, trust) }
        #expect(error?.kind == .tls(.pinMismatch))
      }
    }

    @Test(arguments: [HTTPVersions.http1, [.http1, .http2]])
    func sendsNothingToAPeerThatIsNotPinned(versions: HTTPVersions) async throws {
      let pin = try Certificate.fromPEM(TestPKI.other)[0].publicKeyPin
      var connections = ConnectionOptions()
      connections.versions = versions
      try await withNginx { nginx in
        let trust = Trust(roots: try Self.roots(), pins: [pin])
        try await withClient(CURLTransport(connections: connections, trust: trust), base: nginx.secureURL) {
          client in
          await withTaskGroup { group in
            for _ in 0..<20 {
              group.addTask {
                let error = await exchangeError { try await client.send(.get("a.txt")) }
                #expect(error?.kind == .tls(.pinMismatch))
                #expect(error?.requestMayHaveBeenSent == false)
              }
            }
          }
        }
        #expect(try nginx.log().isEmpty)
      }
    }

    @Test func anEvaluationMayRefuse() async throws {
      struct No: Error {}
      try await withNginx { nginx in
        var trust = Trust(roots: try Self.roots())
        let seen = Mutex<[String]>([])
        trust.evaluation = Trust.Evaluation { peer in
          seen.withLock { $0 = [peer.host] + peer.chain.map(\.subject) }
          throw No()
        }
        let error = await exchangeError { [trust] in try await fetch(nginx.secureURL, trust) }
        #expect(error?.kind == .tls(.refused))
        #expect(error?.underlying is No)
        #expect(seen.withLock { $0 } == ["localhost", "server"])
      }
    }

    @Test func aConnectionIsNotSharedBetweenTrusts() async throws {
      let wrong = try Certificate.fromPEM(TestPKI.other)[0].publicKeyPin
      try await withNginx { nginx in
        let trust = Trust(roots: try Self.roots())
        try await withClient(CURLTransport(trust: trust), base: nginx.secureURL) { client in
          _ = try await client.value(for: .get("a.txt"), as: .text)
          let again = try await client.send(.get("a.txt"))
          #expect(again.connection?.isReused == true)
          _ = try await again.body.collect(upTo: 100)
          var request = Request.get("a.txt")
          request.options.trust = Trust(roots: trust.roots, pins: [wrong])
          let refused = request
          let error = await exchangeError { try await client.send(refused) }
          #expect(error?.kind == .tls(.pinMismatch))
        }
      }
    }

    @Test func aDumpShowsNoSecretOfTheTransport() async throws {
      var connections = ConnectionOptions()
      connections.proxy = .server(try Proxy("http://ada:hunter2@127.0.0.1:1"))
      let identity = try ClientIdentity(chainPEM: TestPKI.client, privateKeyPEM: TestPKI.clientKey)
      let transport = CURLTransport(connections: connections, trust: Trust(identity: identity))
      for value in [transport, Pipeline(over: transport, stages: []), [transport]] as [Any] {
        var text = "\(value)"
        dump(value, to: &text)
        for secret in ["hunter2", "YWRhOmh1bnRlcjI", "PRIVATE KEY"] { #expect(!text.contains(secret)) }
      }
      await transport.shutdown()
    }

    @Test func sendsTheClientsCertificate() async throws {
      try await withNginx(
        directives:
          "ssl_client_certificate root.pem; ssl_verify_client on; location /who { return 200 $ssl_client_s_dn; }"
      ) { nginx in
        let identity = try ClientIdentity(chainPEM: TestPKI.client, privateKeyPEM: TestPKI.clientKey)
        let trust = Trust(roots: try Self.roots(), identity: identity)
        try await withClient(CURLTransport(trust: trust), base: nginx.secureURL) { client in
          let value4 = try await client.value(for: .get("who"), as: .text)
          #expect(value4 == "CN=client")
        }
        try await withClient(CURLTransport(trust: Trust(roots: trust.roots)), base: nginx.secureURL) {
          client in
          let error = await exchangeError { try await client.send(.get("who")) }
          #expect(error?.response?.status.code == 400)
        }
      }
    }

    @Test func versionsOfTLSAreBounded() async throws {
      try await withNginx(protocols: "TLSv1.2") { nginx in
        var trust = Trust(roots: try Self.roots())
        let value5 = try await fetch(nginx.secureURL, trust).text
        #expect(value5 == "hello")
        trust.minimumVersion = .tls13
        let error = await exchangeError { [trust] in try await fetch(nginx.secureURL, trust) }
        #expect(error?.kind == .tls(.alert))
      }
    }

    @Test func aUnixSocketIsConnectedTo() async throws {
      try await withNginx { nginx in
        var connections = ConnectionOptions()
        connections.unixSocket = nginx.unixSocket
        let value6 = try await fetch("http://anything.example/", Trust(), connections: connections).text
        #expect(value6 == "hello")
      }
    }

    @Test func manyRequestsShareConnections() async throws {
      try await withNginx { nginx in
        let events = EventLog()
        let transport = CURLTransport(trust: Trust(roots: try Self.roots()))
        let version: HTTPVersion = transport.capabilities.contains(.http2) ? .http2 : .http11
        try await withClient(transport, base: nginx.secureURL, monitors: [events]) { client in
          try await withThrowingTaskGroup(of: DecodedResponse<String>.self) { group in
            for _ in 0..<200 { group.addTask { try await client.response(for: .get("a.txt"), as: .text) } }
            for try await response in group {
              #expect(response.value == "hello")
              #expect(response.version == version)
            }
          }
        }
        let made = events.kinds.count {
          if case .connection(.acquired(let info)) = $0 { info.isReused == false } else { false }
        }
        #expect(made <= 8)
      }
    }
  }
#endif
