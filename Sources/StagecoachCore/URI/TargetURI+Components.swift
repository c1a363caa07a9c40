extension TargetURI {
  /// `http` or `https`.
  public var scheme: String { isSecure ? "https" : "http" }

  /// The port to connect to: the given one, else 443 or 80.
  public var effectivePort: Int { port ?? Self.defaultPort(isSecure: isSecure) }

  static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

  /// The path, percent-encoded as it is sent; it starts with `/`.
  public var path: String {
    let text = requestTarget.utf8
    guard pathLength < text.count else { return requestTarget }
    return String(Substring(text.prefix(pathLength)))
  }

  /// The query without its `?`, percent-encoded as it is sent; nil if there is none, which differs from
  /// an empty one.
  public var query: String? {
    let text = requestTarget.utf8
    guard pathLength < text.count else { return nil }
    return String(Substring(text.dropFirst(pathLength + 1)))
  }

  /// The URI as a base to resolve relative references against: a `/` is appended to a path that lacks it,
  /// so that `users` against `http://host/v1` is `http://host/v1/users`. The query and fragment stay.
  public var asBase: TargetURI {
    let path = path
    guard path.utf8.last != UInt8(ascii: "/") else { return self }
    let rest = Substring(requestTarget.utf8.dropFirst(pathLength))
    let target = EncodedTarget(
      requestTarget: path + "/" + rest,
      pathLength: pathLength + 1,
      fragment: fragment
    )
    return TargetURI(on: self, target: target)
  }

  /// Scheme, host and port: whom credentials and cookies belong to (RFC 9110 4.3.1).
  public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host, lower-cased; an IPv6 address stands in brackets.
    public let host: String
    /// The port to connect to.
    public let port: Int

    /// The serialization of RFC 6454 6.2, which omits a default port: the value of `Origin`.
    public var description: String {
      let scheme = isSecure ? "https" : "http"
      return port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
  }

  /// The origin of this URI.
  public var origin: Origin { Origin(isSecure: isSecure, host: host, port: effectivePort) }

  /// Whether both URIs have the same scheme, host and effective port.
  public func isSameOrigin(as other: TargetURI) -> Bool {
    isSecure == other.isSecure && effectivePort == other.effectivePort && host == other.host
  }
}
