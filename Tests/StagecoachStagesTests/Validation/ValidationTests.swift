import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ValidationTests {
  /// The kind of refusal of an answer, nil if it passes; with the error, for a closer look.
  private static func judge(
    _ response: @escaping @Sendable () -> Response,
    request: Request = .get("http://h/"),
    expecting expected: Acceptance? = nil,
    _ predicates: Validation.Predicate...
  ) async throws -> ExchangeError? {
    var request = request
    if let expected { request.options.expectedContent = expected }
    var validation = Validation()
    if let first = predicates.first { validation = Validation(first) }
    let pipeline = Pipeline(over: HandlerTransport { _ in response() }, stages: [validation])
    do {
      _ = try await pipeline.send(request)
      return nil
    } catch let error as ExchangeError {
      #expect(error.stage == "Validation")
      return error
    }
  }

  private static func streamed(_ list: [Bytes], length: Int64? = nil) -> Response.Body {
    Response.Body(source: ScriptedSource(chunks: list), length: length)
  }

  @Test(arguments: [nil, .any, .json] as [Acceptance?])
  func theStatusDecides(expected: Acceptance?) async throws {
    for code in 100..<600 where code != 101 {
      let error = try await Self.judge({ Response(.init(code: code)) }, expecting: expected)
      #expect(error?.kind == ((200..<300).contains(code) ? nil : .status), "\(code)")
      #expect(error?.response.map { $0.status.code } ?? code == code)
    }
  }

  /// RFC 9110 13.1: the caller has asked for it.
  @Test(arguments: [HTTPField.Name.ifNoneMatch, .ifModifiedSince])
  func notModifiedAnswersACondition(name: HTTPField.Name) async throws {
    var request = Request.get("http://h/")
    request.fields[name] = "x"
    let conditional = request
    #expect(try await Self.judge({ Response(.notModified) }, request: conditional) == nil)
    let typed = try await Self.judge({ Response(.notModified) }, request: conditional, expecting: .json)
    #expect(typed?.kind == .status)
    #expect(try await Self.judge({ Response(.notModified) })?.kind == .status)
  }

  @Test func acceptsTheStatusesOfTheAcceptance() async throws {
    let expected = Acceptance(statuses: [200..<201, 300..<600])
    for (code, isFine) in [
      (199, false), (200, true), (201, false), (299, false), (300, true), (599, true), (600, false),
    ] {
      let error = try await Self.judge({ Response(.init(code: code)) }, expecting: expected)
      #expect((error == nil) == isFine, "\(code)")
      if let error { #expect(error.message.hasSuffix("(expected 200, 300-599)")) }
    }
    let none = try await Self.judge({ Response(.ok) }, expecting: Acceptance(statuses: []))
    #expect(none?.kind == .status)
  }

  private static let types: [(String?, Acceptance, Bool)] = [
    ("application/json", .json, true), ("application/json; charset=utf-8", .json, true),
    ("APPLICATION/JSON", .json, true), ("text/json", .json, true), ("text/javascript", .json, true),
    ("application/problem+json", .json, true), ("application/vnd.api+json", .json, true),
    ("text/html", .json, false), ("text/plain", .json, false), ("application/xml", .json, false),
    ("application/jsonp", .json, false), ("application/octet-stream", .json, false), (nil, .json, false),
    ("", .json, false), ("garbage", .json, false), ("application/", .json, false), ("a/b\u{1}", .json, false),
    (nil, .any, true), ("garbage", .any, true), ("text/html", .any, true),
    ("text/html", Acceptance(mediaTypes: ranges(["text/*"])), true),
    ("image/png", Acceptance(mediaTypes: ranges(["text/*"])), false),
    ("image/png", Acceptance(mediaTypes: ranges(["*/*"])), true),
    (nil, Acceptance(mediaTypes: ranges(["*/*"])), true),
    (nil, Acceptance(mediaTypes: ranges(["text/plain"]), acceptsUndeclared: true), true),
    (nil, CompoundResponseSerializer<JSONValue>(members: [JSONValueResponseSerializer()]).accepts, true),
    (
      "text/html", CompoundResponseSerializer<JSONValue>(members: [JSONValueResponseSerializer()]).accepts,
      false
    ),
  ]

  @Test(arguments: types.indices)
  func theMediaTypeDecidesWhereThereIsContent(index: Int) async throws {
    let (type, expected, isFine) = Self.types[index]
    let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
    let bodies: [@Sendable () -> Response.Body] = [
      { .bytes("x") }, { Self.streamed(["x"]) }, { Self.streamed(["x"], length: 1) },
    ]
    for body in bodies {
      let error = try await Self.judge({ Response(.ok, fields: fields, body: body()) }, expecting: expected)
      #expect(error?.kind == (isFine ? nil : .mediaType))
      guard let error else { continue }
      #expect(error.bodyPrefix == "x")
      #expect(error.message.contains(type.map { _ in "content type" } ?? "(none)"))
      #expect(error.message.contains(expected.mediaTypes[0].description))
    }
    let emptyBodies: [@Sendable () -> Response.Body] = [
      { .empty }, { .bytes("") }, { Self.streamed([], length: 0) }, { Self.streamed([]) },
    ]
    for body in emptyBodies {
      let error = try await Self.judge({ Response(.ok, fields: fields, body: body()) }, expecting: expected)
      #expect(error == nil)
    }
  }

  @Test(arguments: [204, 205, 304])
  func someStatusesHaveNoContentToJudge(code: Int) async throws {
    let expected = Acceptance(mediaTypes: ranges(["application/json"]), statuses: [200..<400])
    let error = try await Self.judge(
      { Response(.init(code: code), fields: [.contentType: "text/html"], body: Self.streamed(["x"])) },
      expecting: expected
    )
    #expect(error == nil)
  }

  @Test func anAnswerToHEADHasNoContentToJudge() async throws {
    let html: @Sendable () -> Response = {
      Response(.ok, fields: [.contentType: "text/html"], body: .bytes("x"))
    }
    #expect(try await Self.judge(html, request: .head("http://h/"), expecting: .json) == nil)
    let missing = try await Self.judge({ Response(.notFound) }, request: .head("http://h/"), expecting: .json)
    #expect(missing?.kind == .status)
  }

  @Test func aWrongStatusAndAWrongTypeAreBothSaid() async throws {
    let error = try #require(
      try await Self.judge(
        { Response(.badGateway, fields: [.contentType: "text/html"], body: .bytes("<p>")) },
        expecting: .json
      )
    )
    #expect(error.kind == .status)
    #expect(error.bodyPrefix == "<p>")
    let underlying = try #require(error.underlying as? ExchangeError)
    #expect(underlying.kind == .mediaType)
    #expect(underlying.message.hasPrefix("unexpected content type text/html"))
    let typed = try await Self.judge(
      { Response(.badGateway, fields: [.contentType: "application/json"], body: .bytes("1")) },
      expecting: .json
    )
    #expect(typed?.underlying == nil)
  }

  @Test func adviceDependsOnTheResponse() async throws {
    func advice(
      _ request: Request = .get("http://test/"),
      answer: Response
    ) async throws -> String? {
      let pipeline = Pipeline(over: HandlerTransport { _ in answer }) {
        Validation()
        Redirects()
      }
      let error = try await #require(throws: ExchangeError.self) {
        try await pipeline.send(request.with(\.expectedContent, .json))
      }
      return error.advice
    }
    #expect(
      try await advice(answer: Response(.notFound, body: .bytes("no")))
        == "the body may say why; accept the status with options.expectedContent.statuses"
    )
    #expect(
      try await advice(answer: Response(.notFound))
        == "accept the status with options.expectedContent.statuses"
    )
    let found = Response(.found, fields: [.location: "/2"])
    let declined = try await advice(.get("http://test/").with(\.redirectPolicy, .refuse), answer: found)
    #expect(declined?.contains("redirectPolicy") == true)
    let cached = Response(head: HTTPResponse(status: .gatewayTimeout), source: .cache)
    #expect(try await advice(answer: cached)?.contains("cacheMode") == true)
  }

  @Test(arguments: [
    ("http://127.0.0.1/", "no credential is available"),
    (
      "http://api.example.com/",
      "no credential is available that may be sent without TLS, except by Digest: use https, or set "
        + "options.allowsPlainCredentials"
    ),
  ])
  func theAdviceSaysWhyAChallengeWasNotAnswered(url: String, reason: String) async throws {
    let transport = HandlerTransport { _ in Response(.unauthorized, fields: [.wwwAuthenticate: "Bearer"]) }
    let pipeline = Pipeline(over: transport) {
      Validation()
      Authentication()
    }
    let error = try await #require(throws: ExchangeError.self) { try await pipeline.send(.get(url)) }
    #expect(error.advice == "Authentication did not answer it: \(reason)")
  }

  @Test(arguments: [HTTPFields(), [.location: ""]])
  func aRedirectWithoutATargetIsSaidToBeOne(fields: HTTPFields) async throws {
    for code in [301, 302, 303, 307, 308] {
      let transport = HandlerTransport { _ in Response(.init(code: code), fields: fields) }
      let pipeline = Pipeline.standard(over: transport)
      let error = try await #require(throws: ExchangeError.self) {
        try await pipeline.send(.get("http://h/"))
      }
      #expect(error.kind == .status && error.response?.status.code == code)
      let reason = fields.isEmpty ? "it has no Location" : "its Location is empty"
      #expect(error.advice == "the redirect cannot be followed: \(reason)")
    }
  }

  @Test func aRedirectThatNeedsAOneShotBodyAgainIsNotBlamedOnThePolicy() async throws {
    let transport = HandlerTransport { _ in
      Response(.temporaryRedirect, fields: [.location: "/2"])
    }
    let body = Request.Body.source(length: nil, isReplayable: false) { ScriptedSource(chunks: ["a"]) }
    let request = Request(.post, "http://h/", body: body).with(\.expectedContent, .json)
    let error = try await #require(throws: ExchangeError.self) {
      try await Pipeline.standard(over: transport).send(request)
    }
    #expect(error.advice?.contains("can be sent only once") == true)
    #expect(error.advice?.contains("policy") == false)
  }

  @Test(arguments: [429, 503])
  func aLongRetryAfterIsSaidWithItsLimit(code: Int) async throws {
    let transport = HandlerTransport { _ in Response(.init(code: code), fields: [.retryAfter: "3600"]) }
    let error = try await #require(throws: ExchangeError.self) {
      try await Pipeline.standard(over: transport).send(.get("http://h/"))
    }
    #expect(transport.requests.count == 1)
    #expect(
      error.advice
        == "Retry did not send the request again: the server asks to wait for 3600 s (limit 60 s): send it later, or "
        + "raise options.retryPolicy.longestRetryAfter"
    )
  }

  @Test func whatWasRepeatedInVainSaysSo() async throws {
    func advice(_ policy: RetryPolicy) async throws -> String? {
      let pipeline = Pipeline.standard(over: HandlerTransport { _ in Response(.serviceUnavailable) })
      let client = try Client(pipeline, configuration: .init(clock: RetrySubject.HastyTime()))
      return try await #require(throws: ExchangeError.self) {
        try await client.send(Request.get("http://h/").with(\.retryPolicy, policy))
      }.advice
    }
    #expect(
      try await advice(RetryPolicy()) == "Retry did not send the request again: all 3 attempts were used"
    )
    #expect(try await advice(.never) == "accept the status with options.expectedContent.statuses")
  }

  /// A server that challenges, whatever it gets.
  private static func refusal(
    challenge: String?,
    _ request: Request
  ) async throws -> ExchangeError {
    let fields: HTTPFields = challenge.map { [.wwwAuthenticate: $0] } ?? [:]
    let pipeline = Pipeline.standard(over: HandlerTransport { _ in Response(.unauthorized, fields: fields) })
    return try await #require(throws: ExchangeError.self) { try await pipeline.send(request) }
  }

  @Test(arguments: [
    #"Basic realm="a""#, #"Digest realm="a", nonce="n", qop="auth""#,
    #"Basic realm="a", Digest realm="a", nonce="n", qop="auth""#,
  ])
  func aWrongPasswordIsSaidToBeRefused(challenge: String) async throws {
    var request = Request.get("https://h/")
    request.options.credential = Credential(user: "ada", password: "wrong")
    let error = try await Self.refusal(challenge: challenge, request)
    #expect(error.advice == "Authentication did not answer it: the credentials were refused")
  }

  @Test func aTokenThatIsRefusedWithoutAChallengeIsSaidToBeRefused() async throws {
    var request = Request.get("https://h/")
    request.options.credential = Credential(token: "t")
    let error = try await Self.refusal(challenge: nil, request)
    #expect(error.advice == "Authentication did not answer it: the credentials were refused")
    var own = Request.get("https://h/")
    own.fields[.authorization] = "Bearer t"
    let explicit = try await Self.refusal(challenge: "Bearer", own)
    #expect(
      explicit.advice
        == "Authentication did not answer it: the explicit credentials of the request were refused"
    )
  }

  @Test func aPasswordThatAnEarlierRequestWasRefusedIsSaidToBeRefused() async throws {
    let login = try Authentication(user: "ada", password: "wrong", for: "https://h")
    let transport = HandlerTransport { _ in
      Response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="a""#])
    }
    let pipeline = Pipeline.standard(over: transport, authentication: login)
    for _ in 1...2 {
      let error = try await #require(throws: ExchangeError.self) {
        try await pipeline.send(.get("https://h/"))
      }
      #expect(error.advice == "Authentication did not answer it: the credentials were refused")
    }
    #expect(transport.requests.count == 3)
  }

  @Test func aProxyThatRefusesAPasswordIsNamed() async throws {
    func advice(_ url: String) async throws -> String? {
      let proxy = try Proxy(url)
      let transport = HandlerTransport { _ in
        var response = Response(.proxyAuthenticationRequired)
        response.noteAnswer(through: proxy)
        return response
      }
      return try await #require(throws: ExchangeError.self) {
        try await Pipeline.standard(over: transport).send(.get("http://h/"))
      }.advice
    }
    #expect(
      try await advice("http://ada:no@p:3128")
        == "the proxy http://…@p:3128 refused the name and the password"
    )
    #expect(try await advice("http://p:3128") == "the proxy http://p:3128 requires a name and a password")
  }

  @Test func whatPassesKeepsItsBodyUnread() async throws {
    let source = ScriptedSource(chunks: ["ab", "c"])
    let transport = HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    let response = try await Pipeline.standard(over: transport).send(.get("http://h/"))
    #expect(source.pulls == 0)
    #expect(try await response.collectBody() == "abc")
  }

  @Test func anUndeclaredLengthOfNothingKeepsTheResponse() async throws {
    let transport = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "text/html"], body: Self.streamed([]))
    }
    let value = try await Client(over: transport).value(for: .get("http://h/"), as: .json(Int?.self))
    #expect(value == nil)
  }

  @Test func theCallDecidesUnlessTheRequestDoes() async throws {
    let transport = HandlerTransport { _ in
      Response(.notFound, fields: [.contentType: "text/html"], body: .bytes("1"))
    }
    let client = try Client(over: transport)
    await #expect(throws: ExchangeError.self) {
      _ = try await client.value(for: .get("http://h/"), as: .json(Int.self))
    }
    let accepted = Request.get("http://h/").with(\.expectedContent, Acceptance(statuses: [404..<405]))
    #expect(try await client.value(for: accepted, as: .json(Int.self)) == 1)
    let statusOnly = Request.get("http://h/").with(\.expectedContent, nil)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: statusOnly, as: .json(Int.self))
    }
    #expect(error.kind == .status)
    #expect(error.underlying == nil)
  }

  @Test func predicatesAreAskedInOrderAfterStatusAndType() async throws {
    let asked = Log<Int>()
    let predicate = { @Sendable (number: Int, fails: Bool) -> Validation.Predicate in
      { _ in
        asked.add(number)
        if fails { throw Foreign(text: "predicate \(number)") }
      }
    }
    let validation = Validation(predicate(1, false), predicate(2, false))
    let pipeline = Pipeline(
      over: HandlerTransport { request in
        Response(request.head.path == "/404" ? .notFound : .ok, body: .bytes("body"))
      },
      stages: [validation]
    )
    var request = Request.get("http://h/")
    request.options.validation = [predicate(3, true), predicate(4, true)]
    let error = try await #require(throws: ExchangeError.self) { _ = try await pipeline.send(request) }
    #expect(asked.all == [1, 2, 3])
    #expect(error.kind == .validation)
    #expect(error.message == "predicate 3")
    #expect(error.underlying is Foreign)
    #expect(error.bodyPrefix == "body")
    _ = try? await pipeline.send(.get("http://h/404"))
    #expect(asked.all == [1, 2, 3])
    _ = try await pipeline.send(.get("http://h/"))
    #expect(asked.all == [1, 2, 3, 1, 2])
  }

  @Test func aPredicateOfOursKeepsItsKind() async throws {
    let error = try await Self.judge({ Response(.ok) }) { _ in throw ExchangeError(.policy, "not today") }
    #expect(error?.kind == .policy)
    #expect(error?.message == "not today")
  }

  @Test func transportErrorsPassUntouched() async throws {
    let transport = HandlerTransport { _ in throw ExchangeError(.connectionReset, "x") }
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Pipeline.standard(over: transport).send(.get("http://h/"))
    }
    #expect(error.kind == .connectionReset)
    #expect(error.stage == "HandlerTransport")
  }

  @Test func aSlowBodyDoesNotHideTheRefusal() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("not "), .wait])
    let transport = HandlerTransport { _ in Response(.notFound, body: Response.Body(source: source)) }
    let client = try Client(over: transport, configuration: .init(clock: time))
    async let call = client.get("http://h/", as: .data)
    await source.pulled(2)
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(10))
    do {
      _ = try await call
      Issue.record("nothing was thrown")
    } catch let error as ExchangeError {
      #expect(error.kind == .status)
      #expect(error.bodyPrefix == "not ")
    }
    #expect(source.cancels == 1)
  }

  /// A predicate whose task was cancelled has refused nothing.
  @Test func aCancelledPredicateIsACancellation() async throws {
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }) {
      Validation { _ in throw CancellationError() }
    }
    await #expect(throws: CancellationError.self) { try await pipeline.send(.get("http://h/")) }
  }

  // MARK: The whole body

  /// Passes the body of an answer on, and returns what came and the error.
  private static func passOn(
    _ response: @escaping @Sendable () -> Response,
    expecting expected: Acceptance = .any,
    failingAt count: Int = .max
  ) async throws -> (chunks: [Bytes?], error: ExchangeError?) {
    let chunks = Mutex<[Bytes?]>([])
    var request = Request.get("http://h/")
    request.options.errorBodyLimit = 4
    request.options.refusedBodyReader = { chunk in
      let number = chunks.withLock { chunks in
        chunks.append(chunk)
        return chunks.count
      }
      if number >= count { throw ExchangeError(.file, "the disk is full") }
    }
    let error = try await judge(response, request: request, expecting: expected)
    return (chunks.withLock { $0 }, error)
  }

  @Test func theWholeBodyOfAnUnexpectedStatusIsPassedOn() async throws {
    let (chunks, error) = try await Self.passOn {
      Response(.notFound, body: Self.streamed(["abc", "def", "ghi"]))
    }
    #expect(chunks == ["abc", "def", "ghi", nil])
    #expect(error?.kind == .status)
    #expect(error?.bodyPrefix == "abcd")
    let (empty, _) = try await Self.passOn { Response(.notFound) }
    #expect(empty == [nil])
  }

  @Test func aBodyThatBreaksOffHasNoEnd() async throws {
    let (chunks, error) = try await Self.passOn {
      let source = ScriptedSource([.chunk("abc"), .fail(ExchangeError(.connectionReset, "reset"))])
      return Response(.notFound, body: Response.Body(source: source))
    }
    #expect(chunks == ["abc"])
    #expect(error?.kind == .status)
  }

  @Test func aReaderThatFailsIsTheError() async throws {
    let (chunks, error) = try await Self.passOn(
      { Response(.notFound, body: Self.streamed(["abc", "def"])) },
      failingAt: 1
    )
    #expect(chunks == ["abc"])
    #expect(error?.kind == .file)
  }

  @Test func otherBodiesAreNotPassedOn() async throws {
    let (wrong, error) = try await Self.passOn(
      { Response(.ok, fields: [.contentType: "text/html"], body: Self.streamed(["abc"])) },
      expecting: .json
    )
    #expect(wrong.isEmpty && error?.kind == .mediaType)
    let (right, none) = try await Self.passOn { Response(.ok, body: Self.streamed(["abc"])) }
    #expect(right.isEmpty && none == nil)
  }
}
