import StagecoachCore

/// Domain matching for cookies (RFC 6265bis 5.1.3). Hosts have the form of ``TargetURI``: lower-case ASCII.
enum CookieHost {
  /// Returns whether a host is an IP address, which has no parent domains: in brackets, or with a numeric last label,
  /// which resolvers read as IPv4.
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

  /// Returns whether a host is the domain or a name under it. The host must not be an address.
  static func matches(_ host: String, domain: String) -> Bool {
    let (host, domain) = (host.utf8, domain.utf8)
    let rest = host.count - domain.count
    guard rest >= 0, host.dropFirst(rest).elementsEqual(domain) else { return false }
    return rest == 0 || host.dropFirst(rest - 1).first == UInt8(ascii: ".")
  }

  /// Returns the canonical host; `nil` if the text is not a host.
  static func canonical(_ text: String) -> String? {
    guard !text.isEmpty, let uri = try? TargetURI(parsing: "http://\(text)/") else { return nil }
    return uri.host == text.lowercased() && uri.port == nil ? uri.host : nil
  }
}

/// Path matching for cookies (RFC 6265bis 5.1.4).
enum CookiePath {
  /// Returns the default path of a cookie: the path of the request up to its last slash.
  static func byDefault(of path: Substring) -> String {
    guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash > path.startIndex
    else { return "/" }
    return String(path[..<slash])
  }

  /// Returns whether a request path is the path of a cookie or below it, compared by octets.
  static func matches(_ path: some Collection<UInt8>, cookiePath: String) -> Bool {
    let prefix = cookiePath.utf8
    guard path.starts(with: prefix) else { return false }
    guard path.count > prefix.count, prefix.last != UInt8(ascii: "/") else { return true }
    return path.dropFirst(prefix.count).first == UInt8(ascii: "/")
  }
}
