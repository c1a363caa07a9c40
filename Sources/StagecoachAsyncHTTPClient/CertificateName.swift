#if AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import StagecoachCore

  /// Checks whether a certificate is for the requested host, where the check of NIOSSL is too weak
  /// (`validIdentityForService` in its IdentityVerification.swift).
  ///
  /// NIOSSL accepts a certificate for any host if it names the IP address of the connection. An attacker that redirects
  /// a connection to an address in its certificate could then impersonate every host, and so could a proxy with such a
  /// certificate; RFC 9110 4.3.4 requires the requested name. NIOSSL also accepts a wildcard for a part of a label and
  /// one without a domain after it, where RFC 9525 6.3 allows only the whole first label. And it uses the common name
  /// of a certificate without subject alternative names, which RFC 9525 2 excludes.
  struct CertificateName {
    let certificate: NIOSSLCertificate

    /// Refuses a certificate that NIOSSL accepted but that does not name the host.
    ///
    /// - Throws: ``ExchangeError`` of kind `tls(.hostMismatch)`.
    func check(on channel: any Channel) throws {
      let names = names(.dnsName).map { String(decoding: $0, as: UTF8.self) }
      // The expected host is looked up only if NIOSSL may have been wrong.
      guard names.isEmpty || names.contains(where: Self.isIrregular) || namesAddress(of: channel) else {
        return
      }
      guard let expected = try Self.expectedHost(of: channel) else { return }
      guard names.contains(where: { Self.matches($0, expected) }) else {
        throw ExchangeError(
          .tls(.hostMismatch),
          "the certificate of \(expected) is for another name: it names the address of the connection only, a part of "
            + "a name with a wildcard, or a common name, which do not count",
          advice: "use the name that the certificate is for"
        )
      }
    }

    private func namesAddress(of channel: any Channel) -> Bool {
      guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }) else { return false }
      return names(.ipAddress).contains { $0 == address.bytes }
    }

    private func names(_ type: _SubjectAlternativeName.NameType) -> [[UInt8]] {
      let all = certificate._subjectAlternativeNames()
      return all.filter { $0.nameType == type }.map { Array($0.contents) }
    }

    /// The host name that TLS verified; `nil` for a host without a name.
    ///
    /// Neither the engine nor NIOSSL exposes it, and a connection to the right host must not be refused, so it is found
    /// by reflection. If the properties of NIOSSL change, certificates with IP addresses, irregular wildcards or no
    /// names are refused.
    private static func expectedHost(of channel: any Channel) throws -> String? {
      let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
      var mirror: Mirror? = Mirror(reflecting: handler)
      while let current = mirror {
        if let name = current.descendant("connection", "expectedHostname") { return name as? String }
        mirror = current.superclassMirror
      }
      throw ExchangeError(
        .tls(.hostMismatch),
        "the certificate names the address of the connection, or more than one host in ways that do not count, and "
          + "whether it names the host cannot be told"
      )
    }

    /// Whether a name has a wildcard that is not the whole first label of a domain.
    static func isIrregular(_ name: String) -> Bool {
      guard name.utf8.contains(UInt8(ascii: "*")) else { return false }
      let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return !name.hasPrefix("*.") || labels.count < 2 || labels[1].isEmpty
        || labels.dropFirst().contains { $0.contains(UInt8(ascii: "*")) }
    }

    /// Whether a name in a certificate, whose whole first label may be `*`, matches a host (RFC 9525 6.3).
    static func matches(_ name: String, _ host: String) -> Bool {
      guard !isIrregular(name) else { return false }
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
