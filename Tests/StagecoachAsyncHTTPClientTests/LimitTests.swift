#if Tool
  import AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// Timeouts and cancellation at every phase, over real sockets.
  @Suite struct LimitTests {
    /// A body that never gets further.
    static func endlessUpload() -> Request.Body {
      .stream(length: nil) {
        AsyncStream<Bytes> { $0.yield("start") }
      }
    }

    /// Something that a transfer waits for in vain.
    struct Phase: Sendable, CustomTestStringConvertible {
      enum Peer: Sendable {
        case plays(Script)
        /// Who neither makes a connection nor refuses it.
        case isUnreachable
      }

      let name: String
      /// Which limit it has.
      let limit: ExchangeError.Phase
      let peer: Peer
      var scheme = "http"
      var request: @Sendable (String) throws -> Request = { .get($0) }
      var testDescription: String { name }

      var options: RequestOptions {
        limits { options in
          switch limit {
          case .connect: options.connectTimeout = .milliseconds(150)
          case .head: options.headTimeout = .milliseconds(150)
          default: options.idleTimeout = .milliseconds(150)
          }
        }
      }

      /// A client of the peer with these options.
      ///
      /// - Parameter body: Gets a URL, the client, and whether the peer has been turned to.
      func with(
        _ options: RequestOptions = RequestOptions(),
        _ body: (String, Client, () -> Bool) async throws -> Void
      ) async throws {
        switch peer {
        case .plays(let script):
          try await withPeer(script, options: options) { peer, client in
            try await body("\(scheme)://localhost:\(peer.port)/x", client) { !peer.connections.isEmpty }
          }
        case .isUnreachable:
          // Elsewhere the system cannot be brought to leave a connection unanswered.
          #if os(Linux)
            let listener = try DeafListener(hasRoom: false)
            defer { listener.stop() }
            let client = try Client(
              bare(AsyncHTTPClientTransport()),
              configuration: .init(defaults: Client.Defaults(options: options))
            )
            // One connection is that of the listener itself.
            try await body("http://127.0.0.1:\(listener.port)/x", client) {
              (try? connections(to: listener.port)) == 2
            }
            await client.pipeline.shutdown()
          #endif
        }
      }
    }

    private static var connecting: [Phase] {
      #if os(Linux)
        [Phase(name: "connecting", limit: .connect, peer: .isUnreachable)]
      #else
        []
      #endif
    }

    /// Answers nothing, neither a request nor a TLS handshake.
    private static let readsOnly: Script = { try $0.hold() }

    private static let neverReads: Script = { try $0.stall() }

    static let phases: [Phase] =
      connecting + [
        Phase(name: "TLS handshake", limit: .connect, peer: .plays(readsOnly), scheme: "https"),
        Phase(
          // It is written at once, as the engine sees it, so that its time is that of the response's head.
          name: "sending the head: the peer does not read",
          limit: .head,
          peer: .plays(neverReads),
          request: { url in
            var request = Request.get(url)
            request.options.requestHeadLimit = 64 << 20
            // More than the buffers of the system on both sides take.
            try request.addField("X-A", String(repeating: "a", count: 32 << 20))
            return request
          }
        ),
        Phase(
          name: "sending the body: the source pauses",
          limit: .idle,
          peer: .plays(readsOnly),
          request: { .post($0, body: endlessUpload()) }
        ),
        Phase(
          name: "sending the body: the peer does not read",
          limit: .idle,
          peer: .plays(neverReads),
          request: { .post($0, body: .bytes(Bytes([UInt8](repeating: 0, count: 64 << 20)))) }
        ),
        Phase(name: "waiting for the head", limit: .head, peer: .plays(readsOnly)),
        Phase(
          name: "inside the head",
          limit: .head,
          peer: .plays(holding("HTTP/1.1 200 OK\r\nX-A:"))
        ),
        Phase(
          name: "reading the body",
          limit: .idle,
          peer: .plays(holding("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab"))
        ),
      ]

    /// The error is of the phase, and names the limit and its option.
    static func check(_ error: ExchangeError?, _ phase: ExchangeError.Phase, _ value: String = "150 ms") {
      #expect(error?.kind == .timeout(phase))
      #expect(error?.limit?.description == "\(phase.rawValue)Timeout = \(value)")
      #expect(error?.message.contains(value) == true)
      #expect(error?.advice?.contains("options.\(phase.rawValue)Timeout") == true)
    }

    @Test(arguments: phases)
    func everyPhaseHasItsLimit(_ phase: Phase) async throws {
      try await phase.with(phase.options) { url, client, _ in
        let error = await exchangeError { try await client.value(for: phase.request(url), as: .data) }
        Self.check(error, phase.limit)
        #expect(error?.stage == "AsyncHTTPClient")
        if phase.limit == .connect { #expect(error?.requestMayHaveBeenSent == false) }
      }
    }

    @Test(arguments: phases)
    func theTotalCoversEveryPhase(_ phase: Phase) async throws {
      try await phase.with(limits { $0.totalTimeout = .milliseconds(150) }) { url, client, _ in
        let error = await exchangeError { try await client.value(for: phase.request(url), as: .data) }
        Self.check(error, .total)
      }
    }

    @Test(arguments: phases)
    func everyPhaseCanBeCancelled(_ phase: Phase) async throws {
      try await phase.with { url, client, isReached in
        let task = Task { try await client.value(for: phase.request(url), as: .data) }
        try await eventually { isReached() }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
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
        base: origin.url
      )
      let holder = Task { try await client.get("hang", as: .data) }
      _ = try await origin.nextRequest(path: "/hang")
      var request = Request.get("json")
      request.options = options
      let waiting = request
      let error = await exchangeError { try await client.value(for: waiting, as: .data) }
      Self.check(error, .pool, "300 ms")
      #expect(error?.requestMayHaveBeenSent == false)
      holder.cancel()
      _ = try? await holder.value
      await client.pipeline.shutdown()
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

    @Test func aSlowReaderIsNotIdle() async throws {
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
