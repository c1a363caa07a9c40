/// The connection settings of a transport. All transports use this type.
///
/// ```swift
/// var connections = ConnectionOptions()
/// connections.proxy = .environment
/// connections.addresses["api.example.com"] = "127.0.0.1"
/// connections.versions = .http1
/// ```
///
/// A transport that does not support an option refuses each request with an ``ExchangeError`` of kind `unsupported`. No
/// option is ignored silently.
public struct ConnectionOptions: Sendable, Hashable {
  /// The proxy setting; no proxy by default.
  public var proxy: ProxySetting = .none
  /// The path of a Unix domain socket for all connections, whatever the host of the URL; `nil` by default.
  public var unixSocket: String?
  /// IP addresses by host name, in lower case. A host listed here is not looked up. The Host field, the TLS server name
  /// and the certificate check still use the name.
  public var addresses: [String: String] = [:]
  /// The local IP address of connections; chosen by the system by default.
  public var localAddress: String?
  /// The allowed HTTP versions; HTTP/1.1 and, if TLS negotiates it (RFC 7301), HTTP/2 by default.
  public var versions: HTTPVersions = [.http1, .http2]
  /// The maximum number of connections to one origin; 8 by default. Further requests wait, first in first out.
  public var connectionsPerOrigin = 8
  /// The time after which an idle connection is closed; 60 s by default.
  public var idleTimeout: Duration = .seconds(60)

  /// Creates the default options: no proxy, the system's resolver, HTTP/1.1 and HTTP/2.
  public init() {}
}

/// A set of HTTP versions.
public struct HTTPVersions: OptionSet, Sendable, Hashable {
  /// The bit mask of the versions.
  public let rawValue: UInt8

  /// Creates a set from a bit mask.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// HTTP/1.1
  public static let http1 = HTTPVersions(rawValue: 1 << 0)
  /// HTTP/2, negotiated by ALPN over TLS. Without ``http1`` it is also used on plaintext connections, with prior
  /// knowledge (RFC 9113 3.3).
  public static let http2 = HTTPVersions(rawValue: 1 << 1)
  /// HTTP/3
  public static let http3 = HTTPVersions(rawValue: 1 << 2)
}
