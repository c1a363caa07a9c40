#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Testing

  /// What is told of the connections of requests, and what may come beside a body.
  @Suite struct ConnectionEventTests {
    private static func words(_ log: EventLog) -> [String] {
      log.events.sorted { $0.sequence < $1.sequence }.compactMap { event in
        switch event.kind {
        case .connection(.acquired): "acquired"
        case .connection(.released): "released"
        case .connection(.closed(let reason)): "closed: \(reason)"
        case .connection(.queued): "queued"
        case .connection(.dequeued): "dequeued"
        case .requestHeadSent: "head"
        case .requestSent: "sent"
        case .requestFailed: "failed"
        case .informationalResponse(let head):
          "\(head.status.code) \(head.headerFields[.init("Link")!] ?? "")"
        default: nil
        }
      }
    }

    private static let early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    private static let asked = "closed: the peer asked for that"
    private static let cut = "closed: its exchange ended before its time"

    @Test(arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "released"),
      ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", asked),
      ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", asked),
      ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", cut),
      ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nok", cut),
    ])
    func reportsTheEndOfAConnection(answer: String, end: String) async throws {
      let log = EventLog()
      let options = limits { $0.monitors = [log] }
      try await withPeer(closing(answer), options: options) { _, client in
        _ = try? await client.get("x", as: .data)
      }
      #expect(Self.words(log) == ["acquired", "head", "sent", end])
    }

    @Test func aDroppedBodyClosesItsConnection() async throws {
      let log = EventLog()
      try await withOrigin(monitors: [log]) { _, client in
        let response = try await client.send(.get("drip?bytes=1000&duration=60000"))
        response.body.cancel()
      }
      #expect(Self.words(log).last == Self.cut)
    }

    @Test func reportsARequestThatIsNotSentToItsEnd() async throws {
      struct Broken: Error {}
      let log = EventLog()
      try await withOrigin(monitors: [log]) { _, client in
        let body = Request.Body.stream(length: 10) {
          AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: Broken()) }
        }
        let error = await exchangeError { try await client.send(.post("echo", body: body)) }
        #expect(error?.kind == .requestBody)
      }
      #expect(Self.words(log) == ["acquired", "head", "failed", Self.cut])
    }

    @Test func reportsWaitingForAConnection() async throws {
      let origin = try await Origin.start()
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let transport = AsyncHTTPClientTransport(connections: connections)
      let client = try Client(bare(transport), base: origin.url)
      let holder = Task { try await client.get("hang", as: .data) }
      _ = try await origin.nextRequest(path: "/hang")
      let log = EventLog()
      var request = Request.get("text")
      request.options.monitors = [log]
      let waiting = Task { [request] in try await client.send(request).body.collect(upTo: 1000) }
      try await eventually { Self.words(log) == ["queued"] }
      holder.cancel()
      _ = try await waiting.value
      #expect(Self.words(log) == ["queued", "dequeued", "acquired", "head", "sent", "released"])
      let waits = log.events.compactMap { event -> Duration? in
        if case .connection(.dequeued(let wait)) = event.kind { wait } else { nil }
      }
      let queued = try #require(
        log.events.first { if case .connection(.queued) = $0.kind { true } else { false } }
      )
      let dequeued = try #require(
        log.events.first { if case .connection(.dequeued) = $0.kind { true } else { false } }
      )
      #expect(try #require(waits.first) <= dequeued.time - queued.time + .seconds(1))
      #expect(try #require(waits.first) > .zero)
      await client.pipeline.shutdown()
      try await origin.stop()
    }

    @Test func reportsInformationalResponses() async throws {
      let log = EventLog()
      let options = limits { $0.monitors = [log] }
      let answer = Self.early + Self.early + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      try await withPeer(closing(answer), options: options) { _, client in
        let text = try await client.get("x", as: .text)
        #expect(text == "ok")
      }
      #expect(
        Self.words(log) == ["acquired", "head", "sent", "103 </a.css>", "103 </a.css>", "released"]
      )
    }

    @Test(arguments: [8, 9])
    func informationalResponsesAreLimited(count: Int) async throws {
      let answer = String(repeating: Self.early, count: count) + "HTTP/1.1 204 No Content\r\n\r\n"
      try await withPeer(closing(answer)) { _, client in
        guard count > 8 else {
          let status = try await client.send(.get("x")).status
          #expect(status == .noContent)
          return
        }
        let error = await exchangeError { try await client.send(.get("x")) }
        #expect(error?.kind == .limit(.responseHead))
        #expect(error?.limit?.option == "responseHeadLimits.informationalResponses")
      }
    }

    @Test(arguments: [
      ("fields", "10 fields"), ("fieldBytes", "100 bytes"), ("bytes", "300 bytes"),
    ])
    func theHeadOfAResponseIsLimited(name: String, value: String) async throws {
      let options = limits { options in
        options.responseHeadLimits.fields = 10
        options.responseHeadLimits.fieldBytes = 100
        options.responseHeadLimits.bytes = 300
      }
      let lines =
        switch name {
        case "fields": (0..<11).map { "A\($0): 1" }
        case "fieldBytes": ["A: \(String(repeating: "a", count: 96))"]
        default: (0..<4).map { "A\($0): \(String(repeating: "a", count: 80))" }
        }
      let fields = lines.map { $0 + "\r\n" }.joined()
      try await withPeer(closing("HTTP/1.1 200 OK\r\n\(fields)\r\n"), options: options) { _, client in
        let error = await exchangeError { try await client.get("x", as: .data) }
        #expect(error?.kind == .limit(.responseHead))
        #expect(error?.limit?.option == "responseHeadLimits.\(name)")
        #expect(error?.limit?.value == value)
        #expect(error?.advice == "raise options.responseHeadLimits.\(name) if the server is trusted")
      }
    }
  }
#endif
