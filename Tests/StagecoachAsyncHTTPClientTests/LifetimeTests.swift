#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// Many at once, and nothing left behind.
  @Suite struct LifetimeTests {
    struct Echo: Decodable, Sendable {
      var target: String
      var body: String
    }

    @Test func fiveHundredConcurrentRequestsDoNotMix() async throws {
      try await withOrigin { origin, client in
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
          for index in 0..<500 {
            group.addTask {
              var request = Request.post("echo?n=\(index)")
              request.body = .bytes(Bytes("body \(index)"))
              let echo = try await client.value(for: request, as: .json(Echo.self))
              return echo.target != "/echo?n=\(index)" || echo.body != "body \(index)"
            }
          }
          return try await group.reduce(into: 0) { count, isWrong in count += isWrong ? 1 : 0 }
        }
        #expect(wrong == 0)
        #expect(origin.acceptedConnections < 500)
      }
    }

    #if os(Linux)
      /// In a process of its own, so that its descriptors are those of these clients alone.
      @Test func aThousandClientsLeaveNoDescriptorBehind() async {
        await #expect(processExitsWith: .success) {
          func openDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
          }
          let origin = try await Origin.start()
          /// Half are dropped after a request, half without ever having sent one.
          func makeAndDrop(_ count: Int) async throws {
            for index in 0..<count {
              let client = try Client(bare(AsyncHTTPClientTransport()), base: origin.url)
              if index % 2 == 0 { _ = try await client.get("json", as: .data) }
            }
            try await eventually { origin.openConnections == 0 }
          }
          // What the process opens once and keeps: event loops, sources of time and chance.
          try await makeAndDrop(10)
          let before = try openDescriptors()
          try await makeAndDrop(1000)
          try await eventually { (try? openDescriptors() <= before) == true }
          #expect(origin.acceptedConnections == 505)
          try await origin.stop()
        }
      }
    #endif

    /// Each has an engine of its own, which goes when it is no longer needed.
    @Test func newConnectionsDoNotPileUp() async throws {
      try await withOrigin { origin, client in
        for _ in 0..<40 {
          var request = Request.get("json")
          request.options.networkUse = NetworkUse(newConnection: true)
          _ = try await client.value(for: request, as: .data)
        }
        #expect(origin.acceptedConnections == 40)
        // The last one stays until the next is made.
        try await eventually { origin.openConnections <= 2 }
        _ = try await client.get("json", as: .data)
        _ = try await client.get("json", as: .data)
        #expect(origin.acceptedConnections == 41)
      }
    }

    #if os(Linux)
      /// The engine forgets the writes of a request that it gives up.
      @Test func uploadsThatStandStillLeaveNoFileOpen() async throws {
        let listener = try DeafListener()
        defer { listener.stop() }
        let path = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)").path
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Far more than the buffers of the system on both sides take.
        try FileHandle(forWritingTo: try #require(URL(string: "file://\(path)"))).truncate(
          atOffset: 256 << 20
        )
        func openFiles() -> Int {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
          return names.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
          }
        }
        let client = try Client(bare(AsyncHTTPClientTransport()))
        await withTaskGroup(of: ExchangeError.Kind?.self) { group in
          for _ in 0..<8 {
            group.addTask {
              await exchangeError {
                var request = Request.put("http://127.0.0.1:\(listener.port)/", body: try .file(path))
                request.options.idleTimeout = .milliseconds(200)
                return try await client.send(request)
              }?.kind
            }
          }
          for await kind in group { #expect(kind == .timeout(.idle)) }
        }
        try await eventually { openFiles() == 0 }
        await client.pipeline.shutdown()
      }
    #endif

    @Test func aBodyOutlivesItsClient() async throws {
      let origin = try await Origin.start()
      do {
        let response = try await Client(bare(AsyncHTTPClientTransport()), base: origin.url)
          .send(.get("bytes/\(8 << 20)"))
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        #expect(count == 8 << 20)
      }
      // With the body goes the last reference to the transport.
      try await eventually { origin.openConnections == 0 }
      try await origin.stop()
    }

    @Test func shutdownFailsWhatIsUnderWay() async throws {
      let origin = try await Origin.start()
      let client = try Client(bare(AsyncHTTPClientTransport()), base: origin.url)
      let waiting = Task { try await client.get("hang", as: .data) }
      let reading = try await client.send(.get("drip?bytes=100&duration=60000"))
      _ = try await origin.nextRequest(path: "/hang")
      await client.pipeline.shutdown()
      let first = await exchangeError { try await waiting.value }
      #expect(first?.kind == .shutdown)
      let second = await exchangeError { for try await _ in reading.body {} }
      #expect(second?.kind == .shutdown)
      let third = await exchangeError { try await client.get("json", as: .data) }
      #expect(third?.kind == .shutdown)
      try await origin.stop()
    }

    #if os(Linux)
      /// The engine would wait for a minute, until it gives up.
      @Test(.timeLimit(.minutes(1)))
      func shutdownDoesNotWaitForASilentPeer() async throws {
        let listener = try DeafListener(hasRoom: false)
        defer { listener.stop() }
        let client = try Client(bare(AsyncHTTPClientTransport()))
        let waiting = Task { try await client.get("http://127.0.0.1:\(listener.port)/", as: .data) }
        try await eventually { (try? connections(to: listener.port)) == 2 }
        await client.pipeline.shutdown()
        let error = await exchangeError { try await waiting.value }
        #expect(error?.kind == .shutdown)
        // It was no connection that ended the wait.
        #expect(try connections(to: listener.port) == 2)
      }
    #endif

    @Test func aClientDoesNotShutDownATransportItDoesNotOwn() async throws {
      let origin = try await Origin.start()
      let transport = AsyncHTTPClientTransport()
      let first = try Client(bare(transport), base: origin.url)
      let second = try Client(bare(transport), base: origin.url)
      await first.shutdown()
      #expect(try await second.get("json", as: .data).isEmpty == false)
      await transport.shutdown()
      await transport.shutdown()
      try await origin.stop()
    }

    @Test func eventsTellTheStoryInOrder() async throws {
      let log = EventLog()
      try await withOrigin(monitors: [log]) { _, client in
        _ = try await client.get("json", as: .data)
      }
      let events = log.events
      #expect(events.map(\.sequence) == Array(0..<events.count))
      let story = events.map { String("\($0.kind)".prefix { $0 != "(" }) }
      let milestones = [
        "exchangeStarted", "requestHeadSent", "requestSent", "responseHeadReceived", "validationPassed",
        "serializationStarted", "responseFinished", "serializationFinished", "exchangeFinished",
      ]
      #expect(story.filter { milestones.contains($0) } == milestones, "\(story)")
    }
  }
#endif
