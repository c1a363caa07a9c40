import HTTPTypes
public import StagecoachCore

/// A stage that follows redirects (RFC 9110 15.4).
///
/// It follows 301, 302, 303, 307 and 308, at most 20 in a row, and sends each hop as a separate request to the stages
/// below. POST becomes GET after 301 and 302, and every method except HEAD after 303; otherwise the method and the
/// content stay. If the content would have to be sent again but cannot be replayed, the 3xx is the response. A
/// redirect from https to http is an error.
///
/// Removes connection-specific and server-specific fields from each hop: Host, Connection, TE, Upgrade,
/// Proxy-Authorization. If the scheme, host or port changes, the request also loses Authorization, Cookie, Origin,
/// Referer, the fields in ``RequestOptions/sensitiveFields``, and the client certificate of ``RequestOptions/trust``
/// unless it is named for the host; for the rest of the chain, even if it leads back to the first origin.
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
/// Each redirect is part of the ``Response/history`` of the response, and each decision is reported as a
/// ``RedirectEvent``.
public struct Redirects: Middleware {
  /// Whether the response is a redirect that a policy of the caller declined to follow.
  static let isRefused = ResponseNote(false)

  /// The policy for redirects; a request overrides it with ``RequestOptions/redirectPolicy``.
  public var policy: RedirectPolicy

  /// The maximum number of consecutive redirects; a request overrides it with ``RequestOptions/redirectLimit``.
  public var limit: Int

  /// The rules for redirects; a request overrides them with ``RequestOptions/redirectRules``.
  public var rules: RedirectRules

  /// Creates a stage that follows redirects.
  ///
  /// - Parameters:
  ///   - policy: The policy for redirects.
  ///   - limit: The maximum number of consecutive redirects; with 0 any redirect that would be followed is an error.
  ///   - rules: The rules, all off by default.
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

  // These functions are not inlined into `handle`: its frame lives as long as its request.

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
    walk.explain(&response)
    return response
  }

  /// Decides on a response, and returns whether there is a next hop.
  private func advance(_ walk: inout RedirectWalk, past response: Response) async throws -> Bool {
    guard (300..<400).contains(response.status.code) else { return false }
    do {
      switch try walk.verdict(on: response) {
      case .stays(let event):
        if let event { walk.request.emit(event) }
        walk.end = event
        return false
      case .leads(var proposal):
        if case .ask(let decide) = walk.policy, try await decide(&proposal) == .stop {
          walk.request.emit(RedirectEvent.refused(.policy))
          walk.end = .refused(.policy)
          return false
        }
        let answered = walk.request
        let step = try walk.follow(proposal, past: response)
        answered.emit(RedirectEvent.followed(step))
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
