import HTTPTypes
import Stagecoach
import StagecoachResilience
import TestSupport
import Testing

/// Where a cache belongs, as the article about the order of the stages says.
@Suite(.timeLimit(.minutes(1))) struct CacheOrderTests {
  /// Keeps what the hooks above allow, by URL, and answers with it.
  private struct Cache: Middleware {
    private struct Entry {
      let url: String
      let head: HTTPResponse
      let body: Bytes
    }

    private let entries = Log<Entry>()

    var urls: [String] { entries.all.map(\.url) }

    func handle(_ request: Request, next: Next) async throws -> Response {
      let url = "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")"
      if let entry = entries.all.first(where: { $0.url == url }) {
        return Response(head: entry.head, body: .bytes(entry.body), source: .cache)
      }
      var response = try await next(request)
      guard let head = request.headToStore(response.head) else { return response }
      let body = try await response.body.collect(upTo: 1000)
      entries.add(Entry(url: url, head: head, body: body))
      response.body = .bytes(body)
      return response
    }
  }

  /// The texts that some requests, one after the other, were answered with.
  private static func texts(
    _ requests: [Request],
    from transport: HandlerTransport,
    through stages: [any Middleware]
  ) async throws -> [String] {
    let pipeline = Pipeline(over: transport, stages: stages)
    var texts: [String] = []
    for request in requests {
      texts.append(String(decoding: try await pipeline.send(request).body.collect(upTo: 100)))
    }
    return texts
  }

  @Test(arguments: [true, false])
  func aCacheBelowRedirectsKeepsEachHop(isBelow: Bool) async throws {
    let transport = HandlerTransport { request in
      request.head.path == "/latest" ? redirect("/7") : Response(.ok, body: .bytes("seven"))
    }
    let cache = Cache()
    let requests = [Request.get("https://a.example/latest"), .get("https://a.example/7")]
    let stages: [any Middleware] = isBelow ? [Redirects(), cache] : [cache, Redirects()]
    #expect(try await Self.texts(requests, from: transport, through: stages) == ["seven", "seven"])
    // Above them, the end is kept under the URL that led there, and unknown under its own.
    #expect(cache.urls == ["https://a.example/latest", "https://a.example/7"])
    #expect(transport.requests.map(\.head.path) == (isBelow ? ["/latest", "/7"] : ["/latest", "/7", "/7"]))
  }

  @Test(arguments: [true, false])
  func aCacheBelowAuthenticationSeesTheCredentials(isBelow: Bool) async throws {
    let transport = HandlerTransport { request in
      guard let user = request.authorization.flatMap(BasicCredentials.decode)?.user else {
        return .challenge(#"Basic realm="r""#)
      }
      return Response(.ok, body: .bytes(Bytes("for \(user)")))
    }
    // As RFC 9111 3.5 wants it of a cache that serves several users.
    let hook = CacheHook { response, request in
      request.authorization == nil && response.status == .ok ? response : nil
    }
    let stages: [any Middleware] =
      isBelow ? [Authentication(), hook, Cache()] : [hook, Cache(), Authentication()]
    let requests = ["ada", "bob"].map { Request.get("https://a.example/", as: $0, "secret") }
    let texts = try await Self.texts(requests, from: transport, through: stages)
    // Above, the answer for one is handed to the other.
    #expect(texts == (isBelow ? ["for ada", "for bob"] : ["for ada", "for ada"]))
  }

  @Test(arguments: [true, false])
  func aCacheBelowCookiesSeesThem(isBelow: Bool) async throws {
    let transport = HandlerTransport { request in
      Response(.ok, body: .bytes(Bytes(request.fields[.cookie] ?? "none")))
    }
    let cookies = Cookies()
    let hook = CacheHook { response, request in request.fields[.cookie] == nil ? response : nil }
    let stages: [any Middleware] = isBelow ? [cookies, hook, Cache()] : [hook, Cache(), cookies]
    let pipeline = Pipeline(over: transport, stages: stages)
    var texts: [String] = []
    for user in ["user=1", "user=2"] {
      try cookies.jar.store(user, from: try TargetURI(parsing: "https://a.example/"))
      texts.append(
        String(decoding: try await pipeline.send(.get("https://a.example/")).body.collect(upTo: 100))
      )
    }
    #expect(texts == (isBelow ? ["user=1", "user=2"] : ["user=1", "user=1"]))
  }

  @Test(arguments: [true, false])
  func aHitTakesNoSlot(isAbove: Bool) async throws {
    let transport = HandlerTransport { _ in Response(.ok, body: .bytes("x")) }
    let (limit, cache) = (ConcurrencyLimit(perClient: 1, queueLimit: 0), Cache())
    let pipeline = Pipeline(over: transport, stages: isAbove ? [cache, limit] : [limit, cache])
    let known = Request.get("https://a.example/known")
    _ = try await pipeline.send(known).body.collect(upTo: 9)
    // Holds the only slot until it is read.
    let held = try await Pipeline(over: transport, stages: [limit]).send(.get("https://a.example/held"))
    if isAbove {
      #expect(try await pipeline.send(known).source == .cache)
    } else {
      await #expect(throws: ExchangeError.self) { try await pipeline.send(known) }
    }
    held.body.cancel()
  }

  @Test(arguments: [true, false])
  func aHitPassesAnOpenCircuit(isAbove: Bool) async throws {
    let transport = HandlerTransport { request in
      guard request.head.path == "/known" else { throw ExchangeError(.connectionRefused, "nobody there") }
      return Response(.ok, body: .bytes("x"))
    }
    let (breaker, cache) = (CircuitBreaker(), Cache())
    let pipeline = Pipeline(over: transport, stages: isAbove ? [cache, breaker] : [breaker, cache])
    let known = Request.get("https://a.example/known")
    _ = try await pipeline.send(known).body.collect(upTo: 9)
    for _ in 0..<5 {
      await #expect(throws: ExchangeError.self) { try await pipeline.send(.get("https://a.example/down")) }
    }
    if isAbove {
      #expect(try await pipeline.send(known).source == .cache)
    } else {
      let error = try await #require(throws: ExchangeError.self) { try await pipeline.send(known) }
      #expect(error.kind == .circuitOpen)
    }
  }
}
