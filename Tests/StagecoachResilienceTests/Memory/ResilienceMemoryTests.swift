#if canImport(Glibc)
  import HTTPTypes
  import Stagecoach
  import StagecoachResilience
  import TestSupport
  import Testing

  /// Requests that share, wait or are refused leave nothing behind.
  @Suite(.timeLimit(.minutes(15))) struct ResilienceMemoryTests {
    /// In a process of its own, so that its memory is that of these exchanges alone.
    @Test func exchangesLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try await checkCoalescing()
        try await checkLimits()
        try await checkCircuits()
        try await checkServerSentEvents()
      }
    }
  }

  private func client(
    _ stages: any Middleware...,
    answer: @escaping @Sendable (Request) async throws -> Response
  ) throws -> Client {
    try Client(Pipeline(over: HandlerTransport(recordLimit: 0, answer), stages: stages), base: "http://h/")
  }

  private func checkCoalescing() async throws {
    let slow = try client(Coalescing(replayLimit: 20 << 10)) { _ in
      // Lets the others join.
      for _ in 0..<20 { await Task.yield() }
      return Response(.ok, fields: [.eTag: "\"1\""], body: .large())
    }
    try await expectNoGrowth("coalescing") { _ in
      async let first: Void = slow.read(.get("a"))
      async let second: Void = slow.read(.get("a"))
      async let third = slow.send(.get("a"))
      _ = try await (first, second, third)
    }
    try await expectNoGrowth("coalescing with a reader that is cut loose") { _ in
      async let first: Void = slow.read(.get("a"))
      async let second = slow.send(.get("a"))
      try await first
      for try await _ in try await second.body {}
    }
    try await expectNoGrowth("coalescing with cancelled requests") { _ in
      let tasks = (0..<4).map { _ in Task { try await slow.read(.get("a")) } }
      for _ in 0..<10 { await Task.yield() }
      tasks[0].cancel()
      tasks[2].cancel()
      for task in tasks { _ = await task.result }
    }
    let broken = try client(Coalescing()) { _ in
      for _ in 0..<20 { await Task.yield() }
      throw ExchangeError(.connectionReset, "reset")
    }
    try await expectNoGrowth("coalescing of failures") { _ in
      async let first: Void = failing { try await broken.read(.get("a")) }
      async let second: Void = failing { try await broken.read(.get("a")) }
      _ = try await (first, second)
    }
  }

  private func checkLimits() async throws {
    let limited = try client(ConcurrencyLimit(perClient: 1)) { _ in
      await Task.yield()
      return Response(.ok, body: .large())
    }
    try await expectNoGrowth("waiting for a slot") { _ in
      async let first: Void = limited.read(.get("a"))
      async let second: Void = limited.read(Request.get("a").with(\.poolTimeout, .seconds(3600)))
      _ = try await (first, second)
    }
    try await expectNoGrowth("requests that give up a slot") { _ in
      let holder = try await limited.send(.get("a"))
      let waiter = Task { try await limited.read(.get("a")) }
      for _ in 0..<10 { await Task.yield() }
      waiter.cancel()
      try await failing { try await waiter.value }
      try await failing { try await limited.read(Request.get("a").with(\.poolTimeout, .milliseconds(1))) }
      holder.body.cancel()
    }
  }

  private func checkCircuits() async throws {
    let broken = try client(CircuitBreaker()) { _ in Response(.internalServerError, body: .large()) }
    try await expectNoGrowth("a circuit that is open") { _ in try? await broken.read(.get("a")) }
    let whole = try client(CircuitBreaker()) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("a circuit that is closed") { _ in
      try await whole.read(.get("a"))
      _ = try await whole.send(.get("a"))
    }
  }

  private func checkServerSentEvents() async throws {
    let fields: HTTPFields = [.contentType: "text/event-stream"]
    let news = try client { _ in
      let text = "retry: 0\ndata: " + String(repeating: "x", count: 8 << 10) + "\n\n"
      return Response(.ok, fields: fields, body: Response.Body(source: ScriptedSource(chunks: [Bytes(text)])))
    }
    let policy = ReconnectionPolicy(delay: .zero, shortestDelay: .zero, jitter: 0)
    try await expectNoGrowth("server-sent events") { _ in
      var count = 0
      for try await _ in news.serverSentEvents(for: .get("a"), reconnecting: policy) {
        count += 1
        if count == 3 { break }
      }
    }
  }
#endif
