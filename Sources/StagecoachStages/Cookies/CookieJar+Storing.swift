public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension CookieJar {
  /// The effect of a `Set-Cookie` field.
  struct Change {
    let cookie: Cookie
    /// Whether the cookie had expired, so that the one it replaces was removed.
    let isRemoval: Bool
    /// The cookies that were evicted.
    let evicted: [Cookie]
  }

  /// Stores a cookie as if a server had set it (RFC 6265bis 5.7).
  ///
  /// ```swift
  /// let jar = CookieJar()
  /// try jar.store("theme=dark; Path=/; Max-Age=86400", from: TargetURI(parsing: "https://example.com/"))
  /// ```
  ///
  /// - Parameters:
  ///   - setCookie: The value of one `Set-Cookie` field.
  ///   - uri: The URI of the server that sets it.
  ///   - date: The current date.
  /// - Returns: The cookie; `nil` if it had expired, so that the one it replaces was removed.
  /// - Throws: ``CookieRejection`` if it was not stored.
  @discardableResult
  public func store(
    _ setCookie: String,
    from uri: TargetURI,
    at date: Date = Date()
  ) throws(CookieRejection) -> Cookie? {
    let request = CookieRequest(uri, trustsLoopback: trustsLoopback)
    let change = try store(SetCookie(Array(setCookie.utf8)), from: request, at: date) { _ in true }
    return change.isRemoval ? nil : change.cookie
  }

  /// - Parameter isAccepted: Whether the policy accepts the cookie.
  func store(
    _ field: SetCookie,
    from request: CookieRequest,
    at date: Date,
    isAccepted: (Cookie) -> Bool
  ) throws(CookieRejection) -> Change {
    let now = date.wholeSeconds
    let cookie = try cookie(field, from: request, date: date, now: now)
      .validated(isPathGiven: field.path != nil)
    if cookie.sameSite != .none, request.isCrossSite, !request.isNavigation { throw .crossSite }
    guard isAccepted(cookie) else { throw .policy }
    let evicted = try put(cookie, fromSecure: request.isSecure, now: now)
    return Change(
      cookie: cookie,
      isRemoval: cookie.expiry.map { $0 <= now } ?? false,
      evicted: evicted
    )
  }

  private func cookie(
    _ field: SetCookie,
    from request: CookieRequest,
    date: Date,
    now: Int64
  ) throws(CookieRejection) -> Cookie {
    let (domain, isHostOnly) = try domain(field.domain, host: request.host)
    guard request.isSecure || !field.isSecure else { throw .insecureSource }
    return Cookie(
      pair: field.pair,
      domain: domain,
      isHostOnly: isHostOnly,
      path: field.path ?? CookiePath.byDefault(of: request.path),
      isSecure: field.isSecure,
      isHTTPOnly: field.isHTTPOnly,
      sameSite: field.sameSite,
      expiry: Self.expiry(field, date: date, now: now),
      creation: now,
      lastAccess: now
    )
  }

  /// Returns the expiry of a cookie, rounded up to a full second.
  private static func expiry(_ field: SetCookie, date: Date, now: Int64) -> Int64? {
    if let age = field.maxAge {
      guard age > 0 else { return now }
      let isFraction = date.timeIntervalSince1970 != Double(now)
      return now + min(age, Cookie.longestLife) + (isFraction ? 1 : 0)
    }
    return field.expires.map { min($0, now + Cookie.longestLife) }
  }

  /// Returns the domain of a cookie, and whether it is host-only.
  private func domain(
    _ attribute: ArraySlice<UInt8>?,
    host: String
  ) throws(CookieRejection) -> (domain: String, isHostOnly: Bool) {
    // A name of DNS has no empty label, and in files a dot in front means something else.
    guard host.utf8.first != UInt8(ascii: ".") else { throw .invalidDomain }
    guard let attribute else { return (host, true) }
    guard attribute.allSatisfy({ $0 < 0x80 }) else { throw .invalidDomain }
    let domain = String(decoding: attribute.map(\.lowercasedInField), as: UTF8.self)
    var text = host
    let start = text.withUTF8 { publicSuffixes.registrableStart($0) }
    // A host that has nothing registrable, such as an address, shares its cookies with nobody.
    if domain == host { return (host, start == nil) }
    guard !publicSuffixes.isPublicSuffix(domain) else { throw .publicSuffix }
    guard !CookieHost.isAddress(host), CookieHost.matches(host, domain: domain) else { throw .domainMismatch }
    // A list can hold a suffix above whose parent is none.
    guard let start, domain.utf8.count >= host.utf8.count - start else { throw .publicSuffix }
    return (domain, false)
  }
}
