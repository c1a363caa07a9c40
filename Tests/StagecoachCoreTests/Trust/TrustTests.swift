import Stagecoach
import TestSupport
import Testing

@Suite struct TrustTests {
  private let chain: [Certificate]

  init() throws {
    chain = try Certificate.fromPEM(SampleCertificates.server + "\n" + SampleCertificates.authority)
  }

  private func failure(_ trust: Trust, _ chain: [Certificate]) -> ExchangeError? {
    do {
      try trust.evaluate(Trust.Peer(host: "api.example.com", chain: chain, isVerified: true))
      return nil
    } catch {
      return error as? ExchangeError
    }
  }

  @Test func onePinnedKeyAnywhereInTheChainIsEnough() throws {
    let other = Pin(publicKeySHA256: [UInt8](repeating: 7, count: 32))
    #expect(failure(Trust(), chain) == nil)
    #expect(failure(Trust(pins: [other, try Pin(SampleCertificates.serverPin)]), chain) == nil)
    #expect(failure(Trust(pins: [try Pin(SampleCertificates.authorityPin)]), chain) == nil)
    #expect(failure(Trust(pins: [Pin(chain[1])]), chain) == nil)
    #expect(failure(Trust(pins: [Pin(chain[1])]), [chain[0]])?.kind == .tls(.pinMismatch))
    #expect(failure(Trust(pins: [other]), [])?.kind == .tls(.pinMismatch))
  }

  /// Who loads an empty list of pins must not lose pinning in silence.
  @Test func anEmptySetOfPinsRefusesEveryServer() throws {
    var trust = Trust(pins: nil)
    #expect(failure(trust, chain) == nil)
    #expect(!trust.examinesChain)
    trust.hosts["*.example.com"] = Trust(pins: [])
    #expect(failure(trust, chain) == nil)
    for empty in [Trust(pins: []), trust.resolved(for: "api.example.com")] {
      #expect(empty.examinesChain)
      let error = try #require(failure(empty, chain))
      #expect(error.kind == .tls(.pinMismatch))
      #expect(error.description.contains("use nil to turn pinning off"))
    }
  }

  @Test func aMismatchNamesHostChainAndPins() throws {
    let other = Pin(publicKeySHA256: [UInt8](repeating: 7, count: 32))
    let error = try #require(failure(Trust(pins: [other]), chain))
    for part in ["api.example.com", SampleCertificates.serverPin, "Stagecoach Test CA", "\(other)"] {
      #expect(error.message.contains(part))
    }
    #expect(!error.isTransient)
  }

  @Test func anEvaluationRefusesWithItsReason() throws {
    struct Reason: Error {}
    var trust = Trust()
    trust.evaluation = Trust.Evaluation { peer in
      #expect(peer.isVerified && peer.chain.count == 2)
      throw Reason()
    }
    let error = try #require(failure(trust, chain))
    #expect(error.kind == .tls(.refused))
    #expect(error.underlying is Reason)
    for part in ["api.example.com", "Reason", "\(chain[0])", SampleCertificates.serverPin, "\(chain[1])"] {
      #expect(error.message.contains(part))
    }
  }

  @Test func aRefusalOfAPeerWithoutCertificatesSaysSo() throws {
    var trust = Trust()
    trust.evaluation = Trust.Evaluation { _ in throw CancellationError() }
    #expect(try #require(failure(trust, [])).message.contains("no certificate"))
  }

  @Test func evaluationsAreEqualToThemselvesOnly() {
    let (one, other) = (Trust.Evaluation { _ in }, Trust.Evaluation { _ in })
    let copy = one
    #expect(one == copy)
    #expect(one != other)
    #expect(Set([one, copy, other]).count == 2)
  }

  @Test(
    arguments: [
      ("api.example.com", 1), ("API.Example.com", 1), ("www.example.com", 2), ("a.b.example.com", 2),
      ("x.deep.example.com", 3), ("example.com", 0), ("badexample.com", 0), ("localhost", 0),
    ] as [(String, Int)]
  )
  func theMostSpecificHostWins(host: String, expected: Int) throws {
    func numbered(_ number: UInt8) -> Trust {
      Trust(pins: [Pin(publicKeySHA256: [UInt8](repeating: number, count: 32))])
    }
    var trust = numbered(0)
    trust.hosts = [
      "api.example.com": numbered(1), "*.example.com": numbered(2), "*.deep.example.com": numbered(3),
    ]
    let resolved = trust.resolved(for: host)
    #expect(resolved.pins == numbered(UInt8(expected)).pins)
    #expect(resolved.hosts.isEmpty)
  }

  @Test(arguments: [
    "", "sha256/", "sha256/AAAA", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/%%%",
  ])
  func refusesAMalformedPin(text: String) {
    #expect(throws: TrustError.malformedPin(text)) { try Pin(text) }
  }

  @Test func pinsAreWrittenAsTheyAreRead() throws {
    #expect(try Pin(SampleCertificates.serverPin).description == SampleCertificates.serverPin)
    #expect(Pin(chain[0]).description.hasPrefix("certificate/"))
  }

  @Test func anIdentityNeedsACertificateAndAPlainKey() throws {
    let identity = try ClientIdentity(
      chainPEM: SampleCertificates.server,
      privateKeyPEM: SampleCertificates.key
    )
    #expect(identity.chain.count == 1)
    #expect(!"\(identity)".contains("PRIVATE"))
    #expect(throws: TrustError.noPrivateKey) {
      try ClientIdentity(chainPEM: SampleCertificates.server, privateKeyPEM: SampleCertificates.server)
    }
    #expect(throws: TrustError.noCertificate) {
      try ClientIdentity(chainPEM: SampleCertificates.key, privateKeyPEM: SampleCertificates.key)
    }
    let plain = SampleCertificates.key
    let encrypted = plain.replacing(" PRIVATE", with: " ENCRYPTED PRIVATE")
    let old = plain.replacing(
      "KEY-----\n",
      with: "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"
    )
    for key in [encrypted, old] {
      #expect(throws: TrustError.encryptedPrivateKey) {
        try ClientIdentity(chainPEM: SampleCertificates.server, privateKeyPEM: key)
      }
    }
    let broken = "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----"
    #expect(throws: TrustError.noPrivateKey) {
      try ClientIdentity(chainPEM: SampleCertificates.server, privateKeyPEM: broken)
    }
  }
}
