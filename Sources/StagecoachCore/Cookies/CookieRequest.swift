import HTTPTypes

/// What of a request decides which cookies it gets and may set.
struct CookieRequest {
  let host: String
  /// Without the query; it starts with a slash.
  let path: Substring
  /// Whether Secure cookies travel with it.
  let isSecure: Bool
  /// Whether another site caused it.
  var isCrossSite = false
  /// Whether it leads the user to the site, by whatever method.
  var isNavigation = false
  /// Whether it leads the user to the site and changes nothing there.
  var isSafeNavigation = false

  init(_ uri: TargetURI, trustsLoopback: Bool) {
    host = uri.host
    path = Self.path(uri.requestTarget)
    isSecure = uri.isSecure || trustsLoopback && CookieHost.isLoopback(uri.host)
  }

  /// Nil for a head that is no complete request for `http` or `https`, which no transport would send.
  init?(_ head: HTTPRequest, trustsLoopback: Bool) {
    guard let scheme = head.scheme, let target = head.path, var authority = head.authority else { return nil }
    guard scheme == "https" || scheme == "http" else { return nil }
    let parsed = authority.withUTF8 { try? URIAuthority($0, userInformation: .refuse) }
    guard let parsed else { return nil }
    host = parsed.host
    path = Self.path(target)
    isSecure = scheme == "https" || trustsLoopback && CookieHost.isLoopback(parsed.host)
  }

  private static func path(_ target: String) -> Substring {
    guard target.utf8.first == UInt8(ascii: "/") else { return "/" }
    return target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
  }

  /// Whether a cookie goes with the request, expiry aside.
  func takes(_ cookie: Cookie) -> Bool {
    guard cookie.isHostOnly ? cookie.domain == host : CookieHost.matches(host, domain: cookie.domain) else {
      return false
    }
    guard isSecure || !cookie.isSecure, CookiePath.matches(path.utf8, cookiePath: cookie.path) else {
      return false
    }
    guard isCrossSite else { return true }
    switch cookie.sameSite {
    case .none: return true
    case .lax, .unspecified: return isSafeNavigation
    case .strict: return false
    }
  }
}
