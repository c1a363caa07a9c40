import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AuthenticationTests {
  private static let url = "https://h/a/b"

  private static func stage(_ change: (inout Authentication) -> Void = { _ in }) throws -> Authentication {
    var stage = try Authentication(user: "ada", password: "secret", for: "https://h")
    change(&stage)
    return stage
  }

  /// The schemes that a server which refuses everything gets to see, in order.
  private static func answers(
    to challenges: [String],
    _ request: Request = .get(AuthenticationTests.url),
    _ change: (inout Authentication) -> Void = { _ in }
  ) async throws -> (schemes: [String], log: AuthenticationLog) {
    let transport = HandlerTransport { _ in
      var response = Response(.unauthorized)
      for challenge in challenges {
        response.fields.append(HTTPField(name: .wwwAuthenticate, value: challenge))
      }
      return response
    }
    let log = AuthenticationLog()
    let response = try await stage(change).client(over: transport, log).send(request)
    #expect(response.status == .unauthorized)
    let schemes = transport.requests.map { $0.authorization?.prefix { $0 != " " } ?? "" }
    return (schemes.map(String.init), log)
  }

  struct Selection: Sendable, CustomTestStringConvertible {
    var row: String
    var challenges: [String]
    var sent: [String]
    var testDescription: String { row }
  }

  private static let digest = #"Digest realm="r", nonce="n", qop="auth""#

  @Test(arguments: [
    Selection(row: "2.3 order", challenges: [#"Basic realm="r""#, digest], sent: ["", "Digest", "Basic"]),
    Selection(
      row: "2.3 order, one field",
      challenges: [#"Basic realm="r", "# + digest],
      sent: ["", "Digest", "Basic"]
    ),
    Selection(
      row: "2.3 unknown qop",
      challenges: [#"Digest realm="r", nonce="n", qop="other""#, #"Basic realm="r""#],
      sent: ["", "Basic"]
    ),
    Selection(
      row: "2.3 unknown algorithm",
      challenges: [digest + ", algorithm=SHA-512", #"Basic realm="r""#],
      sent: ["", "Basic"]
    ),
    Selection(row: "2.3 no usable challenge", challenges: ["Negotiate, NTLM"], sent: [""]),
    Selection(row: "2.3 no challenge", challenges: [], sent: [""]),
    Selection(row: "2.2 #48", challenges: [""], sent: [""]),
    Selection(row: "2.2 #3", challenges: ["Basic"], sent: ["", "Basic"]),
    Selection(row: "2.2 #17", challenges: [#"NTLM, Negotiate, Basic realm="a""#], sent: ["", "Basic"]),
    Selection(row: "2.2 #28", challenges: [#"Basic realm="a", realm="b""#], sent: [""]),
    Selection(row: "2.2 #29", challenges: [#"Basic realm="de"pot x""#], sent: ["", "Basic"]),
    Selection(row: "2.2 #36", challenges: ["Basic realm"], sent: ["", "Basic"]),
    Selection(row: "2.2 #44", challenges: [#"Bearer realm="Basic realm=\"x\"""#], sent: [""]),
    Selection(row: "2.2 #46", challenges: [#"Basic realm="a",Basic realm="b""#], sent: ["", "Basic"]),
    Selection(row: "2.2 #47", challenges: ["Digest realm=r;nonce=n"], sent: [""]),
    Selection(row: "2.7 no token", challenges: ["Bearer"], sent: [""]),
  ])
  func choosesTheStrongestKnownScheme(_ row: Selection) async throws {
    #expect(try await Self.answers(to: row.challenges).schemes == row.sent)
  }

  @Test("2.3 order: among Digests the first that is not MD5") func choosesTheFirstDigestThatIsNotMD5()
    async throws
  {
    let offered = ["MD5", "SHA-256", "SHA-512-256"]
    for (order, chosen) in [
      ([0, 1, 2], "SHA-256"), ([2, 1, 0], "SHA-512-256"), ([0], "MD5"), ([1, 0], "SHA-256"),
    ] {
      let transport = HandlerTransport { request in
        guard request.authorization == nil else { return Response(.ok) }
        var response = Response(.unauthorized)
        for index in order {
          let value = Self.digest + ", algorithm=\(offered[index])"
          response.fields.append(HTTPField(name: .wwwAuthenticate, value: value))
        }
        return response
      }
      _ = try await Self.stage().client(over: transport).send(.get(Self.url))
      #expect(transport.requests[1].authorization?.contains("algorithm=\(chosen),") == true)
    }
  }

  @Test func weakerSchemesAreRefusedByLeavingThemOut() async throws {
    let (schemes, log) = try await Self.answers(to: [#"Basic realm="r""#]) { $0.schemes = [DigestScheme()] }
    #expect(schemes == [""])
    #expect(log.count(.passedOn(.noScheme)) == 1)
    var request = Request.get(Self.url)
    request.options.authenticationSchemes = ["digest"]
    #expect(
      try await Self.answers(to: [#"Basic realm="r""#, Self.digest], request).schemes == ["", "Digest"]
    )
  }

  @Test func aCopyWithOtherSchemesSharesNothingLearned() async throws {
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge(#"Basic realm="r""#) : Response(.ok)
    }
    let original = try Self.stage()
    #expect(try await original.client(over: transport).send(.get(Self.url)).status == .ok)
    var copy = original
    copy.schemes = [DigestScheme()]
    #expect(try await copy.client(over: transport).send(.get(Self.url)).status == .unauthorized)
    #expect(transport.requests.last?.authorization == nil)
  }

  @Test("2.3 failed credential") func aFailedCredentialIsNeverSentAgain() async throws {
    let transport = HandlerTransport { _ in .challenge(#"Basic realm="r""#) }
    let log = AuthenticationLog()
    let client = try Self.stage().client(over: transport, log)
    for _ in 0..<3 { _ = try await client.send(.get(Self.url)) }
    #expect(transport.requests.compactMap(\.authorization).count == 1)
    #expect(log.count(.failed(scheme: "Basic")) == 1)
    #expect(log.count(.skipped(scheme: "Basic", .refusedBefore)) == 3)
    // Another one is tried.
    _ = try await client.send(.get(Self.url, as: "ada", "other"))
    #expect(transport.requests.compactMap(\.authorization).count == 2)
  }

  @Test func aChangeOfTheStoreEndsWhatWasLearned() async throws {
    let store = MemoryCredentialStore()
    try store.set(Credential(user: "ada", password: "old"), for: "https://h:443/x")
    let transport = HandlerTransport { request in
      request.authorization == "Basic YWRhOm5ldw==" ? Response(.ok) : .challenge(#"Basic realm="r""#)
    }
    let client = try Authentication(store: store).client(over: transport)
    #expect(try await client.send(.get(Self.url)).status == .unauthorized)
    try store.set(Credential(user: "ada", password: "new"), for: "https://h")
    #expect(try await client.send(.get(Self.url)).status == .ok)
    #expect(try await client.send(.get(Self.url)).status == .ok)
    #expect(transport.requests.count == 5)
    store.removeAll()
    #expect(try await client.send(.get(Self.url)).status == .unauthorized)
    #expect(transport.requests.last?.authorization == nil)
  }

  @Test("2.3 attempts") func attemptsAreLimited() async throws {
    struct Many: ChallengeHandler {
      let asked = Counter()
      func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision {
        .use(Credential(user: "ada", password: "\(asked.add())"))
      }
    }
    for (attempts, expected) in [(nil, 3), (0, 0), (1, 1), (7, 7)] as [(Int?, Int)] {
      var request = Request.get(Self.url)
      if let attempts { request.options.authenticationAttempts = attempts }
      let (schemes, log) = try await Self.answers(to: [#"Basic realm="r""#], request) { $0.handler = Many() }
      #expect(schemes.count == expected + 1)
      #expect(log.count(.passedOn(.attempts)) == 1)
    }
  }

  @Test func aHandlerChoosesTheCredential() async throws {
    struct Fixed: ChallengeHandler {
      let decision: ChallengeDecision
      let questions = Log<ChallengeQuestion>()
      func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision {
        questions.add(question)
        return decision
      }
    }
    let challenge = [#"Basic realm="r""#]
    let other = Fixed(decision: .use(Credential(user: "eve", password: "pw")))
    #expect(try await Self.answers(to: challenge) { $0.handler = other }.schemes == ["", "Basic"])
    #expect(other.questions.all.map(\.failures) == [0, 1])
    #expect(other.questions.all.first?.space.realm == "r")
    #expect(other.questions.all.first?.proposed == Credential(user: "ada", password: "secret"))

    let standard = Fixed(decision: .useDefault)
    #expect(try await Self.answers(to: challenge) { $0.handler = standard }.schemes == ["", "Basic"])
    #expect(standard.questions.all.map { $0.proposed == nil } == [false, true])

    let (passed, log) = try await Self.answers(to: challenge) { $0.handler = Fixed(decision: .passOn) }
    #expect(passed == [""])
    #expect(log.count(.passedOn(.handler)) == 1)

    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.answers(to: challenge) { $0.handler = Fixed(decision: .cancel) }
    }
    #expect(error.kind == .authentication(.cancelled))
    #expect(error.stage == "Authentication")
    #expect(error.response?.status == .unauthorized)
  }

  @Test("2.3 body: one that exists once") func aBodyThatExistsOncePassesTheRefusalOn() async throws {
    var request = Request.post(Self.url)
    request.body = .oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil)
    let (schemes, log) = try await Self.answers(to: [Self.digest], request)
    #expect(schemes == [""])
    #expect(log.all.last == .passedOn(.bodyNotReplayable))
  }

  @Test("2.3 body: that of the refusal") func theRefusalIsDrainedAndBecomesHistory() async throws {
    let source = ScriptedSource(chunks: ["no", "body"])
    let transport = HandlerTransport { request in
      request.authorization == nil
        ? .challenge(#"Basic realm="r""#, body: Response.Body(source: source)) : Response(.ok)
    }
    let response = try await Self.stage().client(over: transport).send(.get(Self.url))
    #expect(response.status == .ok)
    #expect(source.pulls == 3 && source.cancels == 0)
    #expect(response.history.map(\.response.status) == [.unauthorized])
    #expect(transport.requests.map(\.attempt) == [1, 2])
  }

  @Test("2.3 custom Authorization: kept, and the refusal is returned")
  func keepsTheCallersAuthorizationField() async throws {
    var request = Request.get(Self.url)
    request.fields[.authorization] = "Own x"
    let (schemes, log) = try await Self.answers(to: [#"Basic realm="r""#], request)
    #expect(schemes == ["Own"])
    #expect(log.all.last == .passedOn(.fieldOfCaller))
  }

  @Test("2.3 403, 404, 5xx after credentials") func statusesOtherThan401AreReturned() async throws {
    for status in [403, 404, 407, 500, 503] as [Int] {
      let transport = HandlerTransport { request in
        let isAsked = request.head.path == "/asked" && request.authorization == nil
        return Response(
          .init(code: isAsked ? 401 : status),
          fields: [.wwwAuthenticate: #"Basic realm="r""#]
        )
      }
      let client = try Self.stage().client(over: transport)
      #expect(try await client.send(.get(Self.url)).status.code == status)
      #expect(transport.requests.count == 1)
      #expect(try await client.send(.get("https://h/asked")).status.code == status)
      #expect(transport.requests.map { $0.authorization != nil } == [false, false, true])
    }
  }

  @Test("2.3 other realm, several realms") func neverSendsACredentialToAnotherRealm() async throws {
    let store = MemoryCredentialStore()
    try store.set(Credential(user: "ada", password: "secret", realm: "b"), for: "https://h")
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge(#"Basic realm="a", Basic realm="b""#) : Response(.ok)
    }
    let client = try Authentication(store: store).client(over: transport)
    #expect(try await client.send(.get(Self.url)).status == .ok)
    let (schemes, log) = try await Self.answers(
      to: [#"Basic realm="x""#],
      {
        var request = Request.get(Self.url)
        request.options.credential = Credential(user: "ada", password: "secret", realm: "b")
        return request
      }()
    )
    #expect(schemes == [""])
    #expect(log.count(.skipped(scheme: "Basic", .otherRealm)) == 1)
  }

  @Test("2.3 Basic over http") func sendsBasicOverPlainHTTPOnlyIfAllowed() async throws {
    for (url, allowed, sent) in [
      ("http://h/", false, ["", "Digest"]), ("http://h/", true, ["", "Digest", "Basic"]),
      ("http://localhost:8080/", false, ["", "Digest", "Basic"]),
      ("http://127.0.0.9/", false, ["", "Digest", "Basic"]),
      ("http://[::1]:80/", false, ["", "Digest", "Basic"]), ("http://127.0.0.1.h/", false, ["", "Digest"]),
    ] {
      var request = Request.get(url, as: "ada", "secret")
      request.options.allowsPlainCredentials = allowed
      let (schemes, log) = try await Self.answers(to: [Self.digest, #"Basic realm="r""#], request)
      #expect(schemes == sent, "\(url)")
      #expect(log.count(.skipped(scheme: "Basic", .plainHTTP)) == (sent.count == 2 ? 1 : 0))
    }
  }

  @Test("2.5 downgrade: reported") func reportsADowngradeOfTheScheme() async throws {
    let answers = Counter()
    let transport = HandlerTransport { _ in
      switch answers.add() {
      case 1: .challenge(#"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#)
      case 3: .challenge(#"Basic realm="r""#)
      default: Response(.ok)
      }
    }
    let log = AuthenticationLog()
    let client = try Self.stage().client(over: transport, log)
    for _ in 0..<2 { #expect(try await client.send(.get(Self.url)).status == .ok) }
    #expect(log.count(.downgraded(scheme: "Basic")) == 1)
  }

  @Test("2.5 downgrade: not by our own choice") func fallingBackToAnOfferedSchemeIsNotADowngrade()
    async throws
  {
    let (schemes, log) = try await Self.answers(to: [Self.digest, #"Basic realm="r""#])
    #expect(schemes == ["", "Digest", "Basic"])
    #expect(log.all.allSatisfy { if case .downgraded = $0 { false } else { true } })
  }

  @Test func reportsARecoveredChallenge() async throws {
    let (_, log) = try await Self.answers(to: [#"Basic realm="de"pot""#])
    #expect(log.count(.recovered(.strayQuote(scheme: "Basic", parameter: "realm"))) > 0)
  }

  @Test func noSecretShowsAnywhere() async throws {
    let log = AuthenticationLog()
    let events = Log<String>()
    struct All: EventMonitor {
      let log: Log<String>
      func receive(_ event: Event) { log.add("\(event.kind)") }
    }
    let transport = HandlerTransport { _ in .challenge(Self.digest, #"Basic realm="r""#) }
    let response = try await Self.stage().client(over: transport, log, All(log: events)).send(.get(Self.url))
    let shown =
      log.all.map(\.description) + events.all + response.history.map { "\($0)" }
      + [String(reflecting: Credential(user: "ada", password: "secret")), "\(Token("secret"))"]
    for text in shown {
      for secret in ["secret", "YWRhOnNlY3JldA"] { #expect(!text.contains(secret), "\(text)") }
    }
  }

  @Test func cancellingDuringTheHandlerThrowsCancellation() async throws {
    struct Slow: ChallengeHandler {
      let started: Signal
      func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision {
        started.set()
        try await Task.sleep(for: .seconds(1000))
        return .passOn
      }
    }
    let started = Signal()
    let task = Task { try await Self.answers(to: [Self.digest]) { $0.handler = Slow(started: started) } }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func aCustomSchemeAnswersBeforeTheBuiltIn() async throws {
    struct KeyScheme: AuthenticationScheme {
      let name = "Key"
      func session(
        for challenge: AuthenticationChallenge?,
        in space: ProtectionSpace,
        with credential: Credential
      ) -> (any AuthenticationSession)? {
        credential.password.map(KeySession.init)
      }
    }
    struct KeySession: AuthenticationSession {
      let key: String
      func authorize(_ request: Request) -> Authorization? { Authorization("Key \(key)") }
      func coverage(of target: String) -> Int? { 0 }
    }
    let transport = HandlerTransport { request in
      request.authorization == "Key secret" ? Response(.ok) : .challenge(#"Basic realm="r", key realm="r""#)
    }
    let client = try Self.stage { $0.schemes.insert(KeyScheme(), at: 0) }.client(over: transport)
    for _ in 0..<2 { #expect(try await client.send(.get(Self.url)).status == .ok) }
    #expect(transport.requests.map(\.authorization) == [nil, "Key secret", "Key secret"])
  }

  @Test func aRefusalOfAnotherOriginBelowIsPassedOn() async throws {
    let transport = HandlerTransport { request in
      request.head.authority == "h" ? Response(.found) : .challenge(#"Basic realm="r""#)
    }
    let follow = Stage { request, next in
      _ = try await next(request)
      var other = request
      other.head.authority = "other"
      return try await next(other)
    }
    let (log, stage) = (AuthenticationLog(), try Self.stage())
    let client = try Client(
      Pipeline(over: transport) {
        stage
        follow
      },
      configuration: .init(monitors: [log])
    )
    #expect(try await client.send(.get(Self.url)).status == .unauthorized)
    #expect(transport.requests.allSatisfy { $0.authorization == nil })
    #expect(log.all.last == .passedOn(.otherOrigin))
  }

  /// A request that may send a password in the clear does not allow it to the next.
  @Test func aSessionInTheClearIsForRequestsThatAllowIt() async throws {
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge("Basic realm=r") : Response(.ok)
    }
    let client = try Authentication(user: "ada", password: "secret", for: "http://h").client(over: transport)
    var allowed = Request.get("http://h/a/b")
    allowed.options.allowsPlainCredentials = true
    #expect(try await client.send(allowed).status == .ok)
    #expect(try await client.send(.get("http://h/a/b")).status == .unauthorized)
    #expect(try await client.send(allowed).status == .ok)
    #expect(transport.requests.map { $0.authorization != nil } == [false, true, false, true])
  }

  @Test(arguments: [
    (AuthenticationEvent.refreshStarted, "renewing the token"), (.refreshed, "the token was renewed"),
    (.answered(scheme: "Basic", preemptive: false), "answered: Basic"),
    (.answered(scheme: "Bearer", preemptive: true), "sent preemptively: Bearer"),
    (.stale(scheme: "Digest"), "Digest: sent again because the nonce or token was stale"),
  ])
  func eventsDescribeThemselves(event: AuthenticationEvent, text: String) {
    #expect(event.description == "authentication: \(text)")
  }
}
