extension TargetURI {
  /// The scheme: `http` or `https`.
  public var scheme: String { isSecure ? "https" : "http" }

  /// The port to connect to: the explicit one, otherwise 443 or 80.
  public var effectivePort: Int { port ?? Self.defaultPort(isSecure: isSecure) }

  static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

  /// The percent-encoded path as it is sent; it starts with `/`.
  public var path: String {
    let text = requestTarget.utf8
    guard pathLength < text.count else { return requestTarget }
    return String(Substring(text.prefix(pathLength)))
  }

  /// The percent-encoded query as it is sent, without its `?`; `nil` if absent, which differs from an empty query.
  public var query: String? {
    let text = requestTarget.utf8
    guard pathLength < text.count else { return nil }
    return String(Substring(text.dropFirst(pathLength + 1)))
  }

  /// The URI as a base for relative references: with a `/` at the end of its path, so that `users` relative to
  /// `http://host/v1` is `http://host/v1/users`. The query and fragment are kept.
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

  /// The origin of this URI.
  public var origin: Origin { Origin(isSecure: isSecure, authority: authority) }

  /// Returns whether both URIs have the same scheme, host and effective port.
  public func isSameOrigin(as other: TargetURI) -> Bool { origin == other.origin }
}
