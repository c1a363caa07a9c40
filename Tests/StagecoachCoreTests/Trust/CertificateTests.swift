import Stagecoach
import Testing

/// Certificates made with OpenSSL, and what OpenSSL says of them.
enum SampleCertificates {
  static let server = """
    -----BEGIN CERTIFICATE-----
    MIIBwjCCAWigAwIBAgICDTMwCgYIKoZIzj0EAwIwHTEbMBkGA1UEAwwSU3RhZ2Vj
    b2FjaCBUZXN0IENBMCAXDTI0MDEwMTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAwWjAU
    MRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAST
    6t6G1yAkAVQcS2hC4manDg+g6/2yeV1mQYOveGuc+aZjHI+f3jdowNo3JJBdIHjy
    zvrnVXNxe8gTfhEgDdF9o4GeMIGbMAkGA1UdEwQCMAAwCwYDVR0PBAQDAgeAMBMG
    A1UdJQQMMAoGCCsGAQUFBwMBMCwGA1UdEQQlMCOCCWxvY2FsaG9zdIcEfwAAAYcQ
    AAAAAAAAAAAAAAAAAAAAATAdBgNVHQ4EFgQU2ucYWuMBs4jE9Zd93qWOBi2UjiAw
    HwYDVR0jBBgwFoAUjJRuDoH9BdCb8F12grnEceop12EwCgYIKoZIzj0EAwIDSAAw
    RQIgNk65NWheGR7QJ5ZWh00ZLjMvVccWqnIU2/7QjkLM6dMCIQDrABWHqulhMdw5
    ychq741gXz2erhck3aJWYP5l9K6+hA==
    -----END CERTIFICATE-----
    """

  static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBoTCCAUegAwIBAgIUfFXaYqlFSxW1pJHlJAv9XqoutJEwCgYIKoZIzj0EAwIw
    HTEbMBkGA1UEAwwSU3RhZ2Vjb2FjaCBUZXN0IENBMCAXDTI2MTEyMjAzMTYxMloY
    DzIxMjYxMDI5MDMxNjEyWjAdMRswGQYDVQQDDBJTdGFnZWNvYWNoIFRlc3QgQ0Ew
    WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARqezLfbSCrtB7Wv3DsyH/etG2WfCpV
    iIOhFJF+c1tdQVqbtI0zHXu+0W3z7mUKXQXEJL+5BPn7F2D1nLQIDYdbo2MwYTAd
    BgNVHQ4EFgQUjJRuDoH9BdCb8F12grnEceop12EwHwYDVR0jBBgwFoAUjJRuDoH9
    BdCb8F12grnEceop12EwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYw
    CgYIKoZIzj0EAwIDSAAwRQIgW/ZZGoarQQc3MgVKI0nJiwmBRf3IjwNYANmLBvQZ
    eXsCIQDl0SKqhm07e7kWdIw2XaZtC3CxQgnAJiw5UevUJvGTXA==
    -----END CERTIFICATE-----
    """

  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZdgyor66tgI7HJ3j
    QBgrcy3IakEruy+LC86SZF0uXTuhRANCAAQOwfTfD65odmPKrfnqOKQtkEslTRak
    o5REoBlqD2sy1RhYNMC9XN9ediyzIh2c+UuwJ1UYEuHTii6/f6klGZYR
    -----END PRIVATE KEY-----
    """

  static let serverPin = "sha256/lVOVIU0ZlugmDh5WRhaqBsx4psnoWgGJBeiDpKCopkw="
  static let authorityPin = "sha256/WDoz601gNj8cTImHYI1lszivY3xlVQE4iPzEOy50xEc="
}

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

  @Test func whatIsNoCertificateIsRefused() throws {
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
