#if CURL
  import CCurl
  import StagecoachCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The certificates and keys of a trust policy in curl's format. curl reads them in place.
  final class TrustMaterial {
    private let roots: Blob?
    private let identity: Blob?
    private let key: Blob?

    /// Bytes at a stable address.
    private final class Blob {
      let bytes: UnsafeMutableRawBufferPointer

      init(_ text: String) {
        bytes = .allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
      }

      deinit {
        bytes.deallocate()
      }
    }

    init(_ trust: Trust) {
      func pem(_ certificates: [Certificate]) -> String { certificates.map(\.pem).joined() }
      switch trust.roots {
      // The line end makes an empty list, which trusts no certificate: some versions do not accept an empty text.
      case .only(let certificates): roots = Blob("\n" + pem(certificates))
      case .systemAnd(let certificates):
        let system = Library.rootsFile.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        roots = Blob(system + "\n" + pem(certificates))
      default: roots = nil
      }
      identity = trust.identity.map { Blob(pem($0.chain)) }
      key = trust.identity.map { Blob($0.privateKeyPEM) }
    }

    /// Applies a trust policy to a handle.
    ///
    /// - Throws: `ExchangeError` of kind `unsupported`.
    func apply(_ trust: Trust, to handle: EasyHandle) throws {
      if trust.verification != .full {
        handle.set(CURLOPT_SSL_VERIFYPEER, 0)
        handle.set(CURLOPT_SSL_VERIFYHOST, 0)
      }
      if let roots {
        try handle.set(CURLOPT_CAINFO_BLOB, UnsafeRawBufferPointer(roots.bytes))
        try handle.set(CURLOPT_PROXY_CAINFO_BLOB, UnsafeRawBufferPointer(roots.bytes))
        if case .only = trust.roots {
          // Otherwise the folder of the system's roots is used besides the given ones.
          try handle.set(CURLOPT_CAPATH, nil as String?)
          try handle.set(CURLOPT_PROXY_CAPATH, nil as String?)
        }
      }
      if let identity, let key {
        try handle.set(CURLOPT_SSLCERT_BLOB, UnsafeRawBufferPointer(identity.bytes))
        try handle.set(CURLOPT_SSLCERTTYPE, "PEM")
        try handle.set(CURLOPT_SSLKEY_BLOB, UnsafeRawBufferPointer(key.bytes))
        try handle.set(CURLOPT_SSLKEYTYPE, "PEM")
      }
      let oldest = trust.minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
      let newest =
        switch trust.maximumVersion {
        case .tls12?: Int(CURL_SSLVERSION_MAX_TLSv1_2)
        case .tls13?: Int(CURL_SSLVERSION_MAX_TLSv1_3)
        default: Int(CURL_SSLVERSION_MAX_DEFAULT)
        }
      handle.set(CURLOPT_SSLVERSION, Int(oldest) | newest)
      handle.set(CURLOPT_PROXY_SSLVERSION, Int(oldest) | newest)
      if trust.examinesChain {
        handle.set(CURLOPT_CERTINFO, 1)
        // A resumed TLS session has no certificate chain.
        handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
      }
    }
  }
#endif
