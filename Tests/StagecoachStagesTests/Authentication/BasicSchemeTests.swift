import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BasicSchemeTests {
  private static let server = HandlerTransport { request in
    request.authorization == nil ? .challenge(#"Basic realm="r""#) : Response(.ok)
  }

  private static func transport() -> HandlerTransport {
    HandlerTransport { try await server.send($0) }
  }

  /// RFC 7617 2.2: all paths at or deeper than the depth of the last symbolic element of the challenged path.
  @Test(
    "2.3 protection space of Basic",
    arguments: [
      ("/a/b", "/a/c", true), ("/a/b", "/a/", true), ("/a/b", "/a/c/d?e", true), ("/a/b", "/a", false),
      ("/a/b", "/ab", false), ("/a/b", "/", false), ("/", "/x", true), ("/a", "/x/y", true),
      ("/docs/index.html?q=/x/", "/docs/test.doc", true), ("/docs/?page=1", "/docs/?page=2", true),
      ("/docs/a", "/other/a", false), ("/docs/a/", "/docs/b", false),
    ]
  )
  func theSpaceIsTheDirectoryOfTheChallengedPath(challenged: String, path: String, isCovered: Bool)
    async throws
  {
    let transport = Self.transport()
    let client = try Authentication(user: "ada", password: "x", for: "https://h").client(over: transport)
    _ = try await client.send(.get("https://h\(challenged)"))
    _ = try await client.send(.get("https://h\(path)"))
    #expect((transport.requests[2].authorization != nil) == isCovered)
  }

  @Test("2.4 charset: a hint that changes nothing", arguments: ["UTF-8", "utf-8", "ISO-8859-1", "x"])
  func aCharsetHintChangesNothing(value: String) async throws {
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge("Basic realm=\"r\", charset=\"\(value)\"") : Response(.ok)
    }
    let client = try Authentication(user: "test", password: "123£", for: "https://h").client(over: transport)
    _ = try await client.send(.get("https://h/"))
    #expect(transport.requests.last?.authorization == "Basic dGVzdDoxMjPCow==")
  }

  @Test func aNarrowerProtectionSpaceWins() async throws {
    let store = MemoryCredentialStore()
    try store.set(Credential(user: "outer", password: "x", realm: "o"), for: "https://h")
    try store.set(Credential(user: "inner", password: "x", realm: "i"), for: "https://h")
    let transport = HandlerTransport { request in
      let isInner = request.head.path?.hasPrefix("/i/") == true
      let user = request.authorization.flatMap(BasicCredentials.decode)?.user
      return user == (isInner ? "inner" : "outer")
        ? Response(.ok) : .challenge("Basic realm=\(isInner ? "i" : "o")")
    }
    let log = AuthenticationLog()
    let client = try Authentication(store: store).client(over: transport, log)
    for path in ["/", "/i/1", "/", "/i/2", "/x"] {
      #expect(try await client.send(.get("https://h\(path)")).status == .ok)
    }
    // The outer credential is tried once for the inner space, which says nothing against it.
    #expect(transport.requests.count == 7)
    #expect(log.all.allSatisfy { if case .failed = $0 { false } else { true } })
  }

  @Test("2.3 preemptive use") func preemptiveFromTheFirstRequestIfTheCallerSaysSo() async throws {
    let transport = Self.transport()
    let log = AuthenticationLog()
    let stage = try Authentication(
      user: "Aladdin",
      password: "open sesame",
      for: "https://h",
      isPreemptive: true
    )
    _ = try await stage.client(over: transport, log).send(.get("https://h/"))
    #expect(transport.requests.map(\.authorization) == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
    #expect(log.all == [.answered(scheme: "Basic", preemptive: true)])
  }

  @Test func aPreemptiveCredentialOfAnotherRealmIsNotMarkedAsFailed() async throws {
    let store = MemoryCredentialStore()
    let credential = Credential(user: "ada", password: "secret", realm: "b", isPreemptive: true)
    try store.set(credential, for: "https://h")
    let transport = HandlerTransport { request in
      let realm = request.head.path == "/a" ? "a" : "b"
      return realm == "b" && request.authorization != nil ? Response(.ok) : .challenge("Basic realm=\(realm)")
    }
    let log = AuthenticationLog()
    let client = try Authentication(store: store).client(over: transport, log)
    #expect(try await client.send(.get("https://h/a")).status == .unauthorized)
    #expect(try await client.send(.get("https://h/b")).status == .ok)
    #expect(log.count(.failed(scheme: "Basic")) == 0)
  }

  @Test func preemptiveBasicGivesWayToWhatTheServerWants() async throws {
    let server = DigestServer()
    let transport = server.transport
    let stage = try Authentication(user: "ada", password: "secret", for: "https://h", isPreemptive: true)
    let client = try stage.client(over: transport)
    for _ in 0..<3 { #expect(try await client.send(.get("https://h/")).status == .ok) }
    #expect(transport.requests.map { $0.authorization?.prefix(5) } == ["Basic", "Diges", "Diges", "Diges"])
  }

  @Test(
    "2.4 user with a colon, C0, DEL: an error before sending",
    arguments: [("a:b", "hidden"), ("a\u{7}", "hidden"), ("a", "hidden\r\n"), ("a", "hidden\u{7f}")]
  )
  func whatBasicCannotCarryIsAnError(user: String, password: String) async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Authentication().client(over: Self.transport()).send(
        .get("https://h/", as: user, password)
      )
    }
    #expect(error.kind == .authentication(.invalidCredential))
    #expect(!"\(error)".contains("hidden"))
  }
}
