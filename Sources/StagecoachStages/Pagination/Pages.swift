import HTTPTypes
public import StagecoachCore

extension Client {
  /// Returns the pages of a collection: the response to a request, then the responses to its `next` links (RFC 8288).
  ///
  /// ```swift
  /// for try await users in client.pages(for: .get("users"), as: .json([User].self)) {
  ///   print(users.count)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: Requests the first page, by GET or HEAD. Later requests differ only in their URL: they have the same
  ///     fields, including credentials, and the same options, so timeouts apply to each page. Secrets stay within
  ///     their origin: see ``PageOriginRule/anyOrigin``.
  ///   - content: Content for the first request only, such as a query: links have their own.
  ///   - serializer: Decodes a page.
  ///   - limit: The maximum number of pages; 1000 by default. Another page is an error.
  ///   - rule: The origins that links may lead to.
  public func pages<Serializer: ResponseSerializer>(
    for request: Request,
    sending content: RequestContent? = nil,
    as serializer: Serializer,
    limit: Int = 1000,
    following rule: PageOriginRule = .sameOrigin
  ) -> Pages<Serializer> {
    Pages(client: self, request: request, content: content, serializer: serializer, limit: limit, rule: rule)
  }
}

/// The origins that links between pages may lead to.
@nonexhaustive
public enum PageOriginRule: Sendable, Hashable {
  /// Only the origin of the first request, even after redirects.
  case sameOrigin
  /// To any origin.
  ///
  /// After the first link to another origin, requests lose everything that a redirect would remove, even if later
  /// links lead back: the credential of the request, the client certificate of ``RequestOptions/trust`` unless it is
  /// named for the host, and the fields Authorization, Cookie, Origin, Referer and those in
  /// ``RequestOptions/sensitiveFields``. All other fields are sent to every origin, including the default fields of
  /// the client, so these must not contain secrets.
  case anyOrigin
}

/// The decoded pages of a collection; see ``Client/pages(for:sending:as:limit:following:)``.
///
/// A page is requested only when it is read. The next page is the first link with relation `next` whose anchor, if
/// any, is the page itself; it is resolved against the URL of the request that was answered.
///
/// Each iterator starts with the first page, and ends with its first error.
public struct Pages<Serializer: ResponseSerializer>: AsyncSequence, Sendable {
  let client: Client
  let request: Request
  let content: RequestContent?
  let serializer: Serializer
  let limit: Int
  let rule: PageOriginRule

  /// Returns an iterator, which requests the first page when it is read.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

  /// An iterator over pages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let pages: Pages
    /// The next request, `nil` at the end; an error is stored until the page before it was read.
    private var upcoming: Result<Request?, any Error>
    private var answered: Set<TargetURI> = []
    private var count = 0
    /// Whether a link has led to another origin: from then on the secrets of the first one stay out.
    private var hasLeft = false

    init(pages: Pages) {
      self.pages = pages
      upcoming = Result { try pages.first() }
    }

    /// Returns the next page, or `nil` after the last one.
    ///
    /// - Throws: ``ExchangeError``, of kind `policy` if a link leads to another origin, to an earlier page, or beyond
    ///   the limit; `protocolViolation` if a link is not a URL; `invalidRequest` if the method is neither GET nor
    ///   HEAD. `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> Serializer.Output? {
      let due = upcoming
      upcoming = .success(nil)
      guard let request = try due.get() else { return nil }
      let page = try await pages.client.response(
        for: request,
        sending: count == 0 ? pages.content : nil,
        as: pages.serializer
      )
      count += 1
      upcoming = Result { try following(page, of: request) }
      return page.value
    }

    private mutating func following(
      _ page: DecodedResponse<Serializer.Output>,
      of request: Request
    ) throws -> Request? {
      do {
        guard let (base, next) = try pages.link(in: page) else { return nil }
        guard answered.insert(base).inserted, !answered.contains(next) else {
          throw ExchangeError(.policy, "the link to the next page leads to an earlier page")
        }
        return try pages.request(for: next, after: count, hasLeft: &hasLeft)
      } catch {
        throw ExchangeError.wrapping(error, stage: Pages.stage, request: request, response: page.head)
      }
    }
  }
}

extension Pages {
  private static var stage: String { "Pages" }

  private func first() throws -> Request {
    do {
      guard request.method == .get || request.method == .head else {
        throw ExchangeError(
          .invalidRequest,
          "pages must be requested by GET or HEAD, not by \(request.method)"
        )
      }
      guard limit > 0 else { throw tooMany }
      return request
    } catch {
      throw ExchangeError.wrapping(error, stage: Self.stage, request: request)
    }
  }

  /// Returns the URL of a page and of the next one, if any.
  private func link(in page: DecodedResponse<Serializer.Output>) throws -> (TargetURI, TargetURI)? {
    let links = page.fields.links.filter { $0.relations.contains("next") }
    guard !links.isEmpty else { return nil }
    let base = try target(of: page.request)
    let link = links.first { link in
      guard let anchor = link.anchor else { return true }
      guard var context = try? base.resolving(anchor) else { return false }
      context.fragment = nil
      return context == base
    }
    guard let link else { return nil }
    do {
      var next = try base.resolving(link.target)
      next.fragment = nil
      return (base, next)
    } catch {
      throw ExchangeError(
        .protocolViolation,
        "invalid link to the next page: \(error)",
        underlying: error
      )
    }
  }

  private func request(for next: TargetURI, after count: Int, hasLeft: inout Bool) throws -> Request {
    guard count < limit else { throw tooMany }
    var following = request
    // Not the origin of the page: a redirect may have led to another one, which must not get the credentials.
    try following.resolve(against: client.base)
    let origin = try target(of: following.head).origin
    if next.origin != origin {
      guard rule == .anyOrigin else {
        throw ExchangeError(
          .policy,
          "the link to the next page leads from \(origin) to \(next.origin)",
          advice: "use .anyOrigin if other origins may see the fields of the request that are not secret"
        )
      }
      hasLeft = true
    }
    if hasLeft { removeSecrets(of: &following) }
    following.reference = next.description
    return following
  }

  /// Takes out what is for the first origin, as a redirect to another one does.
  private func removeSecrets(of following: inout Request) {
    // The client would add its options only when the request is sent: what they mark and hold counts here too.
    var whole = following
    whole.options = following.options.inheriting(client.defaults.options)
    following.head.headerFields.remove(SensitiveFields.of(whole))
    following.options.credential = nil
    if var trust = whole.options.trust, trust.identity != nil {
      trust.identity = nil
      following.options.trust = trust
    }
  }

  private func target(of head: HTTPRequest?) throws -> TargetURI {
    // A path that lacks its slash would become a part of the host.
    guard let head, let scheme = head.scheme, let authority = head.authority, let path = head.path,
      path.utf8.first == UInt8(ascii: "/")
    else {
      throw ExchangeError(
        .invalidRequest,
        "the request has no URL to resolve links against"
      )
    }
    return try TargetURI(parsing: "\(scheme)://\(authority)\(path)")
  }

  private var tooMany: ExchangeError {
    ExchangeError(
      .policy,
      "there are more than \(limit) pages",
      advice: "raise the limit, or read only a prefix of the pages",
      limit: ExchangeError.Limit(option: "limit", value: "\(limit) pages")
    )
  }
}
