package import HTTPTypes
public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A stage that sends the cookies of a jar and stores the cookies of responses (RFC 6265bis).
///
/// Place it below redirects and authentication, so that each hop and each attempt sends the cookies of its own host,
/// and cookies of a redirect or a challenge are available to the next hop. Each stage has its own jar, unless one is
/// passed:
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
/// Cookies in an explicit `Cookie` field come first; a cookie of the jar with the same name is omitted. All are sent
/// in one field. Every request is treated as the caller's own and thus same-site, unless ``RequestOptions/cookieSite``
/// is set.
///
/// If the stage is placed above redirects, cookies are stored for the host of the final response.
///
/// A response from a cache stores no cookies; of one that was validated, those of the 304 are stored. Sent, stored and refused cookies are reported as ``CookieEvent``.
public struct Cookies: Middleware {
  /// The site of the first hop, once it was asked for.
  private static let firstParty = ExchangeState<String?>(nil)

  /// The values of `Set-Cookie` that the origin has sent for this request, if they are not those of the fields: a
  /// response that was validated carries those that are stored with it.
  package static let newCookies = ResponseNote<[HTTPField]?>(nil)

  /// The cookie jar.
  public let jar: CookieJar
  /// The policy, unless the request overrides it.
  public let policy: CookiePolicy

  /// Creates a stage over a jar.
  public init(jar: CookieJar = CookieJar(), policy: CookiePolicy = .all) {
    self.jar = jar
    self.policy = policy
  }

  /// Adds cookies to the request and stores those of the response.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    // The request is copied only if cookies may be added.
    let response =
      if jar.count == 0 && !isFirstPartyOnly(request) {
        try await next(request)
      } else {
        try await next(addingCookies(to: request))
      }
    switch response.source {
    case .cache, .stale: break
    default:
      let hasCookies =
        response[note: Self.newCookies].map { !$0.isEmpty } ?? (response.fields.first(of: .setCookie) != nil)
      if hasCookies { store(response, request) }
    }
    return response
  }

  // These functions are not inlined: an async frame lives as long as its request, so it is kept small.

  @inline(never)
  private func addingCookies(to request: Request) -> Request {
    let policy = request.options.cookiePolicy ?? policy
    guard let context = context(of: request) else { return request }
    // Called whether cookies are sent or not: it records the first site, which storing cookies of later hops depends
    // on.
    guard !policy.isFirstPartyOnly || isFirstParty(request, context), policy.sendsCookies else {
      return request
    }
    let found = jar.cookies(for: context, at: Self.date(of: request), isUse: true)
    guard !found.isEmpty else { return request }
    var field = CookieField(request.fields)
    let (sent, omitted) = field.append(found, limits: jar.limits)
    if omitted > 0 { request.emit(CookieEvent.omitted(count: omitted)) }
    guard sent > 0 else { return request }
    request.emit(CookieEvent.sent(count: sent))
    var request = request
    field.write(to: &request.head.headerFields)
    return request
  }

  @inline(never)
  private func store(_ response: Response, _ request: Request) {
    let policy = request.options.cookiePolicy ?? policy
    // With redirects below the stage, another host may have answered, which sets cookies for itself only.
    let request = response.request ?? request
    guard let context = context(of: request) else { return }
    let isAllowed = policy.storesCookies && (!policy.isFirstPartyOnly || isFirstParty(request, context))
    let date = Self.date(of: request)
    for field in response[note: Self.newCookies] ?? response.fields.filter({ $0.name == .setCookie }) {
      var name = ""
      do throws(CookieRejection) {
        let cookie = try SetCookie(field.octets)
        name = String(utf8OrLatin1: cookie.pair.name)
        let change = try jar.store(cookie, from: context, at: date) { cookie in
          isAllowed && policy.accepts?(cookie, request) ?? true
        }
        tell(change, request)
      } catch {
        request.emit(CookieEvent.rejected(name: name, reason: error))
      }
    }
  }

  private func tell(_ change: CookieJar.Change, _ request: Request) {
    let (name, domain) = (change.cookie.name, change.cookie.domain)
    let event: CookieEvent =
      change.isRemoval ? .removed(name: name, domain: domain) : .stored(name: name, domain: domain)
    request.emit(event)
    for cookie in change.evicted {
      request.emit(CookieEvent.evicted(name: cookie.name, domain: cookie.domain))
    }
  }

  private static func date(of request: Request) -> Date {
    request.exchange?.clock.date ?? Date()
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

  /// Returns whether a host belongs to the site that the caller requested, which redirects may lead away from and back
  /// to.
  private func isFirstParty(_ request: Request, _ context: CookieRequest) -> Bool {
    guard request.options.cookieSite == nil else { return !context.isCrossSite }
    let site = jar.publicSuffixes.site(of: context.host)
    guard let exchange = request.exchange else { return request.hop == 0 }
    return exchange.withState(Self.firstParty) { first in
      if request.hop == 0 { first = site }
      return first == site
    }
  }
}
