#if Tool
  import ConformanceSubjects
  import HTTPTypes
  import Stagecoach
  @testable import StagecoachConformance
  import StagecoachFixtures
  import StagecoachOrigin
  import Testing

  /// The standard stack over each real transport, with every event of its input and output failing once: each run ends
  /// in time, with success or a typed error, and leaves no connection and no descriptor behind.
  @Suite(.serialized) struct FaultSweepTests {
    private static let names = Subjects.all.map(\.name).filter {
      ["AsyncHTTPClient", "CURL", "URLSession"].contains($0)
    }

    /// In a process of its own, so that its descriptors are those of these runs alone.
    @Test(arguments: names)
    func whateverFailsNothingIsLeftBehind(name: String) async {
      await #expect(processExitsWith: .success) { [name = name as String] in
        let subject = try #require(Subjects.all.first { $0.name == name })
        let origin = try await Origin.start()
        // What is made once and stays, such as the threads of an engine.
        for _ in 0..<2 { try await FaultSweepTests.play(subject, origin, FaultSweep(failingAt: .max)) }
        let before = try openDescriptors()
        let count = try await FaultSweep.run(limit: 200) { stage in
          try await FaultSweepTests.play(subject, origin, stage)
        }
        // The connection, the head and the end of three responses, two of which have content; the end of a request.
        #expect(count >= 12)
        #expect(count < 198)
        let deadline = ContinuousClock.now + Check.patience
        while try openDescriptors() > before || origin.openConnections > 0, .now < deadline {
          try await Task.sleep(for: .milliseconds(20))
        }
        #expect(origin.openConnections == 0)
        let after = try openDescriptors()
        #expect(after <= before)
        try await origin.stop()
      }
    }

    /// An upload and a redirect, over a transport and a client of their own.
    private static func play(_ subject: Subject, _ origin: Origin, _ stage: FaultSweep) async throws {
      let transport = try #require(makeTransport(subject))
      var policy = RetryPolicy()
      policy.delay = .zero
      let stack = Pipeline.standard(over: Pipeline(over: transport) { stage }, retry: Retry(policy))
      let client = try Client(stack, base: origin.url)
      let finding = await Finding.of(within: .seconds(60)) {
        do {
          let body = Request.Body.stream(length: nil) {
            AsyncStream<Bytes> { continuation in
              for text in ["one", "two"] { continuation.yield(Bytes(text)) }
              continuation.finish()
            }
          }
          let echo = try await client.value(for: Request.put("echo", body: body), as: .text)
          try require(echo.contains("onetwo"), "the upload arrived as \(echo)")
          let json = try await client.get("redirect-chain/1", as: .data)
          try require(!json.isEmpty, "there is no content")
        } catch is ExchangeError {}
      }
      #expect(finding == nil, "at event \(stage.events)")
      await client.pipeline.shutdown()
    }
  }
#endif
