#if Tool
  import AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import NIOSSL
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Synchronization
  import TestSupport
  import Testing

  /// Whom the transport believes: roots, names, pins, evaluation; per transport, host and request.
  ///
  /// The truth table of pins is a check of the conformance kit, which runs over this transport too.
  @Suite struct TrustTests {
    private static let goodKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.server)])
    }
    private static let wrongKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.client)])
    }

    /// RFC 9525 2: a common name is none of a service, whoever vouches for it.
    @Test func aCommonNameDoesNotCount() async throws {
      let trust = Trust(roots: .only([try .test(TestCertificates.commonName)]))
      try await withSecureOrigin(.commonName, trust: trust) { origin, client, url in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == .tls(.hostMismatch), "\(error.map { "\($0)" } ?? "")")
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(origin.requests.isEmpty)
      }
    }

    @Test func theTransportTellsWhatItVerifies() async throws {
      let given = AsyncHTTPClientTransport(trust: try Self.goodKey())
      #expect(given.trust == (try Self.goodKey()))
      let changed = AsyncHTTPClientTransport {
        $0.tlsConfiguration?.certificateVerification = CertificateVerification.none
      }
      #expect(changed.trust.verification == .noneForTesting)
    }

    // MARK: Secrets

    @Test func aDumpShowsNoSecretOfTheTransport() async throws {
      var connections = ConnectionOptions()
      connections.proxy = .server(try Proxy("http://ada:hunter2@127.0.0.1:1"))
      let identity = try ClientIdentity(
        chainPEM: TestCertificates.client,
        privateKeyPEM: TestCertificates.clientKey
      )
      let transport = AsyncHTTPClientTransport(connections: connections, trust: Trust(identity: identity))
      for value in [transport, Pipeline(over: transport, stages: []), [transport]] as [Any] {
        var text = "\(value)"
        dump(value, to: &text)
        for secret in ["hunter2", "YWRhOmh1bnRlcjI", "PRIVATE KEY"] { #expect(!text.contains(secret)) }
      }
      await transport.shutdown()
    }

    // MARK: Pins

    @Test func aWrongPinFailsInOneAttemptWithoutAByteOfTheRequest() async throws {
      try await withSecureOrigin(trust: Self.wrongKey()) { origin, client, url in
        let start = ContinuousClock.now
        let error = await exchangeError { try await client.post(url, .text("secret"), as: .data) }
        #expect(error?.kind == .tls(.pinMismatch))
        #expect(ContinuousClock.now - start < .seconds(30))
        let shown = try Pin.key(of: TestCertificates.server).description
        #expect(error?.message.contains(shown) == true)
        try await eventually { origin.openConnections == 0 }
        #expect(origin.acceptedConnections == 1)
        #expect(origin.requests.isEmpty)
      }
    }

    @Test func aPinnedConnectionIsCheckedOnceAndUsedAgain() async throws {
      try await withSecureOrigin(trust: Self.goodKey()) { origin, client, url in
        for _ in 0..<3 { _ = try await client.get(url, as: .data) }
        #expect(origin.acceptedConnections == 1)
      }
    }

    // MARK: Evaluation

    struct Refusal: Error, CustomStringConvertible {
      var description: String { "not today" }
    }

    @Test func anEvaluationSeesTheLeafAndMayRefuse() async throws {
      let seen = Mutex<[Trust.Peer]>([])
      let refuses = Atomic(false)
      var trust = try Trust.tests()
      trust.evaluation = Trust.Evaluation { peer in
        seen.withLock { $0.append(peer) }
        if refuses.load(ordering: .relaxed) { throw Refusal() }
      }
      try await withSecureOrigin(trust: trust) { origin, client, url in
        _ = try await client.get(url, as: .data)
        _ = try await client.get(url, as: .data)
        let peers = seen.withLock { $0 }
        #expect(peers.map(\.host) == ["localhost"])
        #expect(peers.first?.chain == [try Certificate.test(TestCertificates.server)])
        #expect(peers.first?.isVerified == true)

        refuses.store(true, ordering: .relaxed)
        var other = try Trust.tests()
        other.evaluation = trust.evaluation
        other.minimumVersion = .tls13
        var request = Request.get(url)
        request.options.trust = other
        let error = await exchangeError { try await client.send(request) }
        #expect(error?.kind == .tls(.refused))
        #expect(error?.underlying is Refusal)
        #expect(error?.message.contains("not today") == true)
      }
    }

    @Test func anEvaluationIsNotAskedAboutWhatWasNotFoundGood() async throws {
      var trust = try Trust.tests()
      trust.evaluation = Trust.Evaluation { _ in Issue.record("it was asked") }
      try await withSecureOrigin(.expired, trust: trust) { _, client, url in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == .tls(.untrusted))
      }
    }

    /// The engine does not tell why it refuses a certificate.
    @Test func anExpiredCertificateIsNotAdvisedRoots() async throws {
      try await withSecureOrigin(.expired, trust: .tests()) { _, client, url in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.advice?.contains("roots") == false)
        #expect(error?.advice?.contains("expired") == true)
      }
    }

    @Test func theEnginesReasonIsShownOnceWithoutSourcePaths() async throws {
      try await withSecureOrigin(trust: Trust()) { _, client, url in
        let text = "\(await exchangeError { try await client.get(url, as: .data) } as Any)"
        #expect(text.ranges(of: "CERTIFICATE_VERIFY_FAILED").count == 1, "\(text)")
        #expect(!text.contains("handshake.cc"), "\(text)")
      }
    }

    // MARK: Whose trust counts

    @Test func aConnectionIsNeverUsedUnderAnotherTrust() async throws {
      try await withSecureOrigin(trust: .tests()) { origin, client, url in
        _ = try await client.get(url, as: .data)
        var request = Request.get(url)
        request.options.trust = try Self.wrongKey()
        let error = await exchangeError { try await client.send(request) }
        #expect(error?.kind == .tls(.pinMismatch))
        request.options.trust = try Self.goodKey()
        for _ in 0..<2 { _ = try await client.value(for: request, as: .data) }
        #expect(origin.acceptedConnections == 3)
        // One that says the same is the same.
        request.options.trust = try Trust.tests()
        _ = try await client.value(for: request, as: .data)
        #expect(origin.acceptedConnections == 3)
        #expect(origin.requests.count == 4)
      }
    }

    @Test func whatARequestTrustsIsNotTrustedByTheNext() async throws {
      try await withSecureOrigin(trust: Trust()) { origin, client, url in
        var request = Request.get(url)
        request.options.trust = try Trust.tests()
        _ = try await client.value(for: request, as: .data)
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == .tls(.untrusted))
        #expect(origin.requests.count == 1)
      }
    }

    /// A set that could not be filled must not end pinning: not for the transport, for a host, or for one request.
    @Test func anEmptySetOfPinsRefusesEveryServer() async throws {
      let closed = try Trust.tests(pins: [])
      var ofHost = try Trust.tests()
      ofHost.hosts["localhost"] = closed
      for (trust, ofRequest) in [(closed, nil), (ofHost, nil), (try Trust.tests(), closed)] {
        try await withSecureOrigin(trust: trust) { origin, client, url in
          var request = Request.get(url)
          request.options.trust = ofRequest
          let error = await exchangeError { [request] in try await client.send(request) }
          #expect(error?.kind == .tls(.pinMismatch))
          #expect(origin.requests.isEmpty)
        }
      }
    }

    @Test func trustCanBeSetPerHost() async throws {
      var trust = try Trust.tests()
      trust.hosts["localhost"] = try Self.wrongKey()
      try await withSecureOrigin(trust: trust) { origin, client, url in
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == .tls(.pinMismatch))
        _ = try await client.get(url.replacing("localhost", with: "127.0.0.1"), as: .data)
        #expect(origin.requests.count == 1)
      }
    }

    @Test func manyTrustsKeepABoundedNumberOfConnections() async throws {
      try await withSecureOrigin(trust: .tests()) { origin, client, url in
        for index in 0..<100 {
          var request = Request.get(url)
          let digest = [UInt8](repeating: UInt8(index), count: 32)
          request.options.trust = try .tests(pins: [
            .key(of: TestCertificates.server), Pin(publicKeySHA256: digest),
          ])
          _ = try await client.value(for: request, as: .data)
        }
        #expect(origin.acceptedConnections == 100)
        try await eventually { origin.openConnections <= 33 }
        #expect(origin.openConnections > 0)
      }
    }

    @Test func aMalformedKeyFailsEachRequest() async throws {
      let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
      let identity = try ClientIdentity(chainPEM: TestCertificates.client, privateKeyPEM: key)
      try await withSecureOrigin(trust: Trust(identity: identity)) { origin, client, url in
        for _ in 0..<2 {
          let error = await exchangeError { try await client.get(url, as: .data) }
          #expect(error?.kind == .tls(.identity))
        }
        #expect(origin.acceptedConnections == 0)
      }
    }
  }
#endif
