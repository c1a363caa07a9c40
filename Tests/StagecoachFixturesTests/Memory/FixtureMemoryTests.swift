#if canImport(Glibc)
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// Recorders and replays leave nothing of an exchange behind but what they record.
  @Suite(.timeLimit(.minutes(15))) struct FixtureMemoryTests {
    /// In a process of its own, so that its memory is that of these exchanges alone.
    @Test func recordersAndReplaysLeaveNothing() async throws {
      let scratch = try ScratchDirectory()
      await #expect(processExitsWith: .success) { [path = scratch.path as String] in
        try await checkRecorder(in: path)
        try await checkReplay()
        try await checkFaults()
      }
    }
  }

  private func checkRecorder(in folder: String) async throws {
    let transport = HandlerTransport(recordLimit: 0) { request in
      switch request.head.path {
      case "/fail": throw ExchangeError(.connectionReset, "reset")
      case "/cut": return Response(.ok, body: .cut())
      default: return Response(.ok, body: .large())
      }
    }
    try await expectNoGrowth("recorders", count: 10, limit: 4000) { _ in
      let recorder = Recorder(folder: "\(folder)/recorded")
      let client = try Client(Pipeline(over: transport) { recorder }, base: "http://h/")
      try await client.read(.get("a"))
      _ = try await client.send(.get("a"))
      try await failing { try await client.read(.get("cut")) }
      try await failing { try await client.read(.get("fail")) }
      try await recorder.finish()
    }
    try await expectNoGrowth("recorders that are dropped", count: 50) { _ in
      let recorder = Recorder(folder: "\(folder)/dropped", commit: .finish)
      let client = try Client(Pipeline(over: transport) { recorder }, base: "http://h/")
      try await client.read(.get("a"))
      _ = try await client.send(.get("a"))
    }
    // Of each exchange there is what will be written: its content is not among it.
    let recorder = Recorder(folder: "\(folder)/short", bodyLimit: 1000, commit: .finish)
    let client = try Client(Pipeline(over: transport) { recorder }, base: "http://h/")
    try await expectNoGrowth("exchanges of a recorder", count: 50, limit: 20_000) { _ in
      try await client.read(.get("a"))
      _ = try await client.send(.get("a"))
    }
  }

  private func checkReplay() async throws {
    var scenario = Scenario(title: "a")
    var exchange = Scenario.Exchange(
      id: "01",
      request: Scenario.Request("GET", "http://h/a"),
      reply: Scenario.Reply(
        Scenario.Head(HTTPResponse(status: .ok)),
        body: Scenario.Body(Bytes([UInt8](repeating: 65, count: 64 << 10)))
      )
    )
    exchange.times = .any
    scenario.exchanges = [exchange]
    let replay = try ReplayTransport(scenario)
    let client = try Client(.standard(over: replay, retry: nil), base: "http://h/")
    try await expectNoGrowth("replays") { _ in
      try await client.read(.get("a"))
      _ = try await client.send(.get("a"))
    }
    try await expectNoGrowth("requests that a replay does not know") { _ in
      try await failing { try await client.read(.get("b")) }
    }
    try await expectNoGrowth("replay transports") { [scenario] _ in
      let client = try Client(.standard(over: try ReplayTransport(scenario), retry: nil), base: "http://h/")
      try await client.read(.get("a"))
    }
  }

  private func checkFaults() async throws {
    let plan = FaultPlan.sequence([
      .refuse, .resetBeforeHead, .reset(afterBytes: 100), .truncate(afterBytes: 100),
      .bandwidth(bytesPerSecond: 1 << 30), nil,
    ])
    let transport = HandlerTransport(recordLimit: 0) { _ in Response(.ok, body: .large()) }
    try await expectNoGrowth("faults") { _ in
      let client = try Client(Pipeline(over: transport) { FaultInjection(plan) }, base: "http://h/")
      for _ in 0..<6 { try? await client.read(.get("a")) }
    }
  }
#endif
