import Stagecoach
import TestSupport
import Testing

@Suite struct CertificateTests {
  @Test func aChainIsReadInOrderWithPinsAndSubjects() throws {
    let chain = try Certificate.fromPEM(
      "first\n\(SampleCertificates.server)\nthen\n\(SampleCertificates.authority)\n"
    )
    #expect(chain.map(\.subject) == ["localhost", "Stagecoach Test CA"])
    #expect(
      chain.map(\.publicKeyPin.description) == [
        SampleCertificates.serverPin, SampleCertificates.authorityPin,
      ]
    )
    #expect("\(chain[0])" == "\(SampleCertificates.serverPin) (localhost)")
  }

  @Test func pemIsWrittenAsItIsRead() throws {
    let certificate = try Certificate.fromPEM(SampleCertificates.server)[0]
    #expect(certificate.pem.split(separator: "\n") == SampleCertificates.server.split(separator: "\n"))
    #expect(try Certificate(der: certificate.der) == certificate)
  }

  @Test func refusesAMalformedCertificate() throws {
    #expect(throws: TrustError.noCertificate) { try Certificate.fromPEM("nothing") }
    #expect(throws: TrustError.noCertificate) { try Certificate.fromPEM(SampleCertificates.key) }
    #expect(throws: TrustError.malformedCertificate) {
      try Certificate.fromPEM("-----BEGIN CERTIFICATE-----\n%%%\n-----END CERTIFICATE-----")
    }
    #expect(throws: TrustError.malformedCertificate) {
      try Certificate.fromPEM("-----BEGIN CERTIFICATE-----\nAAAA")
    }
    #expect(throws: TrustError.malformedCertificate) { try Certificate(der: []) }
  }

  /// No cut and no changed byte of the head does more than be refused.
  @Test func damagedCertificatesAreRefusedOrReadAndNothingElse() throws {
    let der = try Certificate.fromPEM(SampleCertificates.server)[0].der
    for count in 0..<der.count {
      #expect(throws: TrustError.malformedCertificate) { try Certificate(der: Array(der.prefix(count))) }
    }
    for index in der.indices {
      for value in [0, 0x1f, 0x30, 0x7f, 0x80, 0x84, 0xff] as [UInt8] {
        var damaged = der
        damaged[index] = value
        if let certificate = try? Certificate(der: damaged) {
          _ = (certificate.subject, certificate.publicKeyPin)
        }
      }
    }
  }
}
