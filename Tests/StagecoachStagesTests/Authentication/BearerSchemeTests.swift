import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BearerSchemeTests {
  /// A server that takes one token.
  private static func transport(
    accepting token: String,
    _ challenge: String? = #"Bearer realm="r", error="invalid_token""#
  ) -> HandlerTransport {
    HandlerTransport(recordLimit: 5000) { request in
      await Task.yield()
      if request.authorization == "Bearer \(token)" { return Response(.ok) }
      guard let challenge else { return Response(.unauthorized) }
      return .challenge(challenge)
    }
  }

  private static func statuses(_ client: Client, _ count: Int) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { try await client.send(.get("https://h/")).status.code } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func aTokenIsSentFromTheFirstRequest() async throws {
    let transport = Self.transport(accepting: "t")
    let client = try Authentication(bearer: "t", for: "https://h").client(over: transport)
    #expect(try await client.send(.get("https://h/")).status == .ok)
    #expect(transport.requests.count == 1)
    _ = try await client.send(.get("https://other/"))
    _ = try await client.send(.get("http://h/"))
    #expect(transport.requests.dropFirst().allSatisfy { $0.authorization == nil })
  }

  @Test("2.7 #2: a refused token without a refresh is final") func aRefusedTokenIsFinal() async throws {
    let transport = Self.transport(accepting: "other")
    let client = try Authentication(bearer: "t", for: "https://h").client(over: transport)
    for _ in 0..<2 { #expect(try await client.send(.get("https://h/")).status == .unauthorized) }
    #expect(transport.requests.map(\.authorization) == ["Bearer t", nil])
  }

  @Test(
    "2.7: what is no b64token is an error before sending",
    arguments: ["", "a b", "tok\u{e9}n", "=", "a=b"]
  ) func aTokenThatCannotBeSentIsAnError(token: String)
    async throws
  {
    let error = try await #require(throws: ExchangeError.self) {
      let client = try Authentication(bearer: token, for: "https://h").client(
        over: Self.transport(accepting: "t")
      )
      _ = try await client.send(.get("https://h/"))
    }
    #expect(error.kind == .authentication(.invalidCredential))
  }

  /// Many times, since the renewal may end before the request waits for it.
  @Test func everyRenewalIsReported() async throws {
    let transport = Self.transport(accepting: "new")
    for _ in 0..<100 {
      let log = AuthenticationLog()
      let tokens = TokenSource { _ in Token("new") }
      let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport, log)
      _ = try await client.send(.get("https://h/"))
      #expect(
        log.all == [.refreshStarted, .refreshed, .answered(scheme: "Bearer", preemptive: true)],
        "\(log.all)"
      )
    }
  }

  @Test("2.7 (2), #1: one refresh for a thousand refusals") func oneRefreshForAThousandRefusals() async throws
  {
    let refreshes = Counter()
    let arrived = Counter()
    let all = Signal()
    let transport = HandlerTransport(recordLimit: 5000) { request in
      if request.authorization == "Bearer new" { return Response(.ok) }
      // Nobody is refused before all have come with the old token.
      if arrived.add() == 1000 { all.set() }
      await all.wait()
      return .challenge("Bearer")
    }
    let tokens = TokenSource(Token("old")) { old in
      #expect(old?.value == "old")
      refreshes.add()
      await Task.yield()
      return Token("new")
    }
    let log = AuthenticationLog()
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport, log)
    #expect(try await Self.statuses(client, 1000) == Array(repeating: 200, count: 1000))
    #expect(refreshes.value == 1)
    #expect(log.count(.refreshStarted) == 1)
    #expect(transport.requests.count == 2000)
  }

  @Test("2.7 (1): no refresh where a newer token is there already")
  func noRefreshForATokenThatIsNewerAlready() async throws {
    let refreshes = Counter()
    let sent = Signal()
    let renewed = Signal()
    let transport = HandlerTransport { request in
      guard request.authorization != "Bearer new" else { return Response(.ok) }
      if request.head.path == "/slow" {
        sent.set()
        await renewed.wait()
      }
      return .challenge("Bearer")
    }
    let tokens = TokenSource(Token("old")) { _ in
      refreshes.add()
      return Token("new")
    }
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport)
    async let slow = client.send(.get("https://h/slow"))
    await sent.wait()
    #expect(try await client.send(.get("https://h/")).status == .ok)
    renewed.set()
    #expect(try await slow.status == .ok)
    #expect(refreshes.value == 1)
  }

  @Test("2.3 401 without WWW-Authenticate") func aRefusalWithoutChallengeRefreshesToo() async throws {
    let tokens = TokenSource(Token("old")) { _ in Token("new") }
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "new", nil)
    )
    #expect(try await client.send(.get("https://h/")).status == .ok)
  }

  @Test("2.7 (7), #2: a renewed token that is refused is final") func aRenewedTokenThatIsRefusedIsFinal()
    async throws
  {
    let refreshes = Counter()
    let tokens = TokenSource(Token("old")) { _ in Token("n\(refreshes.add())") }
    let transport = Self.transport(accepting: "never")
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport)
    #expect(try await client.send(.get("https://h/")).status == .unauthorized)
    #expect(refreshes.value == 1)
    #expect(transport.requests.count == 2)
  }

  /// What a source gives changes: a refusal of today says nothing of its next token.
  @Test func aSourceWhoseTokenWasRefusedServesTheNextRequest() async throws {
    let isGood = Atomic(false)
    let transport = HandlerTransport { request in
      isGood.load(ordering: .relaxed) && request.authorization == "Bearer new"
        ? Response(.ok) : .challenge("Bearer")
    }
    let tokens = TokenSource(Token("old")) { _ in Token("new") }
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport)
    #expect(try await client.send(.get("https://h/")).status == .unauthorized)
    isGood.store(true, ordering: .relaxed)
    #expect(try await client.send(.get("https://h/")).status == .ok)
    #expect(transport.requests.map(\.authorization) == ["Bearer old", "Bearer new", "Bearer new"])
  }

  @Test("2.7 #3, #4: insufficient_scope and invalid_request are final")
  func insufficientScopeIsFinal() async throws {
    let refreshes = Counter()
    let tokens = TokenSource(Token("t")) { _ in Token("n\(refreshes.add())") }
    for (status, error) in [(403, "insufficient_scope"), (400, "invalid_request"), (401, "invalid_request")] {
      let transport = HandlerTransport { _ in
        Response(
          .init(code: status),
          fields: [.wwwAuthenticate: #"Bearer realm="r", error="\#(error)", scope="admin""#]
        )
      }
      let log = AuthenticationLog()
      let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport, log)
      #expect(try await client.send(.get("https://h/")).status.code == status)
      #expect(transport.requests.count == 1)
      #expect(log.count(.insufficientScope("admin")) == (status == 403 ? 1 : 0))
    }
    #expect(refreshes.value == 0)
  }

  @Test("2.7 (3): a cancelled waiter leaves the refresh to the others")
  func aCancelledWaiterLeavesTheRefreshToTheOthers() async throws {
    let started = Signal()
    let finish = Signal()
    let tokens = TokenSource { _ in
      started.set()
      await finish.wait()
      return Token("new")
    }
    let log = AuthenticationLog()
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "new"),
      log
    )
    let first = Task { try await client.send(.get("https://h/")) }
    await started.wait()
    let second = Task { try await client.send(.get("https://h/")) }
    while log.count(.refreshJoined) == 0 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { _ = try await first.value }
    finish.set()
    #expect(try await second.value.status == .ok)
    #expect(log.count(.refreshStarted) == 1)
  }

  @Test("2.7 (3): the refresh ends with its last waiter") func theRefreshEndsWithItsLastWaiter() async throws
  {
    let started = Signal()
    let ended = Signal()
    let tokens = TokenSource { _ in
      started.set()
      defer { ended.set() }
      try await Task.sleep(for: .seconds(1000))
      return Token("new")
    }
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "new")
    )
    let only = Task { try await client.send(.get("https://h/")) }
    await started.wait()
    only.cancel()
    await #expect(throws: CancellationError.self) { _ = try await only.value }
    await ended.wait()
  }

  @Test("2.7 (4): a failure reaches all and is remembered for a while")
  func aFailureReachesAllAndIsRememberedForAWhile() async throws {
    let refreshes = Counter()
    let time = ManualTime()
    let finish = Signal()
    let tokens = TokenSource { _ in
      refreshes.add()
      await finish.wait()
      throw Foreign(text: "no")
    }
    let log = AuthenticationLog()
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "new"),
      log,
      time: time
    )
    let tasks = (0..<20).map { _ in Task { try await client.send(.get("https://h/")) } }
    while log.count(.refreshJoined) < 19 { await Task.yield() }
    finish.set()
    for task in tasks {
      let error = try await #require(throws: ExchangeError.self) { _ = try await task.value }
      #expect(error.kind == .authentication(.refreshFailed))
      #expect(error.underlying as? Foreign == Foreign(text: "no"))
      #expect(error.stage == "Authentication")
    }
    // The pauses: 1, 2, 4, 8, 16, 30 and 30 seconds.
    for (count, pause) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
      #expect(refreshes.value == count + 1)
      time.advance(by: .seconds(pause) - .milliseconds(1))
      await #expect(throws: ExchangeError.self) { _ = try await client.send(.get("https://h/")) }
      #expect(refreshes.value == count + 1)
      time.advance(by: .milliseconds(1))
      await #expect(throws: ExchangeError.self) { _ = try await client.send(.get("https://h/")) }
    }
  }

  @Test func aRefreshThatTakesTooLongIsATimeout() async throws {
    let time = ManualTime()
    let never = Signal()
    // Deaf to cancellation, as code is that waits for a callback.
    let tokens = TokenSource(timeout: .seconds(5)) { _ in
      await never.wait()
      return Token("new")
    }
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "new"),
      time: time
    )
    let task = Task { try await client.send(.get("https://h/")) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(5))
    let error = try await #require(throws: ExchangeError.self) { _ = try await task.value }
    #expect(error.kind == .authentication(.refreshTimedOut))
    never.set()
  }

  @Test func aRefreshThatIsCancelledMayChangeItsSource() async throws {
    let time = ManualTime()
    let sources = Log<TokenSource>()
    let tokens = TokenSource(timeout: .seconds(5)) { _ in
      try await withTaskCancellationHandler {
        try await sleepUntilCancelled()
        return Token("new")
      } onCancel: {
        sources.all.first?.set(Token("other"))
      }
    }
    sources.add(tokens)
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "other"),
      time: time
    )
    let task = Task { try await client.send(.get("https://h/")) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(5))
    await #expect(throws: ExchangeError.self) { _ = try await task.value }
    #expect(try await client.send(.get("https://h/")).status == .ok)
  }

  @Test("2.7 (6): a token near its end is renewed while it serves")
  func aTokenNearItsEndIsRenewedWhileItServes() async throws {
    let time = ManualTime()
    let refreshes = Counter()
    let renewed = Signal()
    let tokens = TokenSource(Token("t0", lifetime: .seconds(100))) { _ in
      defer { renewed.set() }
      return Token("t\(refreshes.add())", lifetime: .seconds(100))
    }
    let transport = HandlerTransport { _ in Response(.ok) }
    let log = AuthenticationLog()
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport, log, time: time)
    func send() async throws -> String? {
      _ = try await client.send(.get("https://h/"))
      return transport.requests.last?.authorization
    }
    #expect(try await send() == "Bearer t0")
    time.advance(by: .seconds(89))
    #expect(try await send() == "Bearer t0")
    #expect(log.count(.refreshStarted) == 0)
    time.advance(by: .seconds(2))
    #expect(try await send() == "Bearer t0")
    #expect(log.count(.refreshStarted) == 1)
    await renewed.wait()
    while try await send() == "Bearer t0" { await Task.yield() }
    #expect(try await send() == "Bearer t1")
    // One that is over is not sent any more.
    time.advance(by: .seconds(100))
    #expect(try await send() == "Bearer t2")
    #expect(refreshes.value == 2)
  }

  @Test("2.7 (5): the refresh does not wait for itself")
  func requestsOfTheRefreshAreSentWithoutToken() async throws {
    let clients = Log<Client>()
    let tokens = TokenSource { _ in
      guard let client = clients.all.first else { throw Foreign() }
      _ = try await client.send(.get("https://h/token"))
      return Token("new")
    }
    let transport = HandlerTransport { request in
      request.head.path == "/token" || request.authorization == "Bearer new"
        ? Response(.ok) : .challenge("Bearer")
    }
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport)
    clients.add(client)
    #expect(try await client.send(.get("https://h/")).status == .ok)
    #expect(transport.requests.map(\.authorization) == [nil, "Bearer new"])
  }

  @Test func aShutdownEndsTheRefresh() async throws {
    let started = Signal()
    let tokens = TokenSource { _ in
      started.set()
      try await Task.sleep(for: .seconds(1000))
      return Token("new")
    }
    let stage = try Authentication(bearer: tokens, for: "https://h")
    let client = try stage.client(over: Self.transport(accepting: "new"))
    let task = Task { try await client.send(.get("https://h/")) }
    await started.wait()
    await client.shutdown()
    let error = try await #require(throws: ExchangeError.self) { _ = try await task.value }
    #expect(error.kind == .shutdown)
  }

  @Test func aTokenThatIsSetIsUsedByTheNextRequest() async throws {
    let tokens = TokenSource(Token("old")) { _ in throw Foreign() }
    let transport = Self.transport(accepting: "set")
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport)
    tokens.set(Token("set"))
    #expect(try await client.send(.get("https://h/")).status == .ok)
  }

  @Test func aTokenThatIsSetWinsOverARenewalUnderWay() async throws {
    let (started, finish) = (Signal(), Signal())
    let tokens = TokenSource { _ in
      started.set()
      await finish.wait()
      return Token("late")
    }
    let stage = try Authentication(bearer: tokens, for: "https://h")
    let client = try stage.client(over: Self.transport(accepting: "set"))
    let task = Task { try await client.send(.get("https://h/")) }
    await started.wait()
    tokens.set(Token("set"))
    #expect(try await task.value.status == .ok)
    finish.set()
    // This waits for the end of the renewal.
    await client.shutdown()
    let other = try stage.client(over: Self.transport(accepting: "set"))
    #expect(try await other.send(.get("https://h/")).status == .ok)
  }

  @Test func settingNoTokenForgetsAFailure() async throws {
    let refreshes = Counter()
    let tokens = TokenSource { _ in
      guard refreshes.add() > 1 else { throw Foreign() }
      return Token("new")
    }
    let client = try Authentication(bearer: tokens, for: "https://h").client(
      over: Self.transport(accepting: "new"),
      time: ManualTime()
    )
    for _ in 0..<2 {
      await #expect(throws: ExchangeError.self) { _ = try await client.send(.get("https://h/")) }
    }
    #expect(refreshes.value == 1)
    tokens.set(nil)
    #expect(try await client.send(.get("https://h/")).status == .ok)
  }

  @Test func aSourceWhoseFirstTokenCannotBeSentIsAnError() async throws {
    let tokens = TokenSource(Token("a b")) { _ in Token("t") }
    let transport = Self.transport(accepting: "t")
    let client = try Authentication(bearer: tokens, for: "https://h").client(over: transport)
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.send(.get("https://h/"))
    }
    #expect(error.kind == .authentication(.invalidCredential))
    #expect(transport.requests.isEmpty)
  }
}
