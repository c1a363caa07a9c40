/// Whether requests go through a proxy.
@nonexhaustive
public enum ProxySetting: Sendable, Hashable {
  /// Straight to the origin.
  case none
  /// Through this proxy, whatever the origin.
  case server(Proxy)
  /// As the environment of the process says when the transport is made: see ``ProxyEnvironment``.
  case environment
}

/// A proxy: how it is spoken to, where it is, and the name and password it is given.
///
/// ```swift
/// let proxy = try Proxy("http://user:secret@proxy.example.com:3128")
/// ```
public struct Proxy: Sendable, Hashable {
  /// How a proxy is spoken to.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable {
    /// HTTP: CONNECT (RFC 9110 9.3.6) for https.
    case http
    /// HTTP over TLS.
    case https
    /// SOCKS 4: the host is resolved here.
    case socks4
    /// SOCKS 4a: the proxy resolves the host.
    case socks4a
    /// SOCKS 5 (RFC 1928): the host is resolved here.
    case socks5
    /// SOCKS 5: the proxy resolves the host.
    case socks5h
  }

  /// How the name and the password are given to a proxy of HTTP.
  @nonexhaustive
  public enum Authentication: String, Sendable, Hashable {
    /// Basic (RFC 7617), without waiting for a challenge: on the way to the proxy the password can be read.
    case basic
    /// Digest (RFC 7616), and nothing weaker, once the proxy has asked for it. Requests for http go through a tunnel
    /// too, so that it is the tunnel that is asked for. For transports with ``TransportCapabilities/proxyDigest``.
    case digest
  }

  /// How it is spoken to.
  public var kind: Kind
  /// Its host, without brackets around an IPv6 address.
  public var host: String
  /// Its port.
  public var port: Int
  /// The name it is given; nil for none.
  public var user: String?
  /// The password it is given.
  public var password: String?
  /// How a proxy of HTTP is given them; ``Authentication/basic`` by default.
  public var authentication = Authentication.basic

  /// A proxy.
  public init(_ kind: Kind, host: String, port: Int, user: String? = nil, password: String? = nil) {
    self.kind = kind
    self.host = host
    self.port = port
    self.user = user
    self.password = password
  }

  /// A proxy from its URL; `http` where there is no scheme, as in `proxy.example.com:3128`. Without a port it is
  /// 1080 for SOCKS, 443 for https and 80 for http.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` for what is no such URL.
  public init(_ url: String) throws {
    func refuse(_ why: String) -> ExchangeError {
      // Not the URL: it may hold a password.
      ExchangeError(.invalidRequest, "the URL of the proxy \(why)", advice: "write it as http://host:port")
    }
    var rest = Substring(url)
    var kind = Kind.http
    if let mark = rest.firstRange(of: "://") {
      guard let named = Kind(rawValue: rest[..<mark.lowerBound].lowercased()) else {
        throw refuse("has the scheme \(rest[..<mark.lowerBound]), which is no kind of proxy")
      }
      kind = named
      rest = rest[mark.upperBound...]
    }
    if let end = rest.firstIndex(where: { "/?#".contains($0) }) { rest = rest[..<end] }
    var known: UserInformation?
    if let at = rest.lastIndex(of: "@") {
      known = UserInformation(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    guard let place = HostAndPort(rest), !place.host.isEmpty else {
      throw refuse("has no valid host and port")
    }
    let usual =
      switch kind {
      case .http: 80
      case .https: 443
      default: 1080
      }
    self.init(kind, host: place.host, port: place.port ?? usual, user: known?.user, password: known?.password)
  }
}

extension Proxy {
  /// Where it answers requests of HTTP, as ``Response/proxy`` names it; nil for one of SOCKS, which answers none.
  public var origin: TargetURI.Origin? {
    guard kind == .http || kind == .https else { return nil }
    let host = host.contains(":") ? "[\(host)]" : host
    return TargetURI.Origin(isSecure: kind == .https, host: host.lowercased(), port: port)
  }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
  /// The URL, without the name and the password.
  public var description: String {
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(kind.rawValue)://\(user == nil ? "" : "…@")\(shown):\(port)"
  }

  /// The URL, without the name and the password.
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
