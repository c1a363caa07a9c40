#if CURL
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Synchronization
  import TestSupport
  import Testing

  @Suite struct LifetimeTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test func connectionsAreReusedAndTimed() async throws {
      let events = EventLog()
      try await withPeer({ try $0.answer(Self.empty) }, monitors: [events]) { peer, client in
        for _ in 0..<3 { _ = try await client.send(.get("")) }
        #expect(peer.accepted == 1)
      }
      let infos = events.kinds.compactMap {
        if case .connection(.acquired(let info)) = $0 { info } else { nil }
      }
      #expect(infos.map(\.isReused) == [false, true, true])
      #expect(infos[0].remoteAddress?.hasPrefix("127.0.0.1:") == true)
      #expect(infos[0].connecting != nil)
      #expect(infos[1].connecting == nil)
      let order = events.kinds.compactMap { kind -> String? in
        switch kind {
        case .connection(.acquired): "acquired"
        case .requestHeadSent: "head"
        case .requestSent: "sent"
        case .responseHeadReceived: "received"
        default: nil
        }
      }
      #expect(order.prefix(4) == ["acquired", "head", "sent", "received"])
    }

    @Test(arguments: [
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
    ])
    func aConnectionThatIsToCloseIsNotReused(answer: String) async throws {
      try await withPeer {
        try $0.answer(answer)
      } _: { peer, client in
        for _ in 0..<3 { _ = try await client.send(.get("")) }
        #expect(peer.accepted == 3)
      }
    }

    @Test func ourOwnCloseIsKept() async throws {
      try await withPeer {
        try $0.answer(Self.empty)
      } _: { peer, client in
        var request = Request.get("")
        request.fields[.connection] = "close"
        for _ in 0..<2 { _ = try await client.send(request) }
        #expect(peer.accepted == 2)
      }
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func requestsBeyondTheLimitWaitInOrder() async throws {
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 2
      let order = Mutex<[String]>([])
      try await withPeer(
        { connection in
          while true {
            let target = try connection.readHead().target
            order.withLock { $0.append(target) }
            Thread.sleep(forTimeInterval: 0.01)
            try connection.send(Self.empty)
          }
        },
        connections: connections
      ) { peer, client in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in 0..<20 {
            group.addImmediateTask { _ = try await client.send(.get("\(index)")) }
          }
          try await group.waitForAll()
        }
        #expect(peer.accepted == 2)
      }
      let seen = order.withLock { $0 }.compactMap { Int($0.dropFirst()) }
      #expect(seen.count == 20)
      for (position, index) in seen.enumerated() { #expect(abs(position - index) <= 1) }
    }

    @Test func aCancelledWaiterFreesNothingAndTakesNothing() async throws {
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let gate = DispatchSemaphore(value: 0)
      try await withPeer(
        { connection in
          while true {
            try connection.readHead()
            gate.wait()
            try connection.send(Self.empty)
          }
        },
        connections: connections
      ) { peer, client in
        let first = Task { _ = try await client.send(.get("a")) }
        try await eventually { peer.text.contains("/a") }
        let waiter = Task { _ = try await client.send(.get("b")) }
        try await Task.sleep(for: .milliseconds(20))
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        for _ in 0..<3 { gate.signal() }
        try await first.value
        _ = try await client.send(.get("c"))
        #expect(!peer.text.contains("/b"))
        #expect(peer.accepted == 1)
      }
    }

    enum Moment: CaseIterable { case beforeHead, inBody, inUpload }

    @Test(arguments: Moment.allCases)
    func aCancelledTaskClosesItsConnection(moment: Moment) async throws {
      let ended = Atomic(false)
      try await withPeer { connection in
        try connection.readHead()
        if moment == .inBody { try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome") }
        try connection.readToEnd()
        ended.store(true, ordering: .sequentiallyConsistent)
      } _: { peer, client in
        let (stream, producer) = AsyncStream<Bytes>.makeStream()
        producer.yield("x")
        let task = Task {
          let body: Request.Body = moment == .inUpload ? .oneShot(stream, length: nil) : .empty
          let response = try await client.send(.post("", body: body))
          _ = try await response.body.collect(upTo: 1000)
        }
        try await eventually { peer.text.contains("\r\n\r\n") }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await eventually { ended.load(ordering: .sequentiallyConsistent) }
      }
    }

    @Test func aDroppedBodyClosesItsConnection() async throws {
      let ended = Atomic(false)
      try await withPeer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nsome")
        try connection.readToEnd()
        ended.store(true, ordering: .sequentiallyConsistent)
      } _: { _, client in
        do { _ = try await client.send(.get("")) }
        try await eventually { ended.load(ordering: .sequentiallyConsistent) }
      }
    }

    @Test func shutdownEndsAllAndRefusesMore() async throws {
      let peer = try WireServer { try $0.readToEnd() }
      defer { peer.stop() }
      let transport = CURLTransport()
      let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(peer.port)", path: "/")
      let underWay = Task { await exchangeError { try await transport.send(Request(head: head)) } }
      try await eventually { peer.text.contains("\r\n\r\n") }
      await transport.shutdown()
      await transport.shutdown()
      #expect(await underWay.value?.kind == .shutdown)
      let later = await exchangeError { try await transport.send(Request(head: head)) }
      #expect(later?.kind == .shutdown)
      let unused = CURLTransport()
      await unused.shutdown()
      #expect(await exchangeError { try await unused.send(Request(head: head)) }?.kind == .shutdown)
    }

    @Test func idleConnectionsAreClosedOnTheInjectedClock() async throws {
      let time = ManualTime()
      let ended = Atomic(false)
      try await withPeer(
        { connection in
          try connection.readHead()
          try connection.send(Self.empty)
          try connection.readToEnd()
          ended.store(true, ordering: .sequentiallyConsistent)
        },
        time: time
      ) { peer, client in
        _ = try await client.send(.get(""))
        try await Task.sleep(for: .milliseconds(50))
        time.advance(by: .seconds(59))
        try await Task.sleep(for: .milliseconds(50))
        let isEarly = ended.load(ordering: .sequentiallyConsistent)
        #expect(!isEarly)
        try await eventually {
          time.advance(by: .seconds(2))
          return ended.load(ordering: .sequentiallyConsistent)
        }
      }
    }

    enum Limit: CaseIterable { case head, idle, pool }

    @Test(arguments: Limit.allCases)
    func timeoutsRunOnTheInjectedClock(limit: Limit) async throws {
      let time = ManualTime()
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      try await withPeer(
        { connection in
          try connection.readHead()
          if limit == .idle { try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n") }
          try connection.readToEnd()
        },
        connections: connections,
        time: time,
        options: { options in
          options.headTimeout = limit == .head ? .seconds(5) : nil
          options.poolTimeout = .seconds(7)
        }
      ) { peer, client in
        let first = Task {
          let response = try await client.send(.get(""))
          return try await response.body.collect(upTo: 1000)
        }
        try await eventually { peer.text.contains("\r\n\r\n") }
        let second = limit == .pool ? Task { try await client.send(.get("")) } : nil
        let passing = Task {
          while !Task.isCancelled {
            time.advance(by: .seconds(31))
            try await Task.sleep(for: .milliseconds(20))
          }
        }
        let error = await exchangeError {
          if let second { _ = try await second.value } else { _ = try await first.value }
        }
        switch limit {
        case .head: #expect(error?.kind == .timeout(.head))
        case .idle: #expect(error?.kind == .timeout(.idle))
        case .pool: #expect(error?.kind == .timeout(.pool))
        }
        passing.cancel()
        first.cancel()
      }
    }

    @Test func connectingHasALimit() async throws {
      // A listener whose queue is full answers no more connections.
      let listener = try DeafListener(hasRoom: false)
      defer { listener.stop() }
      let base = "http://127.0.0.1:\(listener.port)/"
      try await withClient(CURLTransport(), base: base, options: { $0.connectTimeout = .milliseconds(300) }) {
        client in
        await withTaskGroup(of: ExchangeError.Kind?.self) { group in
          for _ in 0..<6 {
            group.addTask {
              var request = Request.get("")
              request.options.headTimeout = .milliseconds(600)
              let final = request
              return await exchangeError { try await client.send(final) }?.kind
            }
          }
          var kinds: [ExchangeError.Kind?] = []
          for await kind in group { kinds.append(kind) }
          #expect(kinds.contains(.timeout(.connect)))
        }
      }
    }

    @Test func fiveHundredConcurrentRequestsDoNotMix() async throws {
      try await withPeer { connection in
        while true {
          let token = try connection.readHead().target
          try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(token.utf8.count)\r\n\r\n\(token)")
        }
      } _: { peer, client in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in 0..<500 {
            group.addTask {
              let text = try await client.value(for: .get("\(index)"), as: .text)
              #expect(text == "/\(index)")
            }
          }
          try await group.waitForAll()
        }
        #expect(peer.accepted <= 8)
      }
    }
  }
#endif
