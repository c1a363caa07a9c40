#if canImport(Darwin)
  import Foundation
  import Security
  import StagecoachCore

  /// Evaluates the peers of TLS connections by a trust policy.
  struct ServerTrust: Sendable {
    private let trust: Trust

    init(_ trust: Trust) {
      self.trust = trust
    }

    /// Verifies a chain against the roots and the host name, then checks the pins and the evaluation.
    ///
    /// - Throws: `ExchangeError` of a kind `tls`.
    func check(_ peer: SecTrust, host: String) throws {
      let isVerified = trust.verification == .full
      if isVerified { try verify(peer, host: host) }
      guard trust.examinesChain else { return }
      let shown = (SecTrustCopyCertificateChain(peer) as? [SecCertificate]) ?? []
      let chain = try shown.map { try Certificate(der: Array(SecCertificateCopyData($0) as Data)) }
      try trust.evaluate(Trust.Peer(host: host, chain: chain, isVerified: isVerified))
    }

    private func verify(_ peer: SecTrust, host: String) throws {
      try require(SecTrustSetPolicies(peer, SecPolicyCreateSSL(true, host as CFString)))
      switch trust.roots {
      case .system: break
      case .only(let roots): try anchor(peer, in: roots, only: true)
      case .systemAnd(let roots): try anchor(peer, in: roots, only: false)
      @unknown default: throw ExchangeError(.unsupported, "URLSession does not know these roots")
      }
      var error: CFError?
      guard !SecTrustEvaluateWithError(peer, &error) else { return }
      let reason = error.map { $0 as any Error as NSError }
      let kind: ExchangeError.TLSFailure =
        switch reason.map({ OSStatus(truncatingIfNeeded: $0.code) }) {
        case errSecHostNameMismatch: .hostMismatch
        case errSecCertificateExpired, errSecCertificateNotValidYet: .expired
        default: .untrusted
        }
      throw ExchangeError(
        .tls(kind),
        "the certificate of \(host) was refused: \(reason?.localizedDescription ?? "no reason was given")",
        underlying: reason
      )
    }

    private func anchor(_ peer: SecTrust, in roots: [Certificate], only: Bool) throws {
      let anchors = try roots.map { root in
        guard let anchor = SecCertificateCreateWithData(nil, Data(root.der) as CFData) else {
          throw ExchangeError(.unsupported, "the system cannot read the certificate \(root)")
        }
        return anchor
      }
      try require(SecTrustSetAnchorCertificates(peer, anchors as CFArray))
      try require(SecTrustSetAnchorCertificatesOnly(peer, only))
    }

    /// Throws if a setting fails, because the peer would then be verified by other rules.
    private func require(_ status: OSStatus) throws {
      guard status != errSecSuccess else { return }
      let reason = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "\(status)"
      throw ExchangeError(.tls(.untrusted), "the trusted certificates could not be set: \(reason)")
    }
  }
#endif
