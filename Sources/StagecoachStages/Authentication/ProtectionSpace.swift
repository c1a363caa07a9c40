public import StagecoachCore

/// A protection space: a realm of an origin or of a proxy (RFC 9110 11.5).
public struct ProtectionSpace: Sendable, Hashable {
  /// The origin, or the address of the proxy.
  public let origin: TargetURI.Origin
  /// The name of the realm; empty if the server gives none.
  public let realm: String
  /// Whether the space belongs to a proxy (RFC 9110 11.7).
  public let isProxy: Bool

  /// Creates a protection space.
  public init(origin: TargetURI.Origin, realm: String, isProxy: Bool = false) {
    self.origin = origin
    self.realm = realm
    self.isProxy = isProxy
  }
}

extension TargetURI.Origin {
  /// Whether nothing that is sent there leaves this machine. Resolvers may ask others for names under `localhost`.
  package var isLoopback: Bool { host.isLoopbackHost && !host.hasSuffix(".localhost") }

  /// Returns the origin of an absolute URL.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if it is not an http or https URL.
  static func parsing(_ url: String) throws -> TargetURI.Origin {
    do {
      return try TargetURI(parsing: url).origin
    } catch {
      throw ExchangeError(
        .invalidRequest,
        "invalid origin of a credential: \(error)",
        advice: "write it as https://host or https://host:port",
        underlying: error
      )
    }
  }
}
