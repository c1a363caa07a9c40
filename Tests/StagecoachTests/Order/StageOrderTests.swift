import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

/// What each reordering of the standard chain changes, as the article about the order of the stages says.
@Suite struct StageOrderTests {
  /// A server that remembers what it was asked.
  private final class Server: Sendable {
    private let state = Mutex<[Request]>([])
    private let answer: @Sendable (Request, Int) -> Response

    /// - Parameter answer: Answers a request that is the nth of its path, from 1.
    init(_ answer: @escaping @Sendable (Request, Int) -> Response) {
      self.answer = answer
    }

    var requests: [Request] { state.withLock { $0 } }
    var paths: [String] { requests.compactMap(\.head.path) }

    var transport: HandlerTransport {
      HandlerTransport { request in
        let count = self.state.withLock { requests in
          requests.append(request)
          return requests.count {
            $0.head.path == request.head.path && $0.head.authority == request.head.authority
          }
        }
        return self.answer(request, count)
      }
    }
  }

  /// Repeats at once, within a budget of its own.
  private static var promptly: Retry {
    var policy = RetryPolicy()
    policy.delay = .zero
    return Retry(policy)
  }

  private func response(
    of request: Request = .get("https://a.example/start"),
    from server: Server,
    through stages: [any Middleware]
  ) async throws -> Response {
    try await Pipeline(over: server.transport, stages: stages).send(request)
  }

  /// `/start` leads to `/end`, which fails once.
  private static func leadingToAFailure() -> Server {
    Server { request, count in
      switch (request.head.path, count) {
      case ("/start", _): Response(.found, fields: [.location: "/end"])
      case ("/end", 1): Response(.serviceUnavailable)
      default: Response(.ok)
      }
    }
  }

  @Test func retryBelowRedirectsRepeatsOneHop() async throws {
    let server = Self.leadingToAFailure()
    let response = try await response(from: server, through: [Redirects(), Self.promptly])
    #expect(response.status == .ok)
    #expect(server.paths == ["/start", "/end", "/end"])
  }

  @Test func retryAboveRedirectsStartsTheChainAgain() async throws {
    let server = Self.leadingToAFailure()
    let response = try await response(from: server, through: [Self.promptly, Redirects()])
    #expect(response.status == .ok)
    #expect(server.paths == ["/start", "/end", "/start", "/end"])
  }

  @Test func aRetryOnEachSideOfRedirectsDoesBoth() async throws {
    let server = Server { request, count in
      guard request.head.path == "/end" else { return Response(.found, fields: [.location: "/end"]) }
      return count < 5 ? Response(.serviceUnavailable) : Response(.ok)
    }
    let response = try await response(from: server, through: [Self.promptly, Redirects(), Self.promptly])
    #expect(response.status == .ok)
    #expect(server.paths == ["/start", "/end", "/end", "/end", "/start", "/end", "/end"])
  }

