import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Answers a path from another URL, as a stage for redirects does.
private struct Detour: Middleware {
  let path: String
  let authority: String
  let target: String

  func handle(_ request: Request, next: Next) async throws -> Response {
    guard request.head.path == path else { return try await next(request) }
    var copy = request
    copy.head.authority = authority
    copy.head.path = target
    return try await next(copy)
  }
}

@Suite(.timeLimit(.minutes(2))) struct PagesTests {
  private static let link = HTTPField.Name("Link")!

  /// The body of a page is its path; a path without an entry has no link.
  private static func transport(_ links: [String: String]) -> HandlerTransport {
    HandlerTransport { request in
      let path = request.head.path ?? ""
      return Response(
        .ok,
        fields: links[path].map { [link: $0] } ?? [:],
        body: .bytes(Bytes(Array(path.utf8)))
      )
    }
  }

  private static func read<Serializer: ResponseSerializer>(
    _ pages: Pages<Serializer>
  ) async -> (values: [Serializer.Output], error: ExchangeError?) {
    var values: [Serializer.Output] = []
    var iterator = pages.makeAsyncIterator()
    do {
      while let value = try await iterator.next() { values.append(value) }
      return (values, nil)
    } catch {
      // An error is the end.
      let isEnded = (try? await iterator.next()) == nil
      #expect(isEnded)
      return (values, error as? ExchangeError)
    }
  }

  @Test func pagesAreFollowedToTheLast() async throws {
    let transport = Self.transport([
      "/v1/users?size=2": "<?page=2>; rel=\"next\", <?page=9>; rel=last",
      "/v1/users?page=2": "</else>; rel=next; anchor=\"/other\", <../v2/users#f>; rel=\"foo NEXT\"",
      "/v2/users": "<http://H:80/end>; rel=next; anchor=\"#top\", </no>; rel=next",
      "/end": "</v1/users>; rel=prev, </no>; rel=next; anchor=\"http://[\"",
    ])
    let client = try Client(over: transport, base: "http://h/v1")
    var request = Request.get("users")
    request.fields[.authorization] = "secret"
    let pages = client.pages(for: request, sending: .query(["size": 2]), as: .text)
    #expect(transport.requests.isEmpty)
    let result = await Self.read(pages)
    #expect(result.values == ["/v1/users?size=2", "/v1/users?page=2", "/v2/users", "/end"])
    #expect(result.error == nil)
    #expect(transport.requests.allSatisfy { $0.fields[.authorization] == "secret" })
    #expect(transport.requests.allSatisfy { $0.head.authority == "h" })
    // Each iterator starts anew.
    #expect(await Self.read(pages).values.count == 4)
  }

  @Test func aPageIsAskedForWhenItIsWanted() async throws {
    let transport = Self.transport(["/1": "</2>; rel=next", "/2": "</3>; rel=next"])
    let client = try Client(over: transport, base: "http://h/")
    for try await page in client.pages(for: .get("/1"), as: .text) where page == "/2" { break }
    #expect(transport.requests.map(\.head.path) == ["/1", "/2"])
  }

  @Test(arguments: [
    "<https://h/2>", "<http://h:81/2>", "<//evil/2>", "<http://h.evil/2>", "<HTTP://EVIL/>",
  ])
  func anotherOriginIsRefusedUnlessAllowed(link: String) async throws {
    let transport = Self.transport(["/1": link + "; rel=next"])
    let client = try Client(over: transport, base: "http://h/")
    let refused = await Self.read(client.pages(for: .get("1"), as: .text))
    #expect(refused.values == ["/1"])
    #expect(refused.error?.kind == .policy)
    #expect(refused.error?.stage == "Pages")
    #expect(refused.error?.message.contains("from http://h to") == true)
    #expect(transport.requests.count == 1)
    let allowed = await Self.read(client.pages(for: .get("1"), as: .text, following: .anyOrigin))
    #expect(allowed.values.count == 2)
    #expect(allowed.error == nil)
  }

  @Test(arguments: ["<javascript:alert(1)>", "<http://u:p@h/>", "<http://h:99999/>", "</\\evil>"])
  func aMalformedTargetIsAnError(link: String) async throws {
    let client = try Client(over: Self.transport(["/1": link + "; rel=next"]), base: "http://h/")
    let result = await Self.read(client.pages(for: .get("1"), as: .text, following: .anyOrigin))
    #expect(result.values == ["/1"])
    #expect(result.error?.kind == .protocolViolation)
    #expect(result.error?.underlying is URIError)
  }

  @Test(arguments: [["/1": ""], ["/1": "#f"], ["/1": "/2", "/2": "/3", "/3": "http://H:80/1"]])
  func aLoopIsAnError(targets: [String: String]) async throws {
    let transport = Self.transport(targets.mapValues { "<\($0)>; rel=next" })
    let client = try Client(over: transport, base: "http://h/")
    let result = await Self.read(client.pages(for: .get("1"), as: .text))
    #expect(result.values.count == targets.count)
    #expect(result.error?.kind == .policy)
    #expect(transport.requests.count == targets.count)
  }

  @Test func theNumberOfPagesIsLimited() async throws {
    let transport = HandlerTransport { request in
      let page = Int(request.head.path?.dropFirst() ?? "") ?? 0
      return Response(.ok, fields: [Self.link: "</\(page + 1)>; rel=next"], body: .bytes("x"))
    }
    let client = try Client(over: transport, base: "http://h/")
    for (limit, count) in [(3, 3), (1, 1), (0, 0), (-1, 0)] {
      let result = await Self.read(client.pages(for: .get("1"), as: .text, limit: limit))
      #expect(result.values.count == count)
      #expect(result.error?.kind == .policy)
      #expect(result.error?.limit?.value == "\(limit) pages")
    }
    #expect(await Self.read(client.pages(for: .get("1"), as: .text)).values.count == 1000)
  }

  @Test func linksAreResolvedAgainstWhatWasAnswered() async throws {
    let transport = Self.transport(["/b/c": "<d>; rel=next"])
    let pipeline = Pipeline(over: transport) { Detour(path: "/a", authority: "h", target: "/b/c") }
    let client = try Client(pipeline, base: "http://h/")
    #expect(await Self.read(client.pages(for: .get("a"), as: .text)).values == ["/b/c", "/b/d"])
  }

  @Test func aStrangerThatARedirectLedToIsNotFollowed() async throws {
    let transport = Self.transport(["/b/c": "<d>; rel=next"])
    let pipeline = Pipeline(over: transport) { Detour(path: "/a", authority: "evil", target: "/b/c") }
    let client = try Client(pipeline, base: "http://h/")
    let result = await Self.read(client.pages(for: .get("a"), as: .text))
    #expect(result.values == ["/b/c"])
    #expect(result.error?.kind == .policy)
    #expect(transport.requests.count == 1)
  }

  @Test func aLoopThroughARedirectIsAnError() async throws {
    let transport = Self.transport(["/1": "</r>; rel=next"])
    let pipeline = Pipeline(over: transport) { Detour(path: "/r", authority: "h", target: "/1") }
    let client = try Client(pipeline, base: "http://h/")
    let result = await Self.read(client.pages(for: .get("1"), as: .text))
    #expect(result.values == ["/1", "/1"])
    #expect(result.error?.kind == .policy)
  }

  @Test func onlySafeMethodsAreRepeated() async throws {
    let transport = Self.transport([:])
    let client = try Client(over: transport, base: "http://h/")
    let result = await Self.read(client.pages(for: .post("1"), as: .text))
    #expect(result.error?.kind == .invalidRequest)
    #expect(transport.requests.isEmpty)
  }

  @Test func aFailedPageEndsTheSequence() async throws {
    let transport = HandlerTransport { request in
      request.head.path == "/1"
        ? Response(.ok, fields: [Self.link: "</2>; rel=next"], body: .bytes("x")) : Response(.notFound)
    }
    let client = try Client(over: transport, base: "http://h/")
    let result = await Self.read(client.pages(for: .get("1"), as: .text))
    #expect(result.values == ["x"])
    #expect(result.error?.kind == .status)
    #expect(transport.requests.count == 2)
  }

  @Test(arguments: [true, false])
  func secretsStayWithTheOriginOfTheFirstPage(areDefaults: Bool) async throws {
    let transport = Self.transport([
      "/1": "</2>; rel=next", "/2": "<https://other/3>; rel=next", "/3": "<https://h/4>; rel=next",
    ])
    let (key, team) = try (#require(HTTPField.Name("X-Api-Key")), #require(HTTPField.Name("X-Team")))
    let identity = try ClientIdentity(
      chainPEM: SampleCertificates.server,
      privateKeyPEM: SampleCertificates.key
    )
    var options = RequestOptions()
    options.trust = Trust(identity: identity)
    options.trust?.minimumVersion = .tls13
    options.sensitiveFields.insert(team)
    let client = try Client(
      Pipeline(over: transport) { Authentication() },
      base: "https://h/",
      configuration: .init(defaults: .init(options: areDefaults ? options : RequestOptions()))
    )
    var request = Request.get("1")
    if !areDefaults { request.options = options }
    request.options.credential = Credential(token: "t")
    for (name, value) in [(key, "k"), (team, "t"), (.cookie, "c=1"), (.accept, "text/*")] {
      request.fields[name] = value
    }
    let result = await Self.read(client.pages(for: request, as: .text, following: .anyOrigin))
    #expect(result.values == ["/1", "/2", "/3", "/4"])
    let sent = transport.requests
    #expect(sent.map { $0.fields[.authorization] } == ["Bearer t", "Bearer t", nil, nil])
    #expect(sent.map { $0.options.trust?.identity } == [identity, identity, nil, nil])
    #expect(sent.allSatisfy { $0.options.trust?.minimumVersion == .tls13 && $0.fields[.accept] == "text/*" })
    for name in [key, team, .cookie] {
      #expect(sent.map { $0.fields.contains(name) } == [true, true, false, false])
    }
  }
}
