import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Credentials stay within their origin.
@Suite(.timeLimit(.minutes(1))) struct CredentialOriginTests {
  /// Follows redirects as bluntly as can be: each hop is the same request at another URL.
  private struct Hops: Middleware {
    let urls: [String]

    func handle(_ request: Request, next: Next) async throws -> Response {
      var request = request
      var response = try await next(request)
      for url in urls {
        let target = try TargetURI(parsing: url)
        (request.head.scheme, request.head.authority) = (target.scheme, target.authority)
        request.head.path = target.requestTarget
        request.hop += 1
        response = try await next(request)
      }
      return response
    }
  }

  /// The URLs that credentials were sent to, along a chain of hops.
  private static func seen(
    _ request: Request,
    _ hops: [String],
    _ stage: Authentication = Authentication()
  ) async throws -> [String] {
    let transport = HandlerTransport { request in
      request.authorization == nil
        ? .challenge(#"Digest realm="r", nonce="n", qop="auth""#, #"Basic realm="r""#) : Response(.ok)
    }
    let client = try Client(
      Pipeline(over: transport) {
        Hops(urls: hops)
        stage
      }
    )
    _ = try await client.send(request)
    return transport.requests.filter { $0.authorization != nil }.map {
      "\($0.head.scheme ?? "")://\($0.head.authority ?? "")\($0.head.path ?? "")"
    }
  }

  @Test func theCredentialOfARequestStaysAtTheOriginOfTheCaller() async throws {
    let request = Request.get("https://h/1", as: "ada", "secret")
    for other in ["http://h/", "https://h:444/", "https://www.h/", "https://evil/", "https://h.evil/"] {
      #expect(try await Self.seen(request, ["https://h/2", other]) == ["https://h/1", "https://h/2"])
      // What comes back from elsewhere may be what that made of it.
      #expect(try await Self.seen(request, [other, "https://h/2"]) == ["https://h/1"])
    }
    #expect(try await Self.seen(request, ["https://H:443/2"]) == ["https://h/1", "https://h/2"])
  }

  @Test func aPreemptiveTokenStaysAtTheOriginOfTheCaller() async throws {
    var request = Request.get("https://h/1")
    request.options.credential = Credential(token: "t")
    #expect(try await Self.seen(request, ["https://other/"]) == ["https://h/1"])
  }

  @Test func aCredentialInTheClientsOptionsIsNotSent() async throws {
    var options = RequestOptions()
    options.credential = Credential(user: "ada", password: "secret")
    let transport = HandlerTransport { _ in .challenge(#"Basic realm="r""#) }
    let client = try Client(
      Pipeline(over: transport) { Authentication() },
      configuration: .init(defaults: .init(options: options))
    )
    _ = try await client.send(.get("https://h/"))
    #expect(transport.requests.count == 1)
  }

  @Test func eachHopUsesTheCredentialOfItsOrigin() async throws {
    let store = MemoryCredentialStore()
    try store.set(Credential(user: "ada", password: "secret"), for: "https://b")
    let seen = try await Self.seen(
      .get("https://a/"),
      ["https://b/", "https://c/"],
      Authentication(store: store)
    )
    #expect(seen == ["https://b/"])
  }

  @Test func userInformationInTheURLStaysAtTheOriginOfTheCaller() async throws {
    let request = Request.get("https://ada:secret@h/1")
    #expect(try await Self.seen(request, ["https://h/2"]) == ["https://h/1", "https://h/2"])
    for other in ["http://h/", "https://h:444/", "https://www.h/", "https://evil/"] {
      #expect(try await Self.seen(request, [other]) == ["https://h/1"])
    }
  }

  @Test func theStoreCanBeSwitchedOff() async throws {
    var request = Request.get("https://h/")
    request.options.usesStoredCredentials = false
    let stage = try Authentication(bearer: "t", for: "https://h")
    #expect(try await Self.seen(request, [], stage).isEmpty)
  }

  @Test func requestsOfTwoUsersDoNotMix() async throws {
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge(#"Basic realm="r""#) : Response(.ok)
    }
    let client = try Authentication().client(over: transport)
    for user in ["a", "b", "a", "b"] { _ = try await client.send(.get("https://h/", as: user, "x")) }
    _ = try await client.send(.get("https://h/"))
    let sent = transport.requests.map { $0.authorization.flatMap(BasicCredentials.decode)?.user }
    #expect(sent == [nil, "a", nil, "b", "a", "b", nil])
  }

  /// Random hops over several origins, schemes and ports: nothing of an origin is seen at another.
  @Test(arguments: UInt64(0)..<40)
  func randomRedirectsNeverCarryACredentialToAnotherOrigin(seed: UInt64) async throws {
    var random = SplitMix(state: seed)
    let origins = [
      "http://a", "https://a", "https://a:8443", "https://b", "https://www.a", "http://localhost:81",
    ]
    let store = MemoryCredentialStore()
    for (index, origin) in origins.enumerated() where Bool.random(using: &random) {
      let isPreemptive = Bool.random(using: &random)
      try store.set(Credential(user: "\(index)", password: "p", isPreemptive: isPreemptive), for: origin)
    }
    let transport = HandlerTransport { request in
      request.authorization == nil
        ? .challenge(#"Digest realm="r", nonce="n", qop="auth""#, #"Basic realm="r""#) : Response(.ok)
    }
    let hops = (0..<12).map { "\(origins.randomElement(using: &random) ?? "")/\($0)" }
    let client = try Client(
      Pipeline(over: transport) {
        Hops(urls: hops)
        Authentication(store: store)
      }
    )
    let first = origins.randomElement(using: &random) ?? ""
    var request = Request.get("\(first)/")
    let own = Bool.random(using: &random)
    if own { request.options.credential = Credential(user: "own", password: "p") }
    _ = try await client.send(request)
    for sent in transport.requests {
      guard let value = sent.authorization, let scheme = sent.head.scheme, let authority = sent.head.authority
      else {
        continue
      }
      let challenge = AuthenticationChallenge.parse(value).challenges.first
      let user = challenge?[parameter: "username"] ?? BasicCredentials.decode(value)?.user
      let origin = "\(scheme)://\(authority)"
      #expect(user == "own" ? origin == first : user == origins.firstIndex(of: origin).map { "\($0)" })
      #expect(origin != "http://a" || value.hasPrefix("Digest"))
    }
  }

  @Test func aChainThatBeginsAgainHasTheCredentialAgain() async throws {
    let visits = Counter()
    let transport = HandlerTransport { request in
      guard request.head.authority == "h" else { return Response(.serviceUnavailable) }
      guard request.authorization != nil else { return .challenge("Bearer") }
      return visits.add() == 1 ? Response(.found, fields: [.location: "https://other/"]) : Response(.ok)
    }
    var policy = RetryPolicy()
    policy.delay = .zero
    let retry = Retry(policy)
    let client = try Client(
      Pipeline(over: transport) {
        retry
        Redirects()
        Authentication()
      }
    )
    var request = Request.get("https://h/")
    request.options.credential = Credential(token: "t")
    #expect(try await client.send(request).status == .ok)
    #expect(transport.requests.map(\.head.authority) == ["h", "other", "h"])
    #expect(transport.requests.map(\.authorization) == ["Bearer t", nil, "Bearer t"])
  }
}
