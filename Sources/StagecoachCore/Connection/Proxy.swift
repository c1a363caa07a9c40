/// The proxy setting of a transport.
@nonexhaustive
public enum ProxySetting: Sendable, Hashable {
  /// Connects directly to the origin.
  case none
  /// Connects through this proxy, whatever the origin.
  case server(Proxy)
  /// Uses the environment variables of the process, read when the transport is created: see ``ProxyEnvironment``.
  case environment
}

/// A proxy: its protocol, its address, and optional credentials.
///
/// ```swift
/// let proxy = try Proxy("http://user:secret@proxy.example.com:3128")
/// ```
public struct Proxy: Sendable, Hashable {
  /// The protocol of a proxy.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable {
    /// HTTP, with CONNECT (RFC 9110 9.3.6) for https.
    case http
    /// HTTP over TLS.
    case https
    /// SOCKS 4; the client resolves the host.
    case socks4
    /// SOCKS 4a; the proxy resolves the host.
    case socks4a
    /// SOCKS 5 (RFC 1928); the client resolves the host.
    case socks5
    /// SOCKS 5; the proxy resolves the host.
    case socks5h
  }

  /// The authentication scheme for an HTTP proxy.
  @nonexhaustive
  public enum Authentication: String, Sendable, Hashable {
    /// Basic (RFC 7617), sent without waiting for a challenge. The password is readable on the way to the proxy.
    case basic
    /// Digest (RFC 7616), sent only after a challenge, without fallback to a weaker scheme. Requests for http use a
    /// tunnel too, so that the challenge concerns the tunnel. Requires ``TransportCapabilities/proxyDigest``.
    case digest
  }

  /// The protocol.
  public var kind: Kind
  /// The host, without brackets around an IPv6 address.
  public var host: String
  /// The port.
  public var port: Int
  /// The user name; `nil` for no authentication.
  public var user: String?
  /// The password.
  public var password: String?
  /// The authentication scheme for an HTTP proxy; ``Authentication/basic`` by default.
  public var authentication = Authentication.basic

  /// Creates a proxy.
  public init(_ kind: Kind, host: String, port: Int, user: String? = nil, password: String? = nil) {
    self.kind = kind
    self.host = host
    self.port = port
    self.user = user
    self.password = password
  }

  /// Creates a proxy from a URL. The default scheme is `http`, as in `proxy.example.com:3128`; `socks` means `socks5`.
  /// The default port is 1080 for SOCKS, 443 for https and 80 for http.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the URL is not a valid proxy URL.
  public init(_ url: String) throws {
    func refuse(_ why: String) -> ExchangeError {
      // Without the URL, which may contain a password.
      ExchangeError(.invalidRequest, "the URL of the proxy \(why)", advice: "write it as http://host:port")
    }
    var rest = Substring(url)
    var kind = Kind.http
    if let mark = rest.firstRange(of: "://") {
      let scheme = rest[..<mark.lowerBound].lowercased()
      guard let named = scheme == "socks" ? .socks5 : Kind(rawValue: scheme) else {
        throw refuse("has the unsupported scheme \(rest[..<mark.lowerBound])")
      }
      kind = named
      rest = rest[mark.upperBound...]
    }
    if let end = rest.firstIndex(where: { "/?#".contains($0) }) { rest = rest[..<end] }
    var known: UserInformation?
    if let at = rest.lastIndex(of: "@") {
      let information = rest[..<at]
      // Another name or password must not be sent instead.
      guard String(validating: information.utf8.percentDecoded, as: UTF8.self) != nil else {
        throw refuse("has a name or a password that is not UTF-8")
      }
      known = UserInformation(information)
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
  /// The origin of an HTTP proxy, as in ``Response/proxy``; `nil` for a SOCKS proxy, which does not answer requests.
  public var origin: TargetURI.Origin? {
    guard kind == .http || kind == .https else { return nil }
    let host = host.contains(":") ? "[\(host)]" : host
    return TargetURI.Origin(isSecure: kind == .https, host: host.lowercased(), port: port)
  }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
  /// The URL without credentials.
  public var description: String {
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(kind.rawValue)://\(user == nil ? "" : "…@")\(shown):\(port)"
  }

  /// The URL without credentials.
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
