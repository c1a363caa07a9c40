#if Tool
  import NIOSSL

  extension Origin.TLS {
    /// A context that offers HTTP/1.1 by ALPN (RFC 7301).
    func serverContext() throws -> NIOSSLContext {
      do {
        let chain = try NIOSSLCertificate.fromPEM(certificateChain).map {
          NIOSSLCertificateSource.certificate($0)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain,
          privateKey: .privateKey(try NIOSSLPrivateKey.fromPEM(privateKey))
        )
        configuration.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: configuration)
      } catch {
        throw OriginError.invalidCertificate("\(error)")
      }
    }
  }

  extension NIOSSLCertificate {
    fileprivate static func fromPEM(_ source: Origin.TLS.Source) throws -> [NIOSSLCertificate] {
      switch source {
      case .pem(let text): try fromPEMBytes(Array(text.utf8))
      case .file(let path): try fromPEMFile(path)
      }
    }
  }

  extension NIOSSLPrivateKey {
    fileprivate static func fromPEM(_ source: Origin.TLS.Source) throws -> NIOSSLPrivateKey {
      switch source {
      case .pem(let text): try NIOSSLPrivateKey(bytes: Array(text.utf8), format: .pem)
      case .file(let path): try NIOSSLPrivateKey(file: path, format: .pem)
      }
    }
  }
#endif
