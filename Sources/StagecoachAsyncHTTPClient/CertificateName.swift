#if AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import Stagecoach

  /// Whether a certificate is for the host that was asked for, where NIOSSL does not look closely enough.
  ///
  /// NIOSSL accepts a certificate for any host if it names the IP address that the connection goes to
  /// (`validIdentityForService` in its IdentityVerification.swift): whoever can misdirect a connection to an address
  /// that he has a certificate for could pose as everybody, and so could every proxy that has one. RFC 9110 4.3.4
  /// wants the name that was asked for.
  struct CertificateName {
    let certificate: NIOSSLCertificate

    /// Refuses a certificate that was accepted for the address of its connection alone.
    ///
    /// - Throws: ``ExchangeError`` of kind `tls(.hostMismatch)`.
    func check(on channel: any Channel) throws {
      guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }),
        names(.ipAddress).contains(where: { $0 == address.bytes })
      else { return }
      guard let expected = try Self.expectedHost(of: channel) else { return }
      guard names(.dnsName).contains(where: { Self.matches(String(decoding: $0, as: UTF8.self), expected) })
      else {
        throw ExchangeError(
          .tls(.hostMismatch),
          "the certificate of \(expected) is for another name: it names the address of the connection only",
          advice: "use the name that the certificate is for"
        )
      }
    }

    private func names(_ type: _SubjectAlternativeName.NameType) -> [[UInt8]] {
      let all = certificate._subjectAlternativeNames()
      return all.filter { $0.nameType == type }.map { Array($0.contents) }
    }

    /// The name that TLS was to verify; nil for a host without one.
    ///
    /// The engine tells nobody, NIOSSL keeps it to itself, and a connection to the right host must not be
    /// refused: so its properties are looked through. Should they change, certificates with addresses are refused.
    private static func expectedHost(of channel: any Channel) throws -> String? {
      let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
      var mirror: Mirror? = Mirror(reflecting: handler)
      while let current = mirror {
        if let name = current.descendant("connection", "expectedHostname") { return name as? String }
        mirror = current.superclassMirror
      }
      throw ExchangeError(
        .tls(.hostMismatch),
        "the certificate names the address of the connection, and whether it names the host cannot be told"
      )
    }

    /// Whether a name in a certificate, of which the first label may be `*`, is a host's (RFC 6125 6.4).
    static func matches(_ name: String, _ host: String) -> Bool {
      let name = name.lowercased()
      var host = host.lowercased()
      if host.hasSuffix(".") { host.removeLast() }
      if name == host { return true }
      guard name.hasPrefix("*."), let dot = host.firstIndex(of: "."), dot != host.startIndex else {
        return false
      }
      return name.dropFirst() == host[dot...]
    }
  }
#endif
