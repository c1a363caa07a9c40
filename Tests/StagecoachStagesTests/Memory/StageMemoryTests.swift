#if canImport(Glibc)
  import HTTPTypes
  import Stagecoach
  import StagecoachStages
  import TestSupport
  import Testing

  /// No stage leaves anything of an exchange behind, however it ends.
  @Suite(.timeLimit(.minutes(15))) struct StageMemoryTests {
    /// In processes of their own, so that their memory is that of these exchanges alone.
    @Test func exchangesLeaveNothing() async {
      await #expect(processExitsWith: .success) { try await checkExchanges() }
    }

    @Test func redirectsAndRetriesLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try await checkRedirects()
        try await checkRetries()
      }
    }

    @Test func credentialsAndCookiesLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try await checkCredentials()
        try await checkTokens()
        try await checkCookies()
      }
    }
  }

  private func client(
    _ configuration: Client.Configuration = .init(),
    _ pipeline: (any Transport) -> Pipeline = { .standard(over: $0) },
    _ answer: @escaping @Sendable (Request) async throws -> Response
  ) throws -> Client {
    try Client(
      pipeline(HandlerTransport(recordLimit: 0, answer)),
      base: "http://h/",
      configuration: configuration
    )
  }

  private func checkExchanges() async throws {
    let large = try client { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("a body that is read") { _ in try await large.read(.get("a")) }
    try await expectNoGrowth("a body that is collected") { _ in _ = try await large.get("a", as: .data) }
    try await expectNoGrowth("a body that is dropped") { _ in _ = try await large.send(.get("a")) }
    try await expectNoGrowth("a body that is cancelled") { _ in
      try await large.send(.get("a")).body.cancel()
    }
    try await expectNoGrowth("a body that is discarded") { _ in
      try await large.send(.get("a")).body.discard()
    }
    try await expectNoGrowth("a body that is read in part") { _ in
      let response = try await large.send(.get("a"))
      for try await _ in response.body { break }
    }
    var small = Request.get("a")
    small.options.bodyLimit = 20 << 10
    try await expectNoGrowth("a body above its limit") { [small] _ in
      try await failing { _ = try await large.value(for: small, as: .data) }
    }
    let cut = try client { _ in Response(.ok, body: .cut()) }
    try await expectNoGrowth("a body that is cut") { _ in
      try await failing { try await cut.read(.get("a")) }
    }
    let absent = try client { _ in Response(.notFound, body: .large()) }
    try await expectNoGrowth("a status that is refused") { _ in
      try await failing { try await absent.read(.get("a")) }
    }
    let endless = try client { _ in Response(.ok, body: .endless()) }
    try await expectNoGrowth("a reader that is cancelled") { _ in
      try await cancelling { started in
        let response = try await endless.send(.get("a"))
        for try await _ in response.body { started.set() }
        try Task.checkCancellation()
      }
    }
    let silent = try client { request in
      request.options[MemoryTag.started]?.set()
      try await hang()
      return Response(.ok)
    }
    try await expectNoGrowth("a call that is cancelled") { _ in
      try await cancelling { started in
        var request = Request.get("a")
        request.options[MemoryTag.started] = started
        try await silent.read(request)
      }
    }
    try await expectNoGrowth("a total timeout") { _ in
      try await failing { try await silent.read(Request.get("a").with(\.totalTimeout, .milliseconds(1))) }
    }
    try await expectNoGrowth("a total timeout while the body is read") { _ in
      try await failing { try await endless.read(Request.get("a").with(\.totalTimeout, .milliseconds(2))) }
    }
    try await expectNoGrowth("a total timeout that is far") { _ in
      try await large.read(Request.get("a").with(\.totalTimeout, .seconds(3600)))
    }
    let observed = try client(.init(monitors: [WaterfallMonitor { _ in }])) { _ in
      Response(.ok, body: .large())
    }
    try await expectNoGrowth("an exchange that is observed") { number in
      let response = try await observed.send(.get("a"))
      if number % 2 == 0 { for try await _ in response.body {} }
    }
    let echo = try client { request in
      let source = try request.body.makeSource()
      while try await source.next() != nil {}
      return Response(.ok)
    }
    try await expectNoGrowth("content that is streamed") { _ in
      let body = Request.Body.stream(length: nil) { chunks([Bytes([UInt8](repeating: 1, count: 16 << 10))]) }
      try await echo.read(.post("a", body: body))
    }
    try await expectNoGrowth("content of which there is one") { _ in
      let body = Request.Body.oneShot(chunks([Bytes([UInt8](repeating: 1, count: 16 << 10))]), length: nil)
      try await echo.read(.post("a", body: body))
    }
    try await expectNoGrowth("clients") { _ in
      let client = try client(.init(monitors: [WaterfallMonitor { _ in }])) { _ in
        Response(.ok, body: .large())
      }
      try await client.read(Request.get("a").with(\.totalTimeout, .seconds(3600)))
    }
  }

  private enum MemoryTag {
    static let started = RequestOption<Signal?>("started", default: nil)
  }

  private func checkRedirects() async throws {
    let moving = try client { request in
      switch request.head.path {
      case "/a": Response(.found, fields: [.location: "/b"], body: .large())
      case "/b": Response(.found, fields: [.location: "http://other/c"], body: .cut())
      case "/slow": Response(.found, fields: [.location: "/c"], body: .endless())
      case "/loop": Response(.found, fields: [.location: "/loop"], body: .large())
      default: Response(.ok, body: .large())
      }
    }
    try await expectNoGrowth("redirects") { _ in try await moving.read(.get("a")) }
    try await expectNoGrowth("redirects to what is dropped") { _ in _ = try await moving.send(.get("a")) }
    try await expectNoGrowth("redirects with bodies that do not end", count: 5, limit: 4000) { _ in
      try await moving.read(.get("slow"))
    }
    try await expectNoGrowth("redirects in a circle") { _ in
      try await failing { try await moving.read(.get("loop")) }
    }
  }

  private func checkRetries() async throws {
    var policy = RetryPolicy()
    policy.delay = .zero
    func retrying(
      _ policy: RetryPolicy,
      _ answer: @escaping @Sendable (Request) async throws -> Response
    ) throws -> Client {
      try client(.init(), { .standard(over: $0, retry: Retry(policy, budget: .unlimited)) }, answer)
    }
    let recovering = try retrying(policy) { request in
      switch request.attempt {
      case 1: throw ExchangeError(.connectionReset, "reset")
      case 2: Response(.serviceUnavailable, body: .large())
      default: Response(.ok, body: .large())
      }
    }
    try await expectNoGrowth("retries") { _ in try await recovering.read(.get("a")) }
    let overloaded = try retrying(policy) { _ in Response(.serviceUnavailable, body: .large()) }
    try await expectNoGrowth("retries in vain") { _ in
      try await failing { try await overloaded.read(.get("a")) }
    }
    let unreachable = try retrying(policy) { _ in throw ExchangeError(.connectionReset, "reset") }
    try await expectNoGrowth("retries of failures") { _ in
      try await failing { try await unreachable.read(.get("a")) }
    }
    policy.attemptTimeout = .milliseconds(1)
    policy.addsIdempotencyKey = true
    let slow = try retrying(policy) { request in
      if request.attempt < 3 { try await hang() }
      return Response(.ok, body: .large())
    }
    try await expectNoGrowth("attempts that take too long", count: 50) { _ in
      // On a busy machine the last one does so too.
      try? await slow.read(.post("a"))
    }
    policy.attemptTimeout = .seconds(3600)
    let patient = try retrying(policy) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("attempts with time") { _ in try await patient.read(.get("a")) }
    var hedging = RetryPolicy()
    hedging.hedging = RetryPolicy.Hedging(after: .zero)
    let hedged = try retrying(hedging) { request in
      if request.attempt == 1 { try await hang() }
      return Response(.ok, body: .large())
    }
    try await expectNoGrowth("hedges that win") { _ in try await hedged.read(.get("a")) }
    let even = try retrying(hedging) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("hedges") { _ in try await even.read(.get("a")) }
    hedging.hedging = RetryPolicy.Hedging(after: .seconds(3600))
    let quick = try retrying(hedging) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("hedges that are not needed") { _ in try await quick.read(.get("a")) }
  }

  private func checkCredentials() async throws {
    func authenticated(
      _ authentication: Authentication,
      _ answer: @escaping @Sendable (Request) async throws -> Response
    ) throws -> Client {
      try client(.init(), { .standard(over: $0, authentication: authentication) }, answer)
    }
    let basic: @Sendable (Request) -> Response = { request in
      guard request.authorization == "Basic YWRhOnNlY3JldA==" else {
        return .challenge("Basic realm=\"r\"", body: .large())
      }
      return Response(.ok, body: .large())
    }
    let login = try Authentication(user: "ada", password: "secret", for: "https://h")
    let known = try authenticated(login, basic)
    try await expectNoGrowth("Basic") { _ in try await known.read(.get("https://h/a")) }
    try await expectNoGrowth("Basic by request") { _ in
      try await known.read(.get("https://other/a", as: "ada", "secret"))
    }
    let wrong = try authenticated(Authentication(user: "ada", password: "wrong", for: "https://h"), basic)
    try await expectNoGrowth("a password that is refused") { _ in
      try await failing { try await wrong.read(.get("https://h/a")) }
    }
    let server = DigestServer { $0.uses = 2 }
    let digest = try authenticated(login) { try await server.answer($0) }
    // The server itself keeps something of each.
    try await expectNoGrowth("Digest", limit: 1500) { _ in
      try await digest.read(.post("https://h/a", body: .bytes("content")))
    }
    let other = DigestServer { $0.password = "other" }
    let stranger = try authenticated(login) { try await other.answer($0) }
    try await expectNoGrowth("a Digest that is refused", limit: 1500) { _ in
      try await failing { try await stranger.read(.get("https://h/a")) }
    }
    try await expectNoGrowth("stages that answered a challenge") { _ in
      try await authenticated(Authentication(user: "ada", password: "secret", for: "https://h"), basic)
        .read(.get("https://h/a"))
    }
  }

  private func checkTokens() async throws {
    let count = Counter()
    let source = TokenSource { _ in
      await Task.yield()
      return Token("token\(count.add())")
    }
    let renewing = try client(
      .init(),
      { .standard(over: $0, authentication: try? Authentication(bearer: source, for: "https://h")) }
    ) { request in
      // Each token serves one exchange.
      guard request.attempt > 1 else { return .challenge("Bearer error=\"invalid_token\"", body: .large()) }
      return Response(.ok, body: .large())
    }
    try await expectNoGrowth("tokens that are renewed") { _ in
      try? await renewing.read(.get("https://h/a"))
      source.set(nil)
    }
    let broken = TokenSource { _ in throw ExchangeError(.connectionReset, "reset") }
    let tokenless = try client(
      .init(),
      { .standard(over: $0, authentication: try? Authentication(bearer: broken, for: "https://h")) }
    ) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("tokens that cannot be renewed") { _ in
      try await failing { try await tokenless.read(.get("https://h/a")) }
      broken.set(nil)
    }
    let hanging = TokenSource { _ in
      try await hang()
      return Token("none")
    }
    let waiting = try client(
      .init(),
      { .standard(over: $0, authentication: try? Authentication(bearer: hanging, for: "https://h")) }
    ) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("waiting for tokens") { _ in
      let task = Task { try await waiting.read(.get("https://h/a")) }
      await Task.yield()
      task.cancel()
      try await failing { try await task.value }
    }
  }

  private func checkCookies() async throws {
    let count = Counter()
    let visited = try client { _ in
      let number = count.add()
      let value = "session=\(number); Max-Age=3600, visit\(number)=1; Max-Age=0"
      var response = Response(.ok, body: .large())
      for cookie in value.split(separator: ", ") {
        response.fields.append(HTTPField(name: .setCookie, value: String(cookie)))
      }
      return response
    }
    try await expectNoGrowth("cookies") { _ in try await visited.read(.get("a")) }
  }
#endif
