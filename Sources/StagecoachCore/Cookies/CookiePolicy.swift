/// Which cookies of its jar a request sends, and which ones of the response are stored.
///
/// What the caller wrote into the `Cookie` field is sent by any policy.
public struct CookiePolicy: Sendable {
  /// Whether cookies of the jar are sent.
  public var sendsCookies: Bool
  /// Whether cookies of the response are stored.
  public var storesCookies: Bool
  /// Whether cookies are sent to and stored from the first party alone.
  ///
  /// That is the site of ``RequestOptions/cookieSite``. Without one it is the site that the caller himself asked; where
  /// a redirect leads to another one, that is a third party.
  public var isFirstPartyOnly: Bool
  /// Decides whether a cookie is stored that nothing else speaks against; nil for yes. It is asked as well when a
  /// server ends a cookie, which then has expired.
  public var accepts: (@Sendable (Cookie, Request) -> Bool)?

  /// A policy; by default everything is sent and stored.
  public init(
    sendsCookies: Bool = true,
    storesCookies: Bool = true,
    isFirstPartyOnly: Bool = false,
    accepts: (@Sendable (Cookie, Request) -> Bool)? = nil
  ) {
    self.sendsCookies = sendsCookies
    self.storesCookies = storesCookies
    self.isFirstPartyOnly = isFirstPartyOnly
    self.accepts = accepts
  }

  /// Everything is sent and stored.
  public static let all = CookiePolicy()
  /// Cookies are sent to and stored from the first party alone: ``isFirstPartyOnly``.
  public static let firstPartyOnly = CookiePolicy(isFirstPartyOnly: true)
  /// Nothing is sent or stored.
  public static let off = CookiePolicy(sendsCookies: false, storesCookies: false)

  /// Everything is sent, and stored what a closure accepts.
  public static func accepting(_ accepts: @escaping @Sendable (Cookie, Request) -> Bool) -> CookiePolicy {
    CookiePolicy(accepts: accepts)
  }
}

/// The site that causes a request: scheme and registrable domain of its URI.
///
/// With it a request to another site gets only the cookies that `SameSite` allows, and so does each redirect.
public struct CookieSite: Sendable, Hashable {
  /// The URI of the page.
  public var uri: TargetURI
  /// Whether the request leads the user to another page; then cookies with `SameSite=Lax` go along if its method
  /// is safe, and cookies of the response are stored.
  public var isTopLevelNavigation: Bool

  /// The site of a page.
  public init(_ uri: TargetURI, isTopLevelNavigation: Bool = false) {
    self.uri = uri
    self.isTopLevelNavigation = isTopLevelNavigation
  }
}

extension RequestOptions {
  static let cookiePolicy = RequestOption<CookiePolicy?>("cookiePolicy", default: nil)

  /// The policy of one request, or of one client, in place of that of the stage ``Cookies``; nil by default.
  public var cookiePolicy: CookiePolicy? {
    get { self[Self.cookiePolicy] }
    set { self[Self.cookiePolicy] = newValue }
  }

  static let cookieSite = RequestOption<CookieSite?>("cookieSite", default: nil)

  /// The site that causes a request, for a client that shows pages or acts for them ("site for cookies",
  /// RFC 6265bis 5.2); nil by default, and then every request is the caller's own and of no other site.
  public var cookieSite: CookieSite? {
    get { self[Self.cookieSite] }
    set { self[Self.cookieSite] = newValue }
  }
}
