#if AsyncHTTPClient
  import NIOSSL
  import StagecoachCore

  extension TLSConfiguration {
    /// Creates a configuration from a trust policy, without its pins and evaluation.
    ///
    /// - Throws: ``ExchangeError`` of kind `invalidRequest` if a certificate or the key is unusable.
    init(_ trust: Trust) throws {
      do {
        self = .makeClientConfiguration()
        switch trust.roots {
        case .only(let roots): trustRoots = .certificates(try roots.map(NIOSSLCertificate.init))
        case .systemAnd(let roots):
          additionalTrustRoots = [.certificates(try roots.map(NIOSSLCertificate.init))]
        default: break
        }
        if let identity = trust.identity {
          certificateChain = try identity.chain.map { .certificate(try NIOSSLCertificate($0)) }
          privateKey = .privateKey(
            try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
          )
        }
      } catch {
        throw ExchangeError(
          .invalidRequest,
          "a certificate or the private key of the trust cannot be used: \(error)",
          advice: "check that the key belongs to the certificate and is PEM without a passphrase",
          underlying: error
        )
      }
      minimumTLSVersion = trust.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
      maximumTLSVersion = trust.maximumVersion.map { $0 == .tls13 ? .tlsv13 : .tlsv12 }
      if trust.verification == .noneForTesting { certificateVerification = .none }
    }
  }

  extension NIOSSLCertificate {
    fileprivate convenience init(_ certificate: Certificate) throws {
      try self.init(bytes: certificate.der, format: .der)
    }
  }
#endif
