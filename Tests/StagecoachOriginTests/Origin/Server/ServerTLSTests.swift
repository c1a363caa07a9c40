#if Tool
  import StagecoachOrigin
  import Testing

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  struct ServerTLSTests {
    /// A TLS 1.2 ClientHello with one suite, one curve and one signature algorithm (RFC 5246 7.4.1.2).
    private static let clientHello: [UInt8] = {
      let extensions: [UInt8] =
        [0, 10, 0, 4, 0, 2, 0, 23]  // supported_groups: secp256r1
        + [0, 11, 0, 2, 1, 0]  // ec_point_formats: uncompressed
        + [0, 13, 0, 4, 0, 2, 4, 3]  // signature_algorithms: ecdsa_secp256r1_sha256
        + [0, 16, 0, 11, 0, 9, 8] + Array("http/1.1".utf8)  // ALPN
      let hello: [UInt8] =
        [3, 3] + [UInt8](repeating: 42, count: 32) + [0]
        + [0, 2, 0xC0, 0x2B]  // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
        + [1, 0] + [0, UInt8(extensions.count)] + extensions
      let handshake = [1, 0, 0, UInt8(hello.count)] + hello
      return [22, 3, 1, 0, UInt8(handshake.count)] + handshake
    }()

    @Test(arguments: [false, true])
    func aHandshakeGetsAServerHelloWithALPN(_ fromFiles: Bool) async throws {
      let directory = FileManager.default.temporaryDirectory.appendingPathComponent("origin-\(UUID())")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: directory) }
      var configuration = Origin.Configuration()
      if fromFiles {
        let chain = directory.appendingPathComponent("chain.pem")
        let key = directory.appendingPathComponent("key.pem")
        try Data(Certificate.certificate.utf8).write(to: chain)
        try Data(Certificate.key.utf8).write(to: key)
        configuration.tls = Origin.TLS(certificateChain: .file(chain.path), privateKey: .file(key.path))
      } else {
        configuration.tls = Origin.TLS(
          certificateChain: .pem(Certificate.certificate),
          privateKey: .pem(Certificate.key)
        )
      }
      try await withOrigin(configuration) { origin in
        #expect(origin.url == "https://127.0.0.1:\(origin.port)")
        let peer = try Peer(port: origin.port)
        try await peer.send(Self.clientHello)
        let header = try await peer.bytes(5)
        #expect(header.prefix(3) == [22, 3, 3])
        let flight = try await peer.bytes(Int(header[3]) << 8 | Int(header[4]))
        #expect(flight.first == 2)
        #expect(flight.firstRange(of: Array("http/1.1".utf8)) != nil)
      }
    }

    @Test func plainTextGetsNoAnswerInHTTP() async throws {
      var configuration = Origin.Configuration()
      configuration.tls = Origin.TLS(
        certificateChain: .pem(Certificate.certificate),
        privateKey: .pem(Certificate.key)
      )
      try await withOrigin(configuration) { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /json HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = (try? await peer.receiveToEnd()) ?? []
        #expect(!answer.starts(with: Array("HTTP".utf8)))
        #expect(origin.requests.isEmpty)
      }
    }

    @Test(arguments: [
      Origin.TLS(certificateChain: .pem("nonsense"), privateKey: .pem(Certificate.key)),
      Origin.TLS(certificateChain: .pem(Certificate.certificate), privateKey: .file("/nowhere/key.pem")),
    ])
    func unusableCertificatesAreReported(_ tls: Origin.TLS) async throws {
      var configuration = Origin.Configuration()
      configuration.tls = tls
      await #expect {
        try await Origin.start(configuration)
      } throws: { error in
        if case .invalidCertificate = error as? OriginError { true } else { false }
      }
    }
  }
#endif
