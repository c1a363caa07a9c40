/// What of a host decides which cookies it gets (RFC 6265bis 5.1.3); hosts are as ``TargetURI`` has them,
/// lower-cased and in ASCII.
enum CookieHost {
  /// Whether a host is an IP address, which has no domains above it: in brackets, or with a last label that is a
  /// number, as resolvers take for IPv4 in any of its spellings.
  static func isAddress(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
    guard host.first != UInt8(ascii: "[") else { return true }
    var end = host.count
    if end > 0, host[end - 1] == UInt8(ascii: ".") { end -= 1 }
    var start = end
    while start > 0, host[start - 1] != UInt8(ascii: ".") { start -= 1 }
    var digits = host[start..<end]
    guard let first = digits.first, first.isDigitOfURI else { return false }
    if digits.allSatisfy(\.isDigitOfURI) { return true }
    digits = digits.dropFirst(2)
    return first == UInt8(ascii: "0") && host[start + 1] == UInt8(ascii: "x")
      && digits.allSatisfy(\.isHexDigitOfURI)
  }

  static func isAddress(_ host: String) -> Bool {
    var host = host
    return host.withUTF8 { isAddress($0) }
  }

  /// Whether a host is the domain or a name under it. The caller makes sure that it is no address.
  static func matches(_ host: String, domain: String) -> Bool {
    let (host, domain) = (host.utf8, domain.utf8)
    let rest = host.count - domain.count
    guard rest >= 0, host.dropFirst(rest).elementsEqual(domain) else { return false }
    return rest == 0 || host.dropFirst(rest - 1).first == UInt8(ascii: ".")
  }

  /// Whether a host is this machine: `localhost`, a name under it, 127.0.0.0/8 or `[::1]`.
  static func isLoopback(_ host: String) -> Bool {
    matches(host, domain: "localhost") || host == "[::1]"
      || IPAddress(host)?.bytes.starts(with: [127]) == true
  }

  /// The host that a text is, nil if it is none.
  static func canonical(_ text: String) -> String? {
    guard !text.isEmpty, let uri = try? TargetURI(parsing: "http://\(text)/") else { return nil }
    return uri.host == text.lowercased() && uri.port == nil ? uri.host : nil
  }
}

/// Which paths a cookie is for (RFC 6265bis 5.1.4).
enum CookiePath {
  /// The path of a cookie that names none: that of the request up to its last slash.
  static func byDefault(of path: Substring) -> String {
    guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash > path.startIndex
    else { return "/" }
    return String(path[..<slash])
  }

  /// Whether a request path is the one of a cookie or lies under it, octet by octet.
  static func matches(_ path: some Collection<UInt8>, cookiePath: String) -> Bool {
    let prefix = cookiePath.utf8
    guard path.starts(with: prefix) else { return false }
    guard path.count > prefix.count, prefix.last != UInt8(ascii: "/") else { return true }
    return path.dropFirst(prefix.count).first == UInt8(ascii: "/")
  }
}
