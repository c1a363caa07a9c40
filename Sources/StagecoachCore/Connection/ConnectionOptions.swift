/// How a transport makes its connections: one value for every back end.
///
/// ```swift
/// var connections = ConnectionOptions()
/// connections.proxy = .environment
/// connections.addresses["api.example.com"] = "127.0.0.1"
/// connections.versions = .http1
/// ```
///
/// A transport that cannot do what is set here refuses each request with an ``ExchangeError`` of kind
/// `unsupported`; nothing is dropped in silence.
public struct ConnectionOptions: Sendable, Hashable {
  /// Whether requests go through a proxy; none by default.
  public var proxy: ProxySetting = .none
  /// The path of a Unix domain socket that all connections go to, whatever the host of a URL; nil by default.
  public var unixSocket: String?
  /// IP addresses by host: a host named here, in lower case, is not looked up. Host field, TLS name and
  /// certificate check keep the name.
  public var addresses: [String: String] = [:]
  /// The IP address of this machine that connections come from; the system's choice by default.
  public var localAddress: String?
  /// The versions of HTTP that may be spoken; HTTP/1.1 and, where TLS agrees on it (RFC 7301), HTTP/2 by default.
  public var versions: HTTPVersions = [.http1, .http2]
  /// How many connections there may be to one origin at a time; 8 by default. Requests beyond wait in order.
  public var connectionsPerOrigin = 8
  /// How long a connection without a request is kept; 60 s by default.
  public var idleTimeout: Duration = .seconds(60)

  /// The defaults: no proxy, the system's resolver, HTTP/1.1 and HTTP/2.
  public init() {}
}

/// Versions of HTTP that a transport may speak.
public struct HTTPVersions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Versions from bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// HTTP/1.1
  public static let http1 = HTTPVersions(rawValue: 1 << 0)
  /// HTTP/2, agreed on by ALPN over TLS; without ``http1`` beside it, on plain connections too, where both
  /// sides know beforehand (RFC 9113 3.3).
  public static let http2 = HTTPVersions(rawValue: 1 << 1)
  /// HTTP/3
  public static let http3 = HTTPVersions(rawValue: 1 << 2)
}
