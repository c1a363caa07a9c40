import HTTPTypes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sends the cookies of a jar and stores those that responses set (RFC 6265bis).
///
/// It stands below redirects and authentication, so that each hop and each attempt gets the cookies of its own
/// host, and what a redirect or a challenge sets is there for the next one. Each stage has a jar of its own unless
/// it is given one:
///
/// ```swift
/// let jar = CookieJar()
/// let pipeline = Pipeline(over: transport) {
///   Validation()
///   Cookies(jar: jar)
/// }
/// var request = Request.get("https://example.com/")
/// request.options.cookiePolicy = CookiePolicy(storesCookies: false)
/// let response = try await pipeline.send(request)
/// ```
///
/// The cookies that the caller wrote into the `Cookie` field come first; a cookie of the jar that has the name of
/// one of them is left out. All are sent in one field. Every request is taken for the caller's own and so for one
/// of the same site, unless ``RequestOptions/cookieSite`` says otherwise.
///
/// Where it stands above redirects all the same, cookies are stored for the host that has answered in the end.
///
/// What a cache answers by itself stores nothing. What was sent, stored and refused is seen as ``CookieEvent``.
public struct Cookies: Middleware {
  /// The cookies.
  public let jar: CookieJar
  /// What is sent and stored, unless the request says otherwise.
  public let policy: CookiePolicy

  /// A stage over a jar.
  public init(jar: CookieJar = CookieJar(), policy: CookiePolicy = .all) {
    self.jar = jar
    self.policy = policy
  }

  /// Adds cookies to the request and stores those of the response.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    // The request is copied only where cookies may be added.
    let response =
      if jar.count == 0 && !isFirstPartyOnly(request) {
        try await next(request)
      } else {
        try await next(addingCookies(to: request))
      }
    if response.source != .cache, response.fields.first(of: .setCookie) != nil { store(response, request) }
    return response
  }

  // What follows stays out of the function that waits, whose frame every request in flight holds.

  @inline(never)
  private func addingCookies(to request: Request) -> Request {
    let policy = request.options.cookiePolicy ?? policy
    guard let context = context(of: request) else { return request }
    // Asked whether cookies are sent or not: it notes the first site, which those of later hops are stored by.
    guard !policy.isFirstPartyOnly || isFirstParty(request, context), policy.sendsCookies else {
      return request
    }
    let found = jar.cookies(for: context, at: Self.date(of: request), isUse: true)
    guard !found.isEmpty else { return request }
    var field = CookieField(request.fields)
    let (sent, omitted) = field.append(found, limits: jar.limits)
    if omitted > 0 { request.emit(.cookies(.omitted(count: omitted))) }
    guard sent > 0 else { return request }
    request.emit(.cookies(.sent(count: sent)))
    var request = request
    field.write(to: &request.head.headerFields)
    return request
  }

  @inline(never)
  private func store(_ response: Response, _ request: Request) {
    let policy = request.options.cookiePolicy ?? policy
    // With redirects below the stage, another host may have answered, which sets cookies for itself alone.
    let request = response.request ?? request
    guard let context = context(of: request) else { return }
    let isAllowed = policy.storesCookies && (!policy.isFirstPartyOnly || isFirstParty(request, context))
    let date = Self.date(of: request)
    for field in response.fields where field.name == .setCookie {
      var name = ""
      do throws(CookieRejection) {
        let cookie = try SetCookie(field.withUnsafeBytesOfValue { Array($0) })
        name = CookiePair.text(cookie.pair.name)
        let change = try jar.store(cookie, from: context, at: date) { cookie in
          isAllowed && policy.accepts?(cookie, request) ?? true
        }
        tell(change, request)
      } catch {
        request.emit(.cookies(.rejected(name: name, reason: error)))
      }
    }
  }

  private func tell(_ change: CookieJar.Change, _ request: Request) {
    let (name, domain) = (change.cookie.name, change.cookie.domain)
    let event: CookieEvent =
      change.isRemoval ? .removed(name: name, domain: domain) : .stored(name: name, domain: domain)
    request.emit(.cookies(event))
    for cookie in change.evicted {
      request.emit(.cookies(.evicted(name: cookie.name, domain: cookie.domain)))
    }
  }

  private static func date(of request: Request) -> Date {
    request.exchange?.time.date ?? Date()
  }

  private func context(of request: Request) -> CookieRequest? {
    guard var context = CookieRequest(request.head, trustsLoopback: jar.trustsLoopback) else { return nil }
    guard let site = request.options.cookieSite else { return context }
    context.isCrossSite = !isSameSite(request, context, as: site.uri)
    context.isNavigation = site.isTopLevelNavigation
    context.isSafeNavigation = site.isTopLevelNavigation && request.method.isSafe
    return context
  }

  private func isSameSite(_ request: Request, _ context: CookieRequest, as uri: TargetURI) -> Bool {
    let suffixes = jar.publicSuffixes
    return request.head.scheme == uri.scheme && suffixes.site(of: context.host) == suffixes.site(of: uri.host)
  }

  private func isFirstPartyOnly(_ request: Request) -> Bool {
    (request.options.cookiePolicy ?? policy).isFirstPartyOnly
  }

  /// Whether a host is of the site that the caller asked himself, which redirects may lead away from and back to.
  private func isFirstParty(_ request: Request, _ context: CookieRequest) -> Bool {
    guard request.options.cookieSite == nil else { return !context.isCrossSite }
    let site = jar.publicSuffixes.site(of: context.host)
    return request.exchange?.isFirstParty(site, atHop: request.hop) ?? (request.hop == 0)
  }
}
