import HTTPTypes

/// The stage that follows redirects (RFC 9110 15.4).
///
/// It follows 301, 302, 303, 307 and 308, at most 20 in a row, and makes of each hop a request of its own for the
/// stages below. POST becomes GET after 301 and 302, and everything but HEAD after 303; else the method and the
/// content stay. Content that exists once is not sent again: then the 3xx is the response. From https to http is an
/// error.
///
/// What is for one connection or one server is left out of each hop: Host, Connection, TE, Upgrade,
/// Proxy-Authorization. On a change of scheme, host or port the request also loses Authorization, Cookie, Origin,
/// Referer, the fields marked in ``RequestOptions/sensitiveFields``, and the client certificate of
/// ``RequestOptions/trust`` unless that is named for the host; for the rest of the chain, also where it comes back to
/// where it began.
///
/// ```swift
/// let pipeline = Pipeline(over: transport) {
///   Redirects(policy: .sameOriginOnly, limit: 5)
/// }
/// var request = Request.get("https://example.com/latest")
/// request.options.redirectPolicy = .follow  // for this request alone
/// let response = try await pipeline.send(request)
/// for hop in response.history { print(hop.response.status, hop.request.path ?? "") }
/// ```
///
/// Each redirect is in the ``Response/history`` of the response, and each decision is an event,
/// ``Event/Kind/redirect(_:)``.
public struct Redirects: Middleware {
  /// Whether redirects are followed; a request overrides it with ``RequestOptions/redirectPolicy``.
  public var policy: RedirectPolicy

  /// How many redirects are followed in a row; a request overrides it with ``RequestOptions/redirectLimit``.
  public var limit: Int

  /// Switches; a request overrides them with ``RequestOptions/redirectRules``.
  public var rules: RedirectRules

  /// A stage that follows redirects.
  ///
  /// - Parameters:
  ///   - policy: Whether redirects are followed.
  ///   - limit: How many in a row; with 0 any redirect that would be followed is an error.
  ///   - rules: Switches, all off by default.
  public init(policy: RedirectPolicy = .follow, limit: Int = 20, rules: RedirectRules = RedirectRules()) {
    self.policy = policy
    self.limit = limit
    self.rules = rules
  }

  /// Follows the redirects of the stages below.
  ///
  /// - Throws: ``ExchangeError`` of kind `redirect` with the ``RedirectChain`` as its underlying error, or of kind
  ///   `bodyNotReplayable`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let response = try await next(request)
    guard (300..<400).contains(response.status.code) else { return response }
    return try await follow(response, to: request, next)
  }

  // What follows stays out of `handle`: every request in flight holds its frame.

  @inline(never)
  private func follow(_ first: Response, to request: Request, _ next: Next) async throws -> Response {
    var walk = RedirectWalk(
      from: request,
      policy: request.options.redirectPolicy ?? policy,
      limit: request.options.redirectLimit ?? limit,
      rules: request.options.redirectRules ?? rules
    )
    var response = first
    while try await advance(&walk, past: response) {
      await response.body.discard()
      response = try await next(walk.depart())
    }
    if !walk.history.isEmpty { response.history = walk.history + response.history }
    if walk.isRefused { response.isRefusedRedirect = true }
    return response
  }

  /// Decides about a response, and whether there is a next hop.
  private func advance(_ walk: inout RedirectWalk, past response: Response) async throws -> Bool {
    guard (300..<400).contains(response.status.code) else { return false }
    do {
      switch try walk.verdict(on: response) {
      case .stays(let event):
        if let event { walk.request.emit(.redirect(event)) }
        if case .refused = event { walk.isRefused = true }
        return false
      case .leads(var proposal):
        if case .ask(let decide) = walk.policy, try await decide(&proposal) == .stop {
          walk.request.emit(.redirect(.refused(.policy)))
          walk.isRefused = true
          return false
        }
        let answered = walk.request
        let step = try walk.follow(proposal, past: response)
        answered.emit(.redirect(.followed(step)))
        return true
      }
    } catch {
      // Told with the request of this hop, which the pipeline does not know.
      let failure = ExchangeError.wrapping(error, stage: name, request: walk.request, response: response.head)
      await response.body.discard()
      throw failure
    }
  }
}
