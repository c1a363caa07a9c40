/// What a credential opens: a realm of an origin (RFC 9110 11.5), or of a proxy.
public struct ProtectionSpace: Sendable, Hashable {
  /// The origin, or where the proxy is.
  public let origin: TargetURI.Origin
  /// The name that the server gives to the realm; empty if it gives none.
  public let realm: String
  /// Whether a proxy asks (RFC 9110 11.7).
  public let isProxy: Bool

  /// A realm of an origin or of a proxy.
  public init(origin: TargetURI.Origin, realm: String, isProxy: Bool = false) {
    self.origin = origin
    self.realm = realm
    self.isProxy = isProxy
  }
}

extension TargetURI.Origin {
  /// Whether nothing that is sent there leaves this machine. Resolvers may ask others for names under `localhost`.
  var isLoopback: Bool { CookieHost.isLoopback(host) && !host.hasSuffix(".localhost") }

  /// The origin of an absolute URL.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` for what is no http or https URL.
  static func parsing(_ url: String) throws -> TargetURI.Origin {
    do {
      return try TargetURI(parsing: url).origin
    } catch {
      throw ExchangeError(
        .invalidRequest,
        "the origin of a credential is unusable: \(error)",
        advice: "write it as https://host or https://host:port",
        underlying: error
      )
    }
  }
}
