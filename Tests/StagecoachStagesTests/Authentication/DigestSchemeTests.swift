import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DigestSchemeTests {
  private static func stage(_ change: (inout DigestScheme) -> Void = { _ in }) throws -> Authentication {
    var stage = try Authentication(user: "ada", password: "secret", for: "https://h")
    var digest = DigestScheme()
    change(&digest)
    stage.schemes = [digest]
    return stage
  }

  private static func challenge(_ nonce: String) -> String {
    "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\""
  }

  /// A parameter of the Authorization field; empty if there is none.
  private static func parameter(_ name: String, of request: Request) -> String {
    let sent = request.authorization.flatMap { AuthenticationChallenge.parse($0).challenges.first }
    return sent?[parameter: name] ?? ""
  }

  /// Sends requests at once, and gives their statuses.
  private static func flood(_ client: Client, _ count: Int) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<count {
        group.addTask { try await client.send(.get("https://h/\(index)?q")).status.code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(
    "2.5 H, algorithm absent, qop, uri, cnonce, nc",
    arguments: [nil, "MD5", "MD5-sess", "SHA-256", "sha-256-sess", "SHA-512-256", "SHA-512-256-sess"]
  )
  func everyAlgorithmLogsIn(algorithm: String?) async throws {
    for quality in ["auth", "auth-int"] {
      let server = DigestServer {
        $0.algorithm = algorithm
        $0.quality = quality
      }
      let stage = try Self.stage { $0.requiresServerProof = true }
      let client = try stage.client(over: server.transport)
      for index in 1...3 {
        let response = try await client.send(.post("https://h/a?b=\(index)", body: .bytes("body")))
        #expect(response.status == .ok)
        #expect(try await response.body.collect(upTo: 100) == "content")
      }
      #expect(server.arrived.map(\.count) == [1, 2, 3])
      #expect(server.challenges == 1)
      #expect(server.clientNonces.count == (algorithm?.hasSuffix("sess") == true ? 1 : 3))
    }
  }

  @Test("2.5 nc: under 200 requests at once", arguments: [true, false])
  func nonceCountsNeverRepeatUnder200ConcurrentRequests(isLoggedIn: Bool) async throws {
    let server = DigestServer()
    let client = try Self.stage().client(over: server.transport)
    if isLoggedIn { _ = try await client.send(.get("https://h/")) }
    #expect(try await Self.flood(client, 200) == Array(repeating: 200, count: 200))
    // No count was used twice, and none left out.
    let arrived = server.arrived
    #expect(Set(arrived).count == arrived.count)
    for (nonce, uses) in Dictionary(grouping: arrived, by: \.nonce) {
      #expect(uses.map(\.count).sorted() == (1...UInt32(uses.count)).map { $0 }, "\(nonce)")
    }
  }

  @Test func withoutStrictnessAllShareTheFirstNonce() async throws {
    let server = DigestServer { $0.isStrict = false }
    let client = try Self.stage().client(over: server.transport)
    _ = try await Self.flood(client, 200)
    #expect(Set(server.arrived.map(\.nonce)).count == 1)
    #expect(server.arrived.map(\.count).sorted() == (1...200).map { $0 })
  }

  @Test("2.5 nextnonce, stale absent: one-time nonces") func oneTimeNoncesServeManyConcurrentRequests()
    async throws
  {
    for namesNext in [true, false] {
      let server = DigestServer {
        $0.uses = 1
        $0.namesNext = namesNext
      }
      let client = try Self.stage().client(over: server.transport)
      for _ in 0..<4 { #expect(try await client.send(.get("https://h/")).status == .ok) }
      #expect(server.challenges == (namesNext ? 1 : 4))
      #expect(try await Self.flood(client, 50) == Array(repeating: 200, count: 50))
    }
  }

  @Test("2.5 stale: a stale nonce is replaced") func aStaleNonceIsReplacedAndNotAFailure() async throws {
    let server = DigestServer { $0.uses = 2 }
    let log = AuthenticationLog()
    let client = try Self.stage().client(over: server.transport, log)
    var request = Request.get("https://h/")
    request.options.authenticationAttempts = 1
    for _ in 0..<6 { #expect(try await client.send(request).status == .ok) }
    #expect(log.count(.stale(scheme: "Digest")) == 2)
    #expect(server.arrived.map(\.count) == [1, 2, 3, 1, 2, 3, 1, 2])
  }

  @Test("2.5 stale absent: a wrong password is sent once") func aWrongPasswordIsSentOnce() async throws {
    let server = DigestServer { $0.password = "other" }
    let log = AuthenticationLog()
    let client = try Self.stage().client(over: server.transport, log)
    for _ in 0..<3 { #expect(try await client.send(.get("https://h/")).status == .unauthorized) }
    #expect(server.arrived.count == 1)
    #expect(log.count(.failed(scheme: "Digest")) == 1)
  }

  @Test("2.3 attempts: two for stale nonces") func aServerThatCallsEveryNonceStaleIsLeft() async throws {
    let transport = HandlerTransport { _ in
      .challenge(#"Digest realm="r", nonce="n", qop="auth", stale=TRUE"#)
    }
    let response = try await Self.stage().client(over: transport).send(.get("https://h/"))
    #expect(response.status == .unauthorized)
    #expect(transport.requests.count == 5)
  }

  @Test("2.5 nextnonce: replaces the nonce") func nextNonceReplacesTheNonce() async throws {
    let server = DigestServer {
      $0.namesNext = true
      $0.algorithm = "MD5-sess"
    }
    let client = try Self.stage().client(over: server.transport)
    for _ in 0..<3 { #expect(try await client.send(.get("https://h/")).status == .ok) }
    #expect(server.arrived.map(\.count) == [1, 1, 1])
    #expect(Set(server.arrived.map(\.nonce)).count == 3)
  }

  @Test("2.5 nextnonce, stale absent: one that is refused") func aRefusedNextNonceDoesNotFailTheCredential()
    async throws
  {
    let transport = HandlerTransport { request in
      switch Self.parameter("nonce", of: request) {
      case "": return .challenge(Self.challenge("n1"))
      case "n1": return Response(.ok, fields: [.authenticationInfo: #"nextnonce="n2""#])
      case "n2": return .challenge(Self.challenge("n3"))
      default: return Response(.ok)
      }
    }
    let log = AuthenticationLog()
    let client = try Self.stage().client(over: transport, log)
    for _ in 0..<3 { #expect(try await client.send(.get("https://h/")).status == .ok) }
    #expect(log.count(.failed(scheme: "Digest")) == 0)
    let nonces = transport.requests.map { Self.parameter("nonce", of: $0) }
    #expect(nonces == ["", "n1", "n2", "n3", "n3"])
  }

  @Test func aNonceNamedTwiceKeepsItsCount() async throws {
    let held = ["A", "B", "A"].map { (next: $0, release: Signal()) }
    let arrived = Counter()
    let allArrived = Signal()
    let transport = HandlerTransport { request in
      guard request.authorization != nil else { return .challenge(Self.challenge("n")) }
      guard let index = Int(request.head.path?.dropFirst() ?? "") else { return Response(.ok) }
      if arrived.add() == held.count { allArrived.set() }
      await held[index].release.wait()
      return Response(.ok, fields: [.authenticationInfo: "nextnonce=\"\(held[index].next)\""])
    }
    let client = try Self.stage().client(over: transport)
    _ = try await client.send(.get("https://h/"))
    let tasks = held.indices.map { index in Task { try await client.send(.get("https://h/\(index)")) } }
    await allArrived.wait()
    for (index, task) in tasks.enumerated() {
      held[index].release.set()
      _ = try await task.value
      _ = try await client.send(.get("https://h/"))
    }
    let uses = transport.requests.dropFirst().map { request in
      "\(Self.parameter("nonce", of: request)) \(Self.parameter("nc", of: request))"
    }
    #expect(uses.count == 7)
    #expect(Set(uses).count == uses.count)
  }

  @Test(
    "2.5 domain, 2.3 protection space of Digest",
    arguments: [
      ("/a /b/", "/a", true), ("/a /b/", "/a/x", true), ("/a /b/", "/a?q", true), ("/a /b/", "/ab", false),
      ("/a /b/", "/b", false), ("/a /b/", "/b/c", true), ("https://h/a https://evil/b", "/b", false),
      ("https://h:443/a", "/a", true), ("https://evil/", "/a", false),
    ]
  )
  func sendsAheadOnlyInsideTheDomain(domain: String, path: String, isCovered: Bool) async throws {
    let server = DigestServer { $0.domain = domain }
    let transport = server.transport
    let client = try Self.stage().client(over: transport)
    _ = try await client.send(.get("https://h/login"))
    #expect(try await client.send(.get("https://h\(path)")).status == .ok)
    #expect((transport.requests[2].authorization != nil) == isCovered)
    #expect(transport.requests.count == (isCovered ? 3 : 4))
  }

  @Test("2.5 rspauth: checked") func aWrongServerProofIsAnError() async throws {
    for quality in ["auth", "auth-int"] {
      for isLate in [false, true] {
        for (isWrong, isRequired) in [(true, true), (true, false), (false, true)] {
          let server = DigestServer {
            $0.quality = quality
            $0.provesLate = isLate
            $0.provesWrongly = isWrong
          }
          let log = AuthenticationLog()
          let client = try Self.stage { $0.requiresServerProof = isRequired }.client(
            over: server.transport,
            log
          )
          let content = try? await client.send(.get("https://h/")).body.collect(upTo: 100)
          #expect((content == nil) == (isWrong && isRequired))
          let isSeen = isWrong && (isRequired || !isLate)
          #expect(log.count(.serverNotAuthentic) == (isSeen ? 1 : 0))
        }
      }
    }
  }

  @Test("2.5 rspauth: missing") func aMissingProofIsAnErrorWhereItIsRequired() async throws {
    let server = DigestServer { $0.proves = false }
    let error = try await #require(throws: ExchangeError.self) {
      let client = try Self.stage { $0.requiresServerProof = true }.client(over: server.transport)
      _ = try await client.send(.get("https://h/")).body.collect(upTo: 100)
    }
    #expect(error.kind == .authentication(.serverNotAuthentic))
    #expect(error.stage == "Authentication")
  }

  @Test("2.5 qop: auth-int for content that exists once") func integrityIsLeftOutForContentThatExistsOnce()
    async throws
  {
    let server = DigestServer { $0.quality = "auth-int" }
    let client = try Self.stage().client(over: server.transport)
    #expect(try await client.send(.get("https://h/")).status == .ok)
    var request = Request.post("https://h/")
    request.body = .oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil)
    #expect(try await client.send(request).status == .unauthorized)
  }

  @Test("2.5 qop absent") func aServerOfRFC2069IsAnsweredUnlessThatIsOff() async throws {
    for isAllowed in [true, false] {
      let transport = HandlerTransport { request in
        request.authorization == nil ? .challenge(#"Digest realm="r", nonce="n""#) : Response(.ok)
      }
      let client = try Self.stage { $0.allowsMissingQuality = isAllowed }.client(over: transport)
      #expect(try await client.send(.get("https://h/")).status == (isAllowed ? .ok : .unauthorized))
      if isAllowed {
        let sent = transport.requests[1].authorization ?? ""
        #expect(!sent.contains("nc=") && !sent.contains("cnonce") && !sent.contains("qop"))
      }
    }
  }

  @Test func aSeedMakesTheAnswersReproducible() async throws {
    var sent: [String?] = []
    for _ in 0..<2 {
      let server = DigestServer()
      let transport = server.transport
      let stage = try Self.stage()
      let client = try Client(
        Pipeline(over: transport) { stage },
        configuration: .init(randomNumberGenerator: SeededRandom(seed: 7))
      )
      _ = try await client.send(.get("https://h/"))
      sent.append(transport.requests[1].authorization)
    }
    #expect(sent[0] != nil && sent[0] == sent[1])
  }

  @Test func aServerThatCallsEachNonceStaleSpoilsNoCredential() async throws {
    let (nonces, repairs) = (Counter(), Counter())
    let transport = HandlerTransport { request in
      if request.authorization != nil, repairs.value > 0 { return Response(.ok) }
      let stale = request.authorization == nil ? "" : ", stale=true"
      return .challenge(Self.challenge("n\(nonces.add())") + stale)
    }
    let log = AuthenticationLog()
    let client = try Self.stage().client(over: transport, log)
    #expect(try await client.send(.get("https://h/")).status == .unauthorized)
    #expect(transport.requests.count < 10)
    #expect(log.count(.failed(scheme: "Digest")) == 0)
    #expect(log.count(.skipped(scheme: "Digest", .unusable)) == 1)
    repairs.add()
    for _ in 0..<2 { #expect(try await client.send(.get("https://h/")).status == .ok) }
  }
}
