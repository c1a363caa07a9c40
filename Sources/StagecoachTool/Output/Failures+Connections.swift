#if Tool
  import HTTPTypes
  import Stagecoach

  extension Failures {
    /// Returns the advice for a failed connection in terms of the options of this tool; `nil` to keep that of the error.
    static func connectionAdvice(_ error: ExchangeError) -> String? {
      switch error.kind {
      case .proxyRefused where error.response?.status == .proxyAuthenticationRequired,
        .status where error.response?.status == .proxyAuthenticationRequired:
        "check the name and the password of --proxy; a proxy that only takes Digest needs --proxy-digest and "
          + "--transport CURL"
      // A certificate that has expired also has this kind with some transports.
      case .tls(.untrusted):
        "look at the certificate: if it has expired, its owner must renew it; if the issuer is your own, name it with "
          + "--cacert"
      case .tls(.identity): "use --cert and --key with a certificate and the private key that belongs to it"
      default: nil
      }
    }
  }
#endif
