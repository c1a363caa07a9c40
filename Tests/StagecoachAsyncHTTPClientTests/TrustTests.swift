#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Synchronization
  import TestServers
  import Testing

  /// Whom the transport believes: roots, names, pins, evaluation; per transport, host and request.
  @Suite struct TrustTests {
    // MARK: The truth table of AFNetworking's security policy

    /// A row: a policy of AFNetworking 4, the trust that stands for it, and a server.
    struct Row: Sendable, CustomTestStringConvertible {
      let policy: String
      let server: ServerIdentity
      /// Whether AFNetworking accepts the server.
      let isAccepted: Bool
      /// How we refuse it; nil for accepted.
      let refusal: ExchangeError.Kind?
      let trust: @Sendable () throws -> Trust
      var testDescription: String { "\(policy), \(server.rawValue)" }

      init(
        _ policy: String,
        _ server: ServerIdentity,
        accepted isAccepted: Bool,
        _ refusal: ExchangeError.Kind?,
        _ trust: @escaping @Sendable () throws -> Trust
      ) {
        (self.policy, self.server) = (policy, server)
        (self.isAccepted, self.refusal, self.trust) = (isAccepted, refusal, trust)
      }
    }

    private static let system: @Sendable () throws -> Trust = { try .tests() }
    private static let nothing: @Sendable () throws -> Trust = {
      var trust = Trust()
      trust.verification = .noneForTesting
      return trust
    }
    private static let goodKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.server)])
    }
    private static let expiredKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.expired)])
    }
    private static let wrongKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.client)])
    }
    private static let wrongKeyAndBackup: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.client), .key(of: TestCertificates.server)])
    }
    private static let otherKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.other)])
    }
    private static let rootKey: @Sendable () throws -> Trust = {
      try .tests(pins: [.key(of: TestCertificates.ca)])
    }
    private static let certificate: @Sendable () throws -> Trust = {
      try .tests(pins: [Pin(.test(TestCertificates.server))])
    }
    private static let wrongCertificate: @Sendable () throws -> Trust = {
      try .tests(pins: [Pin(.test(TestCertificates.other))])
    }
    private static let ownCertificate: @Sendable () throws -> Trust = {
      try .tests(pins: [Pin(.test(TestCertificates.selfSigned))])
    }
    /// What stands for an invalid certificate allowed because it is pinned: it is its own root.
    private static let ownRoot: @Sendable () throws -> Trust = {
      let own = try Certificate.test(TestCertificates.selfSigned)
      return Trust(roots: .only([own]), pins: [Pin(own)])
    }
    private static let unverifiedKey: @Sendable () throws -> Trust = {
      var trust = try goodKey()
      trust.verification = .noneForTesting
      return trust
    }

    /// What stands for a policy that refuses everybody, by way of flags that contradict each other.
    private static let nobody: @Sendable () throws -> Trust = {
      var trust = try nothing()
      trust.evaluation = Trust.Evaluation { _ in throw Refusal() }
      return trust
    }
    /// What stands for a mode of pinning without a pin: an empty set of pins is no pinning, and no roots are nobody's.
    private static let noRoots: @Sendable () throws -> Trust = { Trust(roots: .only([])) }

    /// The twelve rows of AFNetworking 4's table, each by what it says of its flags: whether invalid certificates are
    /// allowed, whether the name of the domain is validated, and whether one was given.
    ///
    /// Where ours cannot say the same: the name of the host is always validated and always given, unless nothing is
    /// verified at all, so that the rows with "nil domain" and "domain not validated" are one trust each; no flags
    /// contradict each other, so that "invalid allowed, domain validated" is an evaluation that refuses; and an empty
    /// set of pins means no pinning, where AFNetworking refused everybody, so that those two rows are a set of roots
    /// without any.
    static let rows: [Row] = [
      Row("none", .good, accepted: true, nil, system),
      Row("none", .otherName, accepted: false, .tls(.hostMismatch), system),
      Row("none", .expired, accepted: false, .tls(.untrusted), system),
      Row("none", .selfSigned, accepted: false, .tls(.untrusted), system),
      // Safer: the name of the host is always checked.
      Row("none, nil domain", .good, accepted: true, nil, system),
      Row("none, nil domain", .otherName, accepted: true, .tls(.hostMismatch), system),
      Row("none, nil domain", .expired, accepted: false, .tls(.untrusted), system),
      Row("none, nil domain", .selfSigned, accepted: false, .tls(.untrusted), system),
      Row("none, domain not validated", .otherName, accepted: true, .tls(.hostMismatch), system),
      Row("none, domain not validated", .expired, accepted: false, .tls(.untrusted), system),
      Row("none, invalid allowed, domain validated", .good, accepted: false, .tls(.refused), nobody),
      Row("none, invalid allowed, domain validated", .otherName, accepted: false, .tls(.refused), nobody),
      Row("none, invalid allowed, domain validated", .selfSigned, accepted: false, .tls(.refused), nobody),
      Row("none, invalid allowed, nil domain", .good, accepted: true, nil, nothing),
      Row("none, invalid allowed, nil domain", .otherName, accepted: true, nil, nothing),
      Row("none, invalid allowed, nil domain", .expired, accepted: true, nil, nothing),
      Row("none, invalid allowed, nil domain", .selfSigned, accepted: true, nil, nothing),
      Row("none, invalid allowed, domain not validated", .otherName, accepted: true, nil, nothing),
      Row("none, invalid allowed, domain not validated", .selfSigned, accepted: true, nil, nothing),
      Row("public key, no pins", .good, accepted: false, .tls(.untrusted), noRoots),
      Row("public key, no pins", .selfSigned, accepted: false, .tls(.untrusted), noRoots),
      Row("public key", .good, accepted: true, nil, goodKey),
      Row("public key, the second matches", .good, accepted: true, nil, wrongKeyAndBackup),
      Row("public key, none matches", .good, accepted: false, .tls(.pinMismatch), wrongKey),
      // Safer: only the certificate of the server itself is compared, which the capabilities declare.
      Row("public key of the root", .good, accepted: true, .tls(.pinMismatch), rootKey),
      // Safer: with invalid ones allowed AFNetworking compared the key and nothing else.
      Row("public key, invalid allowed", .otherName, accepted: true, .tls(.hostMismatch), otherKey),
      Row("public key, invalid allowed", .expired, accepted: true, .tls(.untrusted), expiredKey),
      Row("public key, nothing verified", .good, accepted: true, nil, unverifiedKey),
      Row("public key, nothing verified", .selfSigned, accepted: false, .tls(.pinMismatch), unverifiedKey),
      Row("certificate, no pins", .good, accepted: false, .tls(.untrusted), noRoots),
      Row("certificate, no pins", .selfSigned, accepted: false, .tls(.untrusted), noRoots),
      Row("certificate", .good, accepted: true, nil, certificate),
      Row("certificate, another", .good, accepted: false, .tls(.pinMismatch), wrongCertificate),
      Row("certificate", .selfSigned, accepted: false, .tls(.untrusted), ownCertificate),
      Row("certificate, invalid allowed", .selfSigned, accepted: true, nil, ownRoot),
      Row("certificate, invalid allowed", .good, accepted: false, .tls(.untrusted), ownRoot),
    ]

    /// Not a row of the table but what it comes to for us: without a pin nobody is refused for lack of one.
    @Test func anEmptySetOfPinsIsNoPinning() async throws {
      try await withSecureOrigin(trust: .tests(pins: [])) { _, client, url in
        _ = try await client.get(url, as: .data)
      }
    }

    @Test(arguments: rows)
    func theTruthTableHoldsOrIsSafer(row: Row) async throws {
      // Whom AFNetworking refuses we refuse.
      #expect(row.isAccepted || row.refusal != nil)
      try await withSecureOrigin(row.server, trust: row.trust()) { origin, client, url in
        guard let refusal = row.refusal else {
          let content = try await client.get(url, as: .data)
          #expect(content.count > 0)
          return
        }
        let error = await exchangeError { try await client.get(url, as: .data) }
        #expect(error?.kind == refusal, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.contains("localhost") == true)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(error?.isTransient == false)
        #expect(origin.requests.isEmpty)
      }
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

    @Test func aHostHasATrustOfItsOwn() async throws {
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

    @Test func aKeyThatIsNoneFailsEachRequest() async throws {
      let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
      let identity = try ClientIdentity(chainPEM: TestCertificates.client, privateKeyPEM: key)
      try await withSecureOrigin(trust: Trust(identity: identity)) { origin, client, url in
        for _ in 0..<2 {
          let error = await exchangeError { try await client.get(url, as: .data) }
          #expect(error?.kind == .invalidRequest)
        }
        #expect(origin.acceptedConnections == 0)
      }
    }
  }
#endif
