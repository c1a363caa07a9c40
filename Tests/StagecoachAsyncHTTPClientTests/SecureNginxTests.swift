#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import TestSupport
  import Testing

  /// TLS, client certificates, HTTP/2 and Unix sockets with a server that is not ours.
  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct SecureNginxTests {
    private static let who = """
      location = /who { return 200 "$ssl_client_verify $ssl_client_s_dn"; }
      location = /host { return 200 "$http_host"; }
      location = /address { return 200 "$remote_addr"; }
      location = /version { return 200 "$ssl_protocol $server_protocol"; }
      """

    private func withNginx(
      directives: String = who,
      protocols: String = "TLSv1.2 TLSv1.3",
      trust: Trust? = nil,
      _ change: (inout ConnectionOptions, Nginx) -> Void = { _, _ in },
      _ body: (Nginx, Client) async throws -> Void
    ) async throws {
      let nginx = try Nginx(
        directives: directives,
        files: ["client.pem": TestCertificates.client],
        protocols: protocols
      )
      var connections = ConnectionOptions()
      change(&connections, nginx)
      let transport = AsyncHTTPClientTransport(connections: connections, trust: try trust ?? .tests())
      let client = try Client(bare(transport))
      do {
        try await nginx.isListening()
        try await body(nginx, client)
      } catch {
        Issue.record(error)
      }
      await client.pipeline.shutdown()
      nginx.stop()
    }

    // MARK: Targets

    /// Escapes that are not UTF-8 too, of which the URL type of the engine makes a slash.
    @Test func targetsArriveOctetForOctetOverHTTP2() async throws {
      let echo = #"location / { return 200 "$request_method $request_uri $server_protocol"; }"#
      try await withNginx(directives: echo) { nginx, client in
        for target in ["caf%E9", "%C3/", "caf%e9?q=%FF&r=%c3", "a%2Fb//c", "a?", "?%e9"] {
          let request = Request(.delete, nginx.secureURL + target)
          let seen = try await client.value(for: request, as: .text)
          #expect(seen == "DELETE /\(target) HTTP/2.0")
        }
      }
    }

    // MARK: Client certificates

    private static let asking = """
      ssl_client_certificate client.pem; ssl_verify_client optional;
      \(who)
      """

    private static func identity() throws -> ClientIdentity {
      try ClientIdentity(chainPEM: TestCertificates.client, privateKeyPEM: TestCertificates.clientKey)
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"])
    func aClientShowsItsCertificate(version: String) async throws {
      var trust = try Trust.tests()
      trust.identity = try Self.identity()
      try await withNginx(directives: Self.asking, protocols: version, trust: trust) { nginx, client in
        let shown = try await client.get("\(nginx.secureURL)who", as: .text)
        #expect(shown == "SUCCESS CN=stagecoach-client")
        var request = Request.get("\(nginx.secureURL)who")
        request.options.trust = try Trust.tests()
        let hidden = try await client.value(for: request, as: .text)
        #expect(hidden == "NONE ")
      }
    }

    @Test func aServerThatDemandsACertificateSaysSoInItsResponse() async throws {
      let demanding = Self.asking.replacing("optional", with: "on")
      try await withNginx(directives: demanding) { nginx, client in
        let error = await exchangeError { try await client.get("\(nginx.secureURL)who", as: .data) }
        #expect(error?.kind == .status)
        #expect(error?.response?.status.code == 400)
      }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func aServerThatEndsTheHandshakeForWantOfACertificateIsAnAlert(version: String) async throws {
      let openssl = try #require(
        ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first(
          where: FileManager.default.isExecutableFile(atPath:)
        )
      )
      let folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-openssl-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let identity = folder.appending(path: "server.pem")
      try Data("\(TestCertificates.server)\n\(TestCertificates.serverKey)\n".utf8).write(to: identity)
      let port = try freePort()
      let server = try ChildProcess([
        openssl, "s_server", "-accept", "127.0.0.1:\(port)", "-cert", identity.path, version, "-Verify", "1",
        "-verify_return_error", "-quiet", "-www",
      ])
      defer { server.stop() }
      let client = try Client(bare(AsyncHTTPClientTransport(trust: .tests())))
      var error: ExchangeError?
      for _ in 0..<500 {
        error = await exchangeError { try await client.get("https://localhost:\(port)/", as: .data) }
        guard error?.kind == .connectionRefused else { break }
        try await Task.sleep(for: .milliseconds(10))
      }
      await client.pipeline.shutdown()
      #expect(error?.kind == .tls(.alert), "\(error.map { "\($0)" } ?? "")")
    }

    @Test func aRedirectTakesTheCertificateOfARequestToNoOtherOrigin() async throws {
      let redirecting = """
        \(Self.asking)
        location = /go { return 302 /who; }
        location = /away { return 302 https://127.0.0.1:$server_port/who; }
        """
      try await withNginx(directives: redirecting) { nginx, _ in
        let transport = AsyncHTTPClientTransport(trust: try .tests())
        let client = try Client(over: transport, base: nginx.secureURL)
        var trust = try Trust.tests()
        trust.identity = try Self.identity()
        for (path, shown) in [("go", "SUCCESS CN=stagecoach-client"), ("away", "NONE ")] {
          var request = Request.get(path)
          request.options.trust = trust
          let text = try? await client.value(for: request, as: .text)
          #expect(text == shown)
        }
        await client.pipeline.shutdown()
      }
    }

    // MARK: Versions

    @Test func theOldestVersionIsKept() async throws {
      var trust = try Trust.tests()
      trust.minimumVersion = .tls13
      try await withNginx(protocols: "TLSv1.2", trust: trust) { nginx, client in
        let error = await exchangeError { try await client.get("\(nginx.secureURL)version", as: .data) }
        #expect(error?.kind == .tls(.handshake), "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.contains("version of TLS") == true)
      }
    }

    @Test func theNewestVersionIsKept() async throws {
      var trust = try Trust.tests()
      trust.maximumVersion = .tls12
      try await withNginx(trust: trust) { nginx, client in
        let text = try await client.get("\(nginx.secureURL)version", as: .text)
        #expect(text == "TLSv1.2 HTTP/2.0")
      }
    }

    // MARK: HTTP/2

    @Test func http2TellsOfItsConnection() async throws {
      try await withNginx { nginx, client in
        let first = try await client.send(.get("\(nginx.secureURL)a.json"))
        _ = try await first.body.collect(upTo: 1000)
        let second = try await client.send(.get("\(nginx.secureURL)a.json"))
        _ = try await second.body.collect(upTo: 1000)
        #expect(first.version == HTTPVersion(major: 2, minor: 0))
        #expect(first.connection?.applicationProtocol == "h2")
        #expect(first.connection?.isReused == false)
        #expect(first.connection?.connecting.map { $0 > .zero } == true)
        #expect(second.connection?.isReused == true)
        #expect(second.connection?.connecting == nil)
        #expect(first.connection?.remoteAddress == second.connection?.remoteAddress)
      }
    }

    @Test func http2HasTrailers() async throws {
      try await withNginx(directives: #"location = /a.txt { add_trailer X-Late "é"; }"#) { nginx, client in
        var request = Request.post("\(nginx.secureURL)a.txt")
        request.body = .stream(length: nil, trailers: { [.eTag: "x"] }) {
          AsyncStream<Bytes> {
            $0.yield("abc")
            $0.finish()
          }
        }
        // A static file is for GET, and what is sent with it is read.
        request.method = .get
        let response = try await client.send(request)
        #expect(response.version == HTTPVersion(major: 2, minor: 0))
        #expect(try await response.body.collect(upTo: 10) == "hello")
        #expect(response.body.trailers?[try #require(HTTPField.Name("X-Late"))] == "é")
      }
    }

    @Test func onlyHTTP1IsSpokenWhereOnlyThatIsAllowed() async throws {
      try await withNginx { connections, _ in
        connections.versions = .http1
      } _: { nginx, client in
        let response = try await client.send(.get("\(nginx.secureURL)a.json"))
        #expect(response.version == HTTPVersion(major: 1, minor: 1))
        #expect(response.connection?.applicationProtocol == nil)
        #expect(response.connection?.isReused == false)
        _ = try await response.body.collect(upTo: 1000)
      }
    }

    @Test func aWrongPinFailsOverHTTP2WithoutARequest() async throws {
      let trust = try Trust.tests(pins: [.key(of: TestCertificates.client)])
      try await withNginx(trust: trust) { nginx, client in
        let before = try nginx.log().count
        for _ in 0..<3 {
          let error = await exchangeError { try await client.get("\(nginx.secureURL)a.json", as: .data) }
          #expect(error?.kind == .tls(.pinMismatch))
        }
        var request = Request.get("\(nginx.secureURL)a.json")
        request.options.trust = try .tests(pins: [.key(of: TestCertificates.server)])
        let response = try await client.send(request)
        #expect(response.version == HTTPVersion(major: 2, minor: 0))
        _ = try await response.body.collect(upTo: 1000)
        let after = try nginx.log().count
        #expect(after == before + 1)
      }
    }

    /// Each trust has connections of its own, and the transport those of 32 besides its own.
    @Test func theConnectionsOfManyTrustsDoNotPileUp() async throws {
      try await withNginx { nginx, client in
        for number in UInt8(0)..<40 {
          var request = Request.get("\(nginx.secureURL)a.json")
          request.options.trust = try .tests(pins: [
            .key(of: TestCertificates.server),
            Pin(publicKeySHA256: [UInt8](repeating: number, count: 32)),
          ])
          _ = try await client.value(for: request, as: .data)
        }
        let port = try #require(URL(string: nginx.secureURL)?.port)
        try await eventually { (try? connections(to: port)) ?? 99 <= 33 }
      }
    }

    // MARK: Addresses

    @Test func aUnixSocketIsReachedUnderTheNameOfTheHost() async throws {
      try await withNginx { connections, nginx in
        connections.unixSocket = nginx.unixSocket
      } _: { nginx, client in
        let host = try await client.get("http://example.com:8080/host", as: .text)
        #expect(host == "example.com:8080")
        let response = try await client.send(.get("http://example.com/a.json"))
        #expect(response.connection?.remoteAddress == nginx.unixSocket)
        #expect(response.connection?.isReused == true)
        _ = try await response.body.collect(upTo: 1000)
        let error = await exchangeError { try await client.get("https://localhost/host", as: .data) }
        #expect(error?.kind == .unsupported)
      }
    }

    @Test func aConnectionComesFromTheGivenAddress() async throws {
      try await withNginx { connections, _ in
        connections.localAddress = "127.0.0.2"
      } _: { nginx, client in
        let address = try await client.get("\(nginx.url)address", as: .text)
        #expect(address == "127.0.0.2")
      }
    }

    @Test func anAddressOverrideKeepsTheNameForTLS() async throws {
      try await withNginx { connections, _ in
        connections.addresses = ["other.example": "127.0.0.1", "localhost": "127.0.0.1"]
      } _: { nginx, client in
        let url = nginx.secureURL.replacing("localhost", with: "LOCALHOST")
        let upper = try await client.get("\(url)host", as: .text)
        #expect(upper.hasPrefix("localhost"))
        let other = nginx.secureURL.replacing("localhost", with: "other.example")
        let error = await exchangeError { try await client.get("\(other)host", as: .data) }
        #expect(error?.kind == .tls(.hostMismatch))
        let plain = nginx.url.replacing("127.0.0.1", with: "other.example")
        let overridden = try await client.get("\(plain)host", as: .text)
        #expect(overridden.hasPrefix("other.example:"))
      }
    }
  }
#endif
