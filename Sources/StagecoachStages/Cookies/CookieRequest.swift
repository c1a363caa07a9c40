import HTTPTypes
import StagecoachCore

/// The properties of a request that determine which cookies it sends and may set.
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
    isSecure = uri.isSecure || trustsLoopback && uri.host.isLoopbackHost
  }

  /// Creates the properties of a request; `nil` if its head is not a complete `http` or `https` request.
  init?(_ head: HTTPRequest, trustsLoopback: Bool) {
    guard let target = head.path, let origin = TargetURI.Origin(head) else { return nil }
    host = origin.host
    path = Self.path(target)
    isSecure = origin.isSecure || trustsLoopback && host.isLoopbackHost
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
