import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct CookiesTests {
  private let events = EventRecorder()
  private let time = ManualTime(date: Shown.now)

  private static func response(_ fields: String..., status: HTTPResponse.Status = .ok) -> Response {
    var response = Response(status)
    for field in fields {
      response.fields.append(HTTPField(name: .setCookie, lenientValue: Array(field.utf8)))
    }
    return response
  }

  private func client(
    _ stage: Cookies,
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) throws -> (Client, HandlerTransport) {
    let transport = HandlerTransport(handler)
    let pipeline = Pipeline(over: transport, stages: [stage])
    return (try Client(pipeline, configuration: .init(monitors: [events], clock: time)), transport)
  }

  private var told: [String] {
    events.events.compactMap { event in
      if case .stage(let event as CookieEvent) = event.kind { event.description } else { nil }
    }
  }

  private static func sent(_ transport: HandlerTransport) -> [String?] {
    transport.requests.map { $0.fields[.cookie] }
  }

  @Test("3.1 fields: each Set-Cookie is stored and comes back, of a 3xx and 401 too")
  func storesAndReturnsCookiesOfEveryStatus()
    async throws
  {
    let stage = Cookies()
    let (client, transport) = try client(stage) { request in
      switch request.head.path {
      case "/found": Self.response("f=1; Path=/", "g=a,b; Path=/", status: .found)
      case "/login": Self.response("l=1; Path=/", status: .unauthorized)
      default: Self.response()
      }
    }
    for path in ["found", "login", "x"] { _ = try await client.send(.get("https://h.example/\(path)")) }
    #expect(Self.sent(transport) == [nil, "f=1; g=a,b", "f=1; g=a,b; l=1"])
    #expect(transport.requests.allSatisfy { $0.fields.count(where: { $0.name == .cookie }) <= 1 })
    #expect(
      told == [
        "cookies: f stored for h.example", "cookies: g stored for h.example", "cookies: 2 sent",
        "cookies: l stored for h.example", "cookies: 3 sent",
      ]
    )
    #expect(stage.jar.cookies(at: Shown.now).map(\.name) == ["f", "g", "l"])
  }

  @Test func reportsRefusedCookies() async throws {
    let (client, _) = try client(Cookies()) { _ in
      Self.response(
        "a=1; Domain=example",
        "b\u{1}=1",
        "=",
        "c=1; Max-Age=0",
        "s3cret",
        "\u{1b}d=1; Domain=x.example"
      )
    }
    _ = try await client.send(.get("https://h.example/"))
    #expect(
      told == [
        "cookies: a rejected: its domain is a public suffix",
        "cookies: one without a name rejected: it contains a control character",
        "cookies: one without a name rejected: it has neither name nor value",
        "cookies: c removed for h.example", "cookies: one without a name stored for h.example",
        "cookies: one without a name rejected: it contains a control character",
      ]
    )
    let long = CookieEvent.stored(name: String(repeating: "n", count: 65) + "\n", domain: "h")
    #expect(long.description == "cookies: \(String(repeating: "n", count: 64))… stored for h")
  }

  @Test func stagesDoNotShareAJar() async throws {
    let (first, second) = (Cookies(), Cookies())
    let (client, _) = try client(first) { _ in Self.response("n=v") }
    _ = try await client.send(.get("https://h.example/"))
    #expect(first.jar.count == 1)
    #expect(second.jar.count == 0)
  }

  @Test func theCallersCookiesComeFirstAndWin() async throws {
    let jar = CookieJar()
    for field in ["a=jar", "b=jar", "=v"] {
      try jar.store(field, from: TargetURI(parsing: "https://h.example/"), at: Shown.now)
    }
    let (client, transport) = try client(Cookies(jar: jar)) { _ in Self.response() }
    var request = Request.get("https://h.example/")
    for value in ["a=mine; x=1", "y"] { request.fields.append(HTTPField(name: .cookie, value: value)) }
    request.fields[.accept] = "text/plain"
    _ = try await client.send(request)
    #expect(Self.sent(transport) == ["a=mine; x=1; y; b=jar; v"])
    let names = transport.requests[0].fields.map(\.name)
    #expect(names.filter { $0 == .cookie || $0 == .accept } == [.cookie, .accept])
    // What the caller gave is not changed by a jar that has nothing for the host.
    var other = Request.get("https://i.example/")
    for value in ["a=mine", "y"] { other.fields.append(HTTPField(name: .cookie, value: value)) }
    _ = try await client.send(other)
    #expect(transport.requests[1].fields.filter { $0.name == .cookie }.map(\.value) == ["a=mine", "y"])
  }

  @Test func octetsComeBackAsTheyCame() async throws {
    let (client, transport) = try client(Cookies()) { _ in
      var response = Response(.ok)
      response.fields.append(HTTPField(name: .setCookie, lenientValue: [0x6E, 0x3D, 0xE9, 0xFF]))
      return response
    }
    for _ in 0..<2 { _ = try await client.send(.get("https://h.example/")) }
    let field = try #require(transport.requests[1].fields.first { $0.name == .cookie })
    #expect(field.withUnsafeBytesOfValue { Array($0) } == [0x6E, 0x3D, 0xE9, 0xFF])
  }

  @Test("3.2: the limits of a request") func limitsTheCookiesOfARequest() async throws {
    var limits = CookieJar.Limits()
    (limits.perRequest, limits.fieldSize) = (2, 11)
    let jar = CookieJar(limits: limits)
    let uri = try TargetURI(parsing: "https://h.example/")
    for field in ["a=1234567890", "b=1", "c=2345", "d=1"] { try jar.store(field, from: uri, at: Shown.now) }
    let (client, transport) = try client(Cookies(jar: jar)) { _ in Self.response() }
    _ = try await client.send(.get("https://h.example/"))
    #expect(Self.sent(transport) == ["b=1; c=2345"])
    #expect(told == ["cookies: 2 omitted, beyond the limits of the jar", "cookies: 2 sent"])
    let large = CookieJar()
    for index in 0..<160 { try large.store("n\(index)=v", from: uri, at: Shown.now) }
    let stage = Cookies(jar: large)
    let (second, wire) = try self.client(stage) { _ in Self.response() }
    _ = try await second.send(.get("https://h.example/"))
    #expect(wire.requests[0].fields[.cookie]?.split(separator: ";").count == 150)
  }

  @Test("3.1 Max-Age: on the clock of the client") func expiresOnTheClockOfTheClient() async throws {
    let (client, transport) = try client(Cookies()) { request in
      request.head.path == "/set" ? Self.response("n=v; Path=/; Max-Age=60") : Self.response()
    }
    _ = try await client.send(.get("https://h.example/set"))
    time.advance(by: .seconds(59))
    _ = try await client.send(.get("https://h.example/"))
    time.advance(by: .seconds(1))
    _ = try await client.send(.get("https://h.example/"))
    // A clock that is set back revives nothing that the server has ended, and keeps what it has not.
    time.setDate(Shown.now)
    _ = try await client.send(.get("https://h.example/"))
    #expect(Self.sent(transport) == [nil, "n=v", nil, "n=v"])
  }

  @Test func whatACacheAnswersStoresNothing() async throws {
    let stage = Cookies()
    let (client, _) = try client(stage) { request in
      var response = Self.response("n=v")
      response.source = request.head.path == "/hit" ? .cache : .validated
      return response
    }
    _ = try await client.send(.get("https://h.example/hit"))
    #expect(stage.jar.count == 0)
    _ = try await client.send(.get("https://h.example/validated"))
    #expect(stage.jar.count == 1)
  }

  @Test func thePolicySaysWhetherCookiesAreSentAndStored() async throws {
    let stored = CookieJar()
    try stored.store("old=1", from: TargetURI(parsing: "https://h.example/"), at: Shown.now)
    for (policy, option, sends, stores) in [
      (.all, nil, true, true), (.off, nil, false, false), (.off, .all, true, true),
      (.all, .off, false, false),
      (CookiePolicy(sendsCookies: false), nil, false, true),
      (.all, CookiePolicy(storesCookies: false), true, false),
      (.accepting { cookie, request in cookie.name == "n" && request.method == .get }, nil, true, true),
      (.accepting { cookie, _ in cookie.revealedValue != "v" }, nil, true, false),
      (.firstPartyOnly, nil, true, true),
    ] as [(CookiePolicy, CookiePolicy?, Bool, Bool)] {
      let jar = CookieJar()
      try jar.add(stored.exported(includingSession: true, at: Shown.now).bytes, at: Shown.now)
      let before = told.count
      let (client, transport) = try client(Cookies(jar: jar, policy: policy)) { _ in Self.response("n=v") }
      _ = try await client.send(.get("https://h.example/").with(\.cookiePolicy, option))
      #expect(Self.sent(transport) == [sends ? "old=1" : nil])
      #expect(jar.count == (stores ? 2 : 1))
      #expect(told.dropFirst(before).contains("cookies: n rejected: the policy refuses it") == !stores)
    }
  }

  @Test func theFirstPartyIsTheHostOfTheCallersURL() async throws {
    let jar = CookieJar()
    try jar.store("n=v; Domain=b.example", from: TargetURI(parsing: "https://b.example/"), at: Shown.now)
    let stage = Cookies(jar: jar, policy: .firstPartyOnly)
    let (client, transport) = try client(stage) { _ in Self.response("m=v") }
    var redirected = Request.get("https://a.b.example/")
    redirected.hop = 1
    _ = try await client.send(redirected)
    var own = redirected
    own.options.cookieSite = CookieSite(try TargetURI(parsing: "https://c.b.example/page"))
    _ = try await client.send(own)
    own.options.cookieSite = CookieSite(
      try TargetURI(parsing: "https://other.example/"),
      isTopLevelNavigation: true
    )
    _ = try await client.send(own)
    _ = try await client.send(.get("https://a.b.example/"))
    #expect(Self.sent(transport) == [nil, "n=v", nil, "n=v; m=v"])
  }

  @Test func aRedirectWithinTheFirstPartyStaysFirstParty() async throws {
    let jar = CookieJar()
    try jar.store("o=1", from: TargetURI(parsing: "https://other.example/"), at: Shown.now)
    let transport = HandlerTransport { request in
      var response = Self.response("n=v; Path=/", status: .found)
      switch request.head.path {
      case "/login": response.fields[.location] = "/home"
      case "/home": response.fields[.location] = "https://other.example/"
      default: response.head.status = .ok
      }
      return response
    }
    let stages: [any Middleware] = [Redirects(), Cookies(jar: jar, policy: .firstPartyOnly)]
    let client = try Client(
      Pipeline(over: transport, stages: stages),
      configuration: .init(monitors: [events], clock: time)
    )
    #expect(try await client.send(.post("https://h.example/login")).status == .ok)
    #expect(transport.requests.map(\.head.authority) == ["h.example", "h.example", "other.example"])
    #expect(Self.sent(transport) == [nil, "n=v", nil])
    #expect(jar.cookies(at: Shown.now).map(Shown.text) == ["o=1 other.example /", "n=v h.example /"])
  }

  @Test func theFirstPartyIsKnownBeforeThereAreCookies() async throws {
    let transport = HandlerTransport { request in
      guard request.head.path != "/" else { return Response(.found, fields: [.location: "/home"]) }
      return Self.response("n=v")
    }
    let stage = Cookies(policy: .firstPartyOnly)
    let client = try Client(
      Pipeline(over: transport, stages: [Redirects(), stage]),
      configuration: .init(clock: time)
    )
    _ = try await client.send(.get("https://h.example/"))
    #expect(stage.jar.count == 1)
  }

  /// Each with the cookies that are sent, of one for each kind of SameSite.
  @Test(
    "3.2 SameSite",
    arguments: [
      (nil, false, .get, "s; l; d; n"), (nil, false, .post, "s; l; d; n"),
      ("https://x.h.example/", false, .post, "s; l; d; n"), ("http://h.example/", false, .get, "n"),
      ("https://other.example/", false, .get, "n"), ("https://other.example/", true, .get, "l; d; n"),
      ("https://other.example/", true, .head, "l; d; n"), ("https://other.example/", true, .post, "n"),
      ("https://h.example:81/", false, .get, "s; l; d; n"),
    ] as [(String?, Bool, HTTPRequest.Method, String)]
  )
  func sameSiteDecidesWhetherACookieIsSent(
    site: String?,
    isNavigation: Bool,
    method: HTTPRequest.Method,
    expected: String
  ) async throws {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://h.example/")
    for field in ["s=s; SameSite=Strict", "l=l; SameSite=Lax", "d=d", "n=n; SameSite=None; Secure"] {
      try jar.store(field, from: uri, at: Shown.now)
    }
    let (client, transport) = try client(Cookies(jar: jar)) { _ in
      Self.response("new=1", "none=1; SameSite=None; Secure")
    }
    var request = Request(method, "https://h.example/")
    request.options.cookieSite = try site.map {
      CookieSite(try TargetURI(parsing: $0), isTopLevelNavigation: isNavigation)
    }
    _ = try await client.send(request)
    let line = expected.split(separator: "; ").map { "\($0)=\($0)" }.joined(separator: "; ")
    #expect(Self.sent(transport) == [line])
    // A response to another site sets what is for all sites, unless the user is led there.
    let isRefused = told.contains("cookies: new rejected: the request came from another site")
    #expect(isRefused == (!expected.contains("s") && !isNavigation))
    #expect(jar.count == (isRefused ? 5 : 6))
  }

  @Test func onlyHTTPRequestsGetCookies() async throws {
    let jar = CookieJar()
    try jar.store("n=v", from: TargetURI(parsing: "https://h.example/"), at: Shown.now)
    let transport = HandlerTransport { _ in Self.response("m=v") }
    let pipeline = Pipeline(over: transport, stages: [Cookies(jar: jar)])
    for (scheme, authority, path, expected) in [
      ("https", "H.Example:443", "/", "n=v"), ("https", "h.example", "*", "n=v"),
      ("ftp", "h.example", "/", nil),
    ] as [(String, String, String, String?)] {
      _ = try? await pipeline.send(
        Request(head: HTTPRequest(method: .options, scheme: scheme, authority: authority, path: path))
      )
      #expect(transport.requests.last?.fields[.cookie] == expected)
      jar.removeAll { $0.name == "m" }
    }
    await #expect(throws: ExchangeError.self) {
      try await pipeline.send(
        Request(head: HTTPRequest(method: .get, scheme: "https", authority: "h.example@x", path: "/"))
      )
    }
  }

  @Test func aThousandTasksStoreAndSend() async throws {
    let stage = Cookies()
    let (client, _) = try client(stage) { request in
      let number = Int(request.head.path?.dropFirst() ?? "") ?? 0
      let host = request.head.authority ?? ""
      let cookies = request.fields[.cookie]?.split(separator: "; ") ?? []
      #expect(cookies.allSatisfy { $0.hasSuffix("=\(host)") })
      #expect(Set(cookies).count == cookies.count)
      return Self.response("n\(number % 20)=\(host); Path=/", "once\(number)=\(host); Path=/; Max-Age=0")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          _ = try await client.send(.get("https://h\(number % 50).example/\(number)"))
          if number % 100 == 0 { _ = stage.jar.exported(includingSession: true, at: Shown.now) }
        }
      }
      try await group.waitForAll()
    }
    // 50 hosts: those of an even number see the even names, the others the odd ones.
    #expect(stage.jar.count == stage.jar.cookies(at: Shown.now).count)
    #expect(stage.jar.count == Set((0..<1000).map { [$0 % 50, $0 % 20] }).count)
  }
}
