import HTTPTypes

extension Client {
  /// The pages of a collection: the answer to a request, then what its link `next` leads to (RFC 8288), and
  /// so on.
  ///
  /// ```swift
  /// for try await users in client.pages(for: .get("users"), as: .json([User].self)) {
  ///   print(users.count)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: Asks for the first page, by GET or HEAD. The further requests are the same but for their
  ///     URL: with its fields, also its credentials, and its options, so that timeouts are for each page. What of
  ///     it is for one origin stays there: see ``PageOriginRule/anyOrigin``.
  ///   - content: What to put into the first request alone, such as a query: links bring their own.
  ///   - serializer: Makes the value of a page.
  ///   - limit: The most pages to ask for; 1000 by default. Where another one would follow, that is an error.
  ///   - rule: Where links may lead.
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

/// Where the links between pages may lead.
@nonexhaustive
public enum PageOriginRule: Sendable, Hashable {
  /// To the origin of the first request, wherever redirects have led.
  case sameOrigin
  /// To any origin.
  ///
  /// From the first link to another origin than that of the first request on, also where links come back, requests lose
  /// what they would lose by a redirect: the credential of the request, the client certificate of
  /// ``RequestOptions/trust`` unless that is named for the host, and the fields Authorization, Cookie, Origin, Referer
  /// and those marked in ``RequestOptions/sensitiveFields``. All other fields go to every origin, and so do the default
  /// fields of the client, which are added to each request: nothing secret must be among those.
  case anyOrigin
}

/// The decoded pages of a collection; see ``Client/pages(for:sending:as:limit:following:)``.
///
/// A page is asked for when it is wanted, not before. The first link of relation `next` counts whose anchor,
/// if it has one, is the page itself; it is resolved against the URL of the request that was answered.
///
/// Each iterator starts with the first page, and ends with its first error.
public struct Pages<Serializer: ResponseSerializer>: AsyncSequence, Sendable {
  let client: Client
  let request: Request
  let content: RequestContent?
  let serializer: Serializer
  let limit: Int
  let rule: PageOriginRule

  /// An iterator, which asks for the first page when that is wanted.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

  /// Iterates over pages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let pages: Pages
    /// What to send next, nil at the end; a failure waits until the page before it was taken.
    private var upcoming: Result<Request?, any Error>
    private var answered: Set<TargetURI> = []
    private var count = 0
    /// Whether a link has led to another origin: from then on the secrets of the first one stay out.
    private var hasLeft = false

    init(pages: Pages) {
      self.pages = pages
      upcoming = Result { try pages.first() }
    }

    /// The next page, nil behind the last.
    ///
    /// - Throws: ``ExchangeError``, also of kind `policy` if a link leads to another origin, to a page that
    ///   was there already, or beyond the limit; `protocolViolation` if it is no URL; `invalidRequest` if
    ///   the method is neither GET nor HEAD. `CancellationError` if the task is cancelled.
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
          throw ExchangeError(.policy, "the link to the next page leads to a page that was there already")
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
        throw ExchangeError(.invalidRequest, "pages are asked for by GET or HEAD, not by \(request.method)")
      }
      guard limit > 0 else { throw tooMany }
      return request
    } catch {
      throw ExchangeError.wrapping(error, stage: Self.stage, request: request)
    }
  }

  /// The URL of a page and that of the next one, if there is one.
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
        "the link to the next page is unusable: \(error)",
        underlying: error
      )
    }
  }

  private func request(for next: TargetURI, after count: Int, hasLeft: inout Bool) throws -> Request {
    guard count < limit else { throw tooMany }
    var following = request
    // Not that of the page: a redirect may have led to a stranger, whom credentials are not for.
    try following.resolve(against: client.base)
    let origin = try target(of: following.head).origin
    if next.origin != origin {
      guard rule == .anyOrigin else {
        throw ExchangeError(
          .policy,
          "the link to the next page leads from \(origin) to \(next.origin)",
          advice: "follow links to any origin if it may see the fields of the request that are no secrets"
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
    following.head.headerFields.remove(RedirectFields.sensitive(of: whole))
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
        "the request that was answered has no URL to resolve links against"
      )
    }
    return try TargetURI(parsing: "\(scheme)://\(authority)\(path)")
  }

  private var tooMany: ExchangeError {
    ExchangeError(
      .policy,
      "more pages would follow than the limit of \(limit) allows",
      advice: "raise the limit, or take a prefix of the pages",
      limit: ExchangeError.Limit(option: "limit", value: "\(limit) pages")
    )
  }
}
