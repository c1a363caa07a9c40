#if Tool
  import AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Testing

  /// Timeouts and cancellation at every phase, over real sockets.
  @Suite struct LimitTests {
    /// A body that never gets further.
    static func endlessUpload() -> Request.Body {
      .stream(length: nil) {
        AsyncStream<Bytes> { $0.yield("start") }
      }
    }

    struct Phase: Sendable, CustomTestStringConvertible {
      let name: String
      let kind: ExchangeError.Kind
      let script: RawScript
      let scheme: String
      let request: @Sendable (String) -> Request
      let options: RequestOptions
      var testDescription: String { name }
    }

    static let phases: [Phase] = [
      Phase(
        name: "TLS handshake",
        kind: .timeout(.connect),
        script: .neverCompletesTLS,
        scheme: "https",
        request: { .get($0) },
        options: limits { $0.connectTimeout = .milliseconds(150) }
      ),
      Phase(
        name: "sending the body: the source pauses",
        kind: .timeout(.idle),
        script: [.readToEnd],
        scheme: "http",
        request: { .post($0, body: endlessUpload()) },
        options: limits { $0.idleTimeout = .milliseconds(150) }
      ),
      Phase(
        name: "sending the body: the peer does not read",
        kind: .timeout(.idle),
        script: .neverReads,
        scheme: "http",
        request: { .post($0, body: .bytes(Bytes([UInt8](repeating: 0, count: 64 << 20)))) },
        options: limits { $0.idleTimeout = .milliseconds(150) }
      ),
      Phase(
        name: "waiting for the head",
        kind: .timeout(.head),
        script: [.readHead, .hold],
        scheme: "http",
        request: { .get($0) },
        options: limits { $0.headTimeout = .milliseconds(150) }
      ),
      Phase(
        name: "inside the head",
        kind: .timeout(.head),
        script: [.readHead, .send("HTTP/1.1 200 OK\r\nX-A:"), .hold],
        scheme: "http",
        request: { .get($0) },
        options: limits { $0.headTimeout = .milliseconds(150) }
      ),
      Phase(
        name: "reading the body",
        kind: .timeout(.idle),
        script: [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab"), .hold],
        scheme: "http",
        request: { .get($0) },
        options: limits { $0.idleTimeout = .milliseconds(150) }
      ),
    ]

    @Test(arguments: phases)
    func everyPhaseHasItsLimit(_ phase: Phase) async throws {
      try await withRaw(phase.script, options: phase.options) { raw, client in
        let url = "\(phase.scheme)://localhost:\(raw.port)/x"
        let error = await exchangeError { try await client.value(for: phase.request(url), as: .data) }
        #expect(error?.kind == phase.kind)
        #expect(error?.limit?.value == "150 ms")
      }
    }

    @Test(arguments: phases)
    func theTotalCoversEveryPhase(_ phase: Phase) async throws {
      try await withRaw(phase.script, options: limits { $0.totalTimeout = .milliseconds(150) }) {
        raw,
        client in
        let url = "\(phase.scheme)://localhost:\(raw.port)/x"
        let error = await exchangeError { try await client.value(for: phase.request(url), as: .data) }
        #expect(error?.kind == .timeout(.total))
      }
    }

    @Test(arguments: phases)
    func everyPhaseCanBeCancelled(_ phase: Phase) async throws {
      try await withRaw(phase.script) { raw, client in
        let url = "\(phase.scheme)://localhost:\(raw.port)/x"
        let task = Task { try await client.value(for: phase.request(url), as: .data) }
        try await eventually { !raw.connections.isEmpty }
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ContinuousClock.now - start < .seconds(30))
      }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
      try await withOrigin { origin, client in
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await client.get("json", as: .data)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(origin.acceptedConnections == 0)
      }
    }

    @Test func waitingForAFreeConnectionHasItsOwnLimit() async throws {
      let origin = try await Origin.start()
      let transport = AsyncHTTPClientTransport { configuration in
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
      }
      let options = limits {
        $0.connectTimeout = .milliseconds(100)
        $0.poolTimeout = .milliseconds(300)
      }
      let client = try Client(
        bare(transport),
        base: origin.url,
        ownsTransport: true
      )
      let holder = Task { try await client.get("hang", as: .data) }
      _ = try await origin.nextRequest(path: "/hang")
      var request = Request.get("json")
      request.options = options
      let waiting = request
      let error = await exchangeError { try await client.value(for: waiting, as: .data) }
      #expect(error?.kind == .timeout(.pool))
      #expect(error?.requestMayHaveBeenSent == false)
      holder.cancel()
      _ = try? await holder.value
      await client.shutdown()
      try await origin.stop()
    }

    @Test func aSlowButSteadyBodyIsNotIdle() async throws {
      try await withOrigin(options: limits { $0.idleTimeout = .seconds(3) }) { _, client in
        let bytes = try await client.get("drip?bytes=8&duration=4000", as: .data)
        #expect(bytes.count == 8)
      }
    }

    @Test func theTotalInterruptsASteadyBody() async throws {
      let time = ManualTime()
      try await withOrigin(options: limits { $0.totalTimeout = .seconds(3600) }, time: time) { _, client in
        let response = try await client.send(.get("drip?bytes=100&duration=100000"))
        time.advance(by: .seconds(3601))
        let error = await exchangeError {
          for try await _ in response.body {}
        }
        #expect(error?.kind == .timeout(.total))
        #expect(error?.stage == "AsyncHTTPClient")
      }
    }

    @Test func aReaderWhoTakesHisTimeIsNotIdle() async throws {
      let time = ManualTime()
      try await withOrigin(options: limits { $0.idleTimeout = .seconds(30) }, time: time) { _, client in
        let response = try await client.send(.get("bytes/\(4 << 20)"))
        var count = 0
        for try await chunk in response.body {
          if count == 0 {
            // Whatever still comes by itself has come.
            try await Task.sleep(for: .milliseconds(100))
            time.advance(by: .seconds(3600))
          }
          count += chunk.count
        }
        #expect(count == 4 << 20)
      }
    }

    @Test func limitsRunOnTheInjectedClock() async throws {
      let time = ManualTime()
      try await withOrigin(options: limits { $0.headTimeout = .seconds(3600) }, time: time) {
        origin,
        client in
        let task = Task { try await client.get("hang", as: .data) }
        _ = try await origin.nextRequest(path: "/hang")
        try await eventually {
          time.advance(by: .seconds(3601))
          return task.isCancelled || origin.openConnections == 0
        }
        let error = await exchangeError { try await task.value }
        #expect(error?.kind == .timeout(.head))
      }
    }
  }
#endif
