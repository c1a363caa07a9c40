#if AsyncHTTPClient
  import NIOSSL
  import StagecoachCore

  extension TLSConfiguration {
    /// Creates a configuration from a trust policy, without its pins and evaluation.
    ///
    /// - Throws: ``ExchangeError`` of kind `invalidRequest` if a root certificate is unusable, `tls(.identity)` if the
    ///   client identity is.
    init(_ trust: Trust) throws {
      do {
        self = .makeClientConfiguration()
        switch trust.roots {
        case .only(let roots): trustRoots = .certificates(try roots.map(NIOSSLCertificate.init))
        case .systemAnd(let roots):
          additionalTrustRoots = [.certificates(try roots.map(NIOSSLCertificate.init))]
        default: break
        }
      } catch {
        throw ExchangeError(
          .invalidRequest,
          "a root certificate of the trust cannot be used",
          underlying: error
        )
      }
      if let identity = trust.identity { try use(identity) }
      minimumTLSVersion = trust.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
      maximumTLSVersion = trust.maximumVersion.map { $0 == .tls13 ? .tlsv13 : .tlsv12 }
      if trust.verification == .noneForTesting { certificateVerification = .none }
    }

    private mutating func use(_ identity: ClientIdentity) throws {
      do {
        certificateChain = try identity.chain.map { .certificate(try NIOSSLCertificate($0)) }
        privateKey = .privateKey(
          try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        )
      } catch {
        throw ExchangeError(
          .tls(.identity),
          "the certificate or the private key of the client identity cannot be read",
          advice: "use a certificate and an unencrypted private key in PEM",
          underlying: error
        )
      }
    }
  }

  extension NIOSSLCertificate {
    fileprivate convenience init(_ certificate: Certificate) throws {
      try self.init(bytes: certificate.der, format: .der)
    }
  }
#endif
