#if Tool
  import AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import NIOSSL
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// Peers that refuse, break off, lie or talk nonsense: each ends in a typed error.
  @Suite struct FailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
      let name: String
      let script: Script
      let kinds: [ExchangeError.Kind]
      var testDescription: String { name }

      init(_ name: String, _ script: @escaping Script, _ kinds: ExchangeError.Kind...) {
        self.name = name
        self.script = script
        self.kinds = kinds
      }
    }

    static let broken: [Case] = [
      Case("closes without an answer", { _ = try $0.readHead() }, .connectionReset),
      Case(
        "resets without an answer",
        { wire in
          try wire.readHead()
          wire.reset()
        },
        .connectionReset
      ),
      Case(
        "closes inside the status line",
        closing("HTTP/1.1 20"),
        .connectionReset,
        .protocolViolation
      ),
      Case("closes inside the fields", closing("HTTP/1.1 200 OK\r\nContent-Le"), .connectionReset),
      Case(
        "closes before Content-Length is reached",
        closing("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"),
        .incompleteBody
      ),
      Case(
        "resets inside the body",
        { wire in
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
          wire.pause(.milliseconds(50))
          wire.reset()
        },
        .connectionReset,
        .incompleteBody
      ),
      Case(
        "closes before the last chunk",
        closing("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
        .incompleteBody
      ),
      Case(
        "sends a bad chunk size",
        closing("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n"),
        .protocolViolation
      ),
      Case("talks another protocol", closing("SSH-2.0-OpenSSH_9.2\r\n"), .protocolViolation),
      Case("sends garbage", closing("\u{0}\u{1}\u{2}\u{3}garbage\r\n\r\n"), .protocolViolation),
      Case(
        "sends a space before a colon",
        closing("HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n"),
        .protocolViolation
      ),
      Case(
        "sends two different lengths",
        closing("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"),
        .protocolViolation
      ),
      Case(
        "sends a negative length",
        closing("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc"),
        .protocolViolation
      ),
      Case(
        "sends a status below 100",
        closing("HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n"),
        .protocolViolation
      ),
      Case(
        "sends a status of two digits",
        closing("HTTP/1.1 20 No\r\nContent-Length: 0\r\n\r\n"),
        .protocolViolation
      ),
      Case(
        "sends a status of zero, and content",
        closing("HTTP/1.1 000 No\r\nContent-Length: 3\r\n\r\nabc"),
        .protocolViolation
      ),
      Case(
        "sends more fields than the engine reads",
        holding("HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: a\r\n", count: 300)),
        .limit(.responseHead)
      ),
    ]

    /// Answers one request, and closes the connection under the next one.
    private static let closesUnderTheSecond: Script = { wire in
      try wire.readHead()
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      try wire.readHead()
    }

    @Test func aKeptConnectionThatDiesUnderARequestIsReported() async throws {
      try await withPeer(Self.closesUnderTheSecond) { peer, client in
        _ = try await client.send(.get(""))
        let error = await exchangeError { try await client.send(.post("", body: .bytes("once"))) }
        #expect(error?.kind == .connectionReset)
        #expect(error?.requestMayHaveBeenSent == true)
        #expect(error?.connectionWasReused == true)
        #expect(peer.connections.count == 1)
      }
      try await withPeer({ _ = try $0.readHead() }) { _, client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.connectionWasReused == false)
      }
    }

    @Test func aSafeRequestOnADeadKeptConnectionIsRepeatedWithoutDelay() async throws {
      let peer = try WireServer(serve: Self.closesUnderTheSecond)
      defer { peer.stop() }
      // On this clock no wait would end.
      let client = try Client(
        over: AsyncHTTPClientTransport(),
        base: peer.url,
        configuration: .init(clock: ManualTime())
      )
      for _ in 0..<2 { _ = try await client.send(.get("")) }
      #expect(peer.connections.count == 2)
      await client.pipeline.shutdown()
    }

    @Test(arguments: broken)
    func aBrokenPeerEndsInATypedError(_ broken: Case) async throws {
      try await withPeer(broken.script) { _, client in
        let error = await exchangeError { try await client.get("x", as: .data) }
        let kind = try #require(error?.kind)
        #expect(broken.kinds.contains(kind), "\(error.map { "\($0)" } ?? "")")
        #expect(error?.stage == "AsyncHTTPClient")
        #expect(error?.request?.path == "/x")
      }
    }

    @Test func whatCameBeforeABodyBrokeOffIsInTheError() async throws {
      try await withPeer(closing("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")) { _, client in
        let error = await exchangeError { try await client.get("x", as: .data) }
        #expect(error.map { String(decoding: $0.bodyPrefix) } == "short")
        #expect(error?.response?.status == .ok)
      }
    }

    @Test func aReaderGetsEveryByteBeforeTheError() async throws {
      try await withPeer(closing("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")) { _, client in
        let response = try await client.send(.get("x"))
        var text = ""
        let error = await exchangeError {
          for try await chunk in response.body { text += String(decoding: chunk) }
        }
        #expect(text == "short")
        #expect(error?.kind == .incompleteBody)
      }
    }

    @Test func aHeadBeyondTheRequestsOwnLimitIsRefused() async throws {
      let options = limits { $0.responseHeadLimits.bytes = 200 }
      let fields = String(repeating: "X-A: \(String(repeating: "a", count: 90))\r\n", count: 3)
      try await withPeer(closing("HTTP/1.1 200 OK\r\n\(fields)\r\n"), options: options) { _, client in
        let error = await exchangeError { try await client.get("x", as: .data) }
        #expect(error?.kind == .limit(.responseHead))
        #expect(error?.limit?.option == "responseHeadLimits.bytes")
      }
    }

    @Test func aRefusedConnectionFailsWithoutDelay() async throws {
      let url = "http://127.0.0.1:\(try freePort())"
      let client = try Client(bare(AsyncHTTPClientTransport()), base: url)
      let error = await exchangeError { try await client.get("x", as: .data) }
      #expect(error?.kind == .connectionRefused)
      #expect(error?.requestMayHaveBeenSent == false)
      #expect(error?.isTransient == true)
      await client.pipeline.shutdown()
    }

    @Test func anUnknownHostIsAFailureOfNameResolution() async throws {
      let client = try Client(bare(AsyncHTTPClientTransport()))
      let error = await exchangeError { try await client.get("http://no-such-host.invalid/", as: .data) }
      #expect(error?.kind == .nameResolution)
      await client.pipeline.shutdown()
    }

    // MARK: TLS

    private func withTLS(
      certificate: String,
      key: String,
      trusting authority: String?,
      _ body: (String, Client) async throws -> Void
    ) async throws {
      var configuration = Origin.Configuration()
      configuration.tls = .init(certificateChain: .pem(certificate), privateKey: .pem(key))
      let origin = try await Origin.start(configuration)
      let roots = try authority.map { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
      let transport = AsyncHTTPClientTransport { configuration in
        var tls = TLSConfiguration.makeClientConfiguration()
        if let roots { tls.trustRoots = .certificates(roots) }
        configuration.tlsConfiguration = tls
      }
      let client = try Client(bare(transport))
      try await body("https://localhost:\(origin.port)/json", client)
      await client.pipeline.shutdown()
      try await origin.stop()
    }

    @Test func aTrustedCertificateIsAccepted() async throws {
      try await withTLS(
        certificate: TestCertificates.server,
        key: TestCertificates.serverKey,
        trusting: TestCertificates.ca
      ) { url, client in
        let bytes = try await client.get(url, as: .data)
        #expect(bytes.count > 0)
      }
    }

    @Test func anUnknownAuthorityIsNotTrusted() async throws {
      try await withTLS(
        certificate: TestCertificates.server,
        key: TestCertificates.serverKey,
        trusting: nil
      ) { url, client in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == .tls(.untrusted))
        #expect(error?.requestMayHaveBeenSent == false)
      }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
      try await withTLS(
        certificate: TestCertificates.other,
        key: TestCertificates.otherKey,
        trusting: TestCertificates.ca
      ) { url, client in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == .tls(.hostMismatch))
      }
    }

    @Test func anExpiredCertificateIsRefused() async throws {
      try await withTLS(
        certificate: TestCertificates.expired,
        key: TestCertificates.expiredKey,
        trusting: TestCertificates.ca
      ) { url, client in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect([.tls(.expired), .tls(.untrusted)].contains(error?.kind))
      }
    }

    @Test func aPeerThatSpeaksNoTLSFailsTheHandshake() async throws {
      try await withPeer({ wire in
        _ = try wire.read(1)
        try wire.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      }) { peer, client in
        let error = await exchangeError {
          try await client.get("https://localhost:\(peer.port)/", as: .data)
        }
        guard case .tls = error?.kind else {
          Issue.record("\(error.map { "\($0)" } ?? "no error")")
          return
        }
      }
    }
  }
#endif