  @Test func validationBelowRedirectsRefusesEachHop() async throws {
    let server = Self.leadingToAFailure()
    let error = try await #require(throws: ExchangeError.self) {
      try await self.response(from: server, through: [Redirects(), Validation()])
    }
    #expect(error.kind == .status)
    #expect(error.response?.status == .found)
    #expect(server.paths == ["/start"])
  }

  @Test(arguments: [true, false])
  func validationBelowRetryHidesWhatWasLeft(isBelow: Bool) async throws {
    let server = Server { _, count in Response(count == 1 ? .serviceUnavailable : .ok) }
    let stages: [any Middleware] = isBelow ? [Self.promptly, Validation()] : [Validation(), Self.promptly]
    let response = try await response(from: server, through: stages)
    #expect(response.status == .ok)
    #expect(server.requests.count == 2)
    #expect(response.history.map(\.response.status) == (isBelow ? [] : [.serviceUnavailable]))
  }

  /// Sets a cookie with a redirect.
  private static func greeting() -> Server {
    Server { request, _ in
      guard request.head.path == "/start" else { return Response(.ok) }
      return Response(.found, fields: [.location: "/end", .setCookie: "a=1"])
    }
  }

  @Test func cookiesBelowRedirectsServeEachHop() async throws {
    let server = Self.greeting()
    let cookies = Cookies()
    _ = try await response(from: server, through: [Redirects(), cookies])
    #expect(server.requests.map { $0.fields[.cookie] } == [nil, "a=1"])
    #expect(cookies.jar.count == 1)
  }

  @Test func cookiesAboveRedirectsMissWhatHopsSet() async throws {
    let server = Self.greeting()
    let cookies = Cookies()
    _ = try await response(from: server, through: [cookies, Redirects()])
    #expect(server.requests.map { $0.fields[.cookie] } == [nil, nil])
    #expect(cookies.jar.count == 0)
  }

  @Test func cookiesAboveRedirectsAreOfTheHostThatAnswered() async throws {
    let server = Server { request, _ in
      if request.head.path == "/start" {
        return Response(.found, fields: [.location: "https://b.example/deep/end"])
      }
      var response = Response(.ok)
      for value in ["a=1", "b=1; Domain=a.example"] {
        response.fields.append(HTTPField(name: .setCookie, value: value))
      }
      return response
    }
    let cookies = Cookies()
    _ = try await response(from: server, through: [cookies, Redirects()])
    let stored = cookies.jar.cookies()
    #expect(stored.map(\.name) == ["a"])
    #expect(stored.map(\.domain) == ["b.example"])
    #expect(stored.map(\.path) == ["/deep"])
  }

  /// Sets a cookie with what is not its last word.
  private static func greeting(
    _ status: HTTPResponse.Status,
    _ fields: HTTPFields = [:]
  ) -> Server {
    Server { _, count in
      count == 1
        ? Response(status, fields: fields + [HTTPField(name: .setCookie, value: "a=1")]) : Response(.ok)
    }
  }

  @Test(arguments: [true, false])
  func cookiesAboveRetryMissWhatAttemptsSet(isAbove: Bool) async throws {
    let server = Self.greeting(.serviceUnavailable)
    let cookies = Cookies()
    let stages: [any Middleware] = isAbove ? [cookies, Self.promptly] : [Self.promptly, cookies]
    #expect(try await response(from: server, through: stages).status == .ok)
    #expect(server.requests.map { $0.fields[.cookie] } == [nil, isAbove ? nil : "a=1"])
    #expect(cookies.jar.count == (isAbove ? 0 : 1))
  }

  @Test(arguments: [true, false])
  func cookiesAboveAuthenticationMissWhatChallengesSet(isAbove: Bool) async throws {
    let server = Self.greeting(.unauthorized, [.wwwAuthenticate: #"Basic realm="r""#])
    let cookies = Cookies()
    let login = try Authentication(user: "u", password: "p", for: "https://a.example")
    let stages: [any Middleware] = isAbove ? [cookies, login] : [login, cookies]
    #expect(try await response(from: server, through: stages).status == .ok)
    #expect(server.requests.map { $0.fields[.authorization] != nil } == [false, true])
    #expect(server.requests.map { $0.fields[.cookie] } == [nil, isAbove ? nil : "a=1"])
    #expect(cookies.jar.count == (isAbove ? 0 : 1))
  }

  /// Wants Digest, and fails once when it got it.
  private static func digesting() -> Server {
    let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
    let answered = Atomic<Int>(0)
    return Server { request, _ in
      guard request.fields[.authorization] != nil else {
        return Response(.unauthorized, fields: [.wwwAuthenticate: challenge])
      }
      return answered.add(1, ordering: .relaxed).newValue == 1 ? Response(.serviceUnavailable) : Response(.ok)
    }
  }

  private static func counts(in server: Server) -> [String] {
    server.requests.compactMap { $0.fields[.authorization] }.map { value in
      value.split(separator: ", ").first { $0.hasPrefix("nc=") }.map(String.init) ?? ""
    }
  }

  @Test func authenticationBelowRetryProvesEachAttempt() async throws {
    let server = Self.digesting()
    let login = try Authentication(user: "u", password: "p", for: "https://a.example")
    let response = try await response(from: server, through: [Self.promptly, login])
    #expect(response.status == .ok)
    #expect(Self.counts(in: server) == ["nc=00000001", "nc=00000002"])
  }

  @Test func authenticationAboveRetryRepeatsAProof() async throws {
    let server = Self.digesting()
    let login = try Authentication(user: "u", password: "p", for: "https://a.example")
    let response = try await response(from: server, through: [login, Self.promptly])
    #expect(response.status == .ok)
    #expect(Self.counts(in: server) == ["nc=00000001", "nc=00000001"])
  }

  @Test(arguments: [true, false])
  func aRepeatedProofIsRefusedByAServerThatDetectsReplays(isAbove: Bool) async throws {
    let server = DigestServer()
    let proved = Counter()
    let transport = HandlerTransport { request in
      let response = try await server.answer(request)
      return response.status == .ok && proved.add() == 1 ? Response(.serviceUnavailable) : response
    }
    let login = try Authentication(user: "ada", password: "secret", for: "https://a.example")
    let stages: [any Middleware] = isAbove ? [login, Self.promptly] : [Self.promptly, login]
    let response = try await Pipeline(over: transport, stages: stages).send(.get("https://a.example/"))
    #expect(response.status == (isAbove ? .unauthorized : .ok))
    #expect(server.arrived.map(\.count) == (isAbove ? [1, 1] : [1, 2]))
  }

  @Test func authenticationBelowRedirectsAnswersTheHopThatAsked() async throws {
    let server = Server { request, _ in
      guard request.head.path == "/end" else { return Response(.found, fields: [.location: "/end"]) }
      return request.fields[.authorization] == nil
        ? Response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="r""#]) : Response(.ok)
    }
    let login = try Authentication(user: "u", password: "p", for: "https://a.example")
    let response = try await response(from: server, through: [Redirects(), login])
    #expect(response.status == .ok)
    #expect(server.paths == ["/start", "/end", "/end"])
    #expect(server.requests.map { $0.fields[.authorization] != nil } == [false, false, true])
  }

  @Test func authenticationAboveRedirectsStartsTheChainAgain() async throws {
    let server = Server { request, _ in
      guard request.head.path == "/end" else { return Response(.found, fields: [.location: "/end"]) }
      return request.fields[.authorization] == nil
        ? Response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="r""#]) : Response(.ok)
    }
    let login = try Authentication(user: "u", password: "p", for: "https://a.example")
    let response = try await response(from: server, through: [login, Redirects()])
    #expect(response.status == .ok)
    #expect(server.paths == ["/start", "/end", "/start", "/end"])
    #expect(server.requests.map { $0.fields[.authorization] != nil } == [false, false, true, true])
  }

  @Test func authenticationAboveRedirectsLeavesOtherOriginsUnanswered() async throws {
    let server = Server { request, _ in
      guard request.head.authority == "b.example" else {
        return Response(.found, fields: [.location: "https://b.example/"])
      }
      return request.fields[.authorization] == nil
        ? Response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="r""#]) : Response(.ok)
    }
    for isAbove in [true, false] {
      let login = try Authentication(user: "u", password: "p", for: "https://b.example")
      let stages: [any Middleware] = isAbove ? [login, Redirects()] : [Redirects(), login]
      let response = try await response(from: server, through: stages)
      #expect(response.status == (isAbove ? .unauthorized : .ok))
    }
  }
}
