public import StagecoachCore

/// A policy for sending and storing cookies.
///
/// Cookies in an explicit `Cookie` field are sent with any policy.
public struct CookiePolicy: Sendable {
  /// Whether to send cookies of the jar.
  public var sendsCookies: Bool
  /// Whether to store cookies of responses.
  public var storesCookies: Bool
  /// Whether to send and store only first-party cookies.
  ///
  /// The first party is the site of ``RequestOptions/cookieSite``. Without one it is the site that the caller
  /// requested; a site that a redirect leads to is a third party.
  public var isFirstPartyOnly: Bool
  /// Decides whether to store a cookie that passed all other checks; `nil` to store all. It is also called when a
  /// server removes a cookie, which then has expired.
  public var accepts: (@Sendable (Cookie, Request) -> Bool)?

  /// Creates a policy; by default all cookies are sent and stored.
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

  /// Sends and stores all cookies.
  public static let all = CookiePolicy()
  /// Sends and stores only first-party cookies: ``isFirstPartyOnly``.
  public static let firstPartyOnly = CookiePolicy(isFirstPartyOnly: true)
  /// Sends and stores no cookies.
  public static let off = CookiePolicy(sendsCookies: false, storesCookies: false)

  /// Returns a policy that sends all cookies, and stores those that a closure accepts.
  public static func accepting(_ accepts: @escaping @Sendable (Cookie, Request) -> Bool) -> CookiePolicy {
    CookiePolicy(accepts: accepts)
  }
}

/// The site that causes a request: scheme and registrable domain of its URI.
///
/// A request to another site sends only the cookies that `SameSite` allows; the same is true for each redirect.
public struct CookieSite: Sendable, Hashable {
  /// The URI of the page.
  public var uri: TargetURI
  /// Whether the request navigates the user to another page; then `SameSite=Lax` cookies are sent if its method is
  /// safe, and cookies of the response are stored.
  public var isTopLevelNavigation: Bool

  /// Creates the site of a page.
  public init(_ uri: TargetURI, isTopLevelNavigation: Bool = false) {
    self.uri = uri
    self.isTopLevelNavigation = isTopLevelNavigation
  }
}

extension RequestOptions {
  static let cookiePolicy = RequestOption<CookiePolicy?>("cookiePolicy", default: nil)

  /// The policy of one request or one client, which overrides the policy of the stage ``Cookies``; `nil` by default.
  public var cookiePolicy: CookiePolicy? {
    get { self[Self.cookiePolicy] }
    set { self[Self.cookiePolicy] = newValue }
  }

  static let cookieSite = RequestOption<CookieSite?>("cookieSite", default: nil)

  /// The site that causes a request, for a client that shows pages or acts for them ("site for cookies", RFC 6265bis
  /// 5.2); `nil` by default: every request is the caller's own and not cross-site.
  public var cookieSite: CookieSite? {
    get { self[Self.cookieSite] }
    set { self[Self.cookieSite] = newValue }
  }
}
