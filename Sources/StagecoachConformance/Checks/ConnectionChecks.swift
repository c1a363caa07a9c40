import Foundation
import HTTPTypes
import StagecoachCore
import Synchronization

extension Check {
  /// Answers every request with its target.
  static let echoesTarget: @Sendable (WireConnection) throws -> Void = { wire in
    while true {
      let target = try wire.readRequest().target
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(target.utf8.count)\r\n\r\n\(target)")
    }
  }

  /// Connections: how many, which, and how long.
  static let connectionChecks: [Check] = [
    Check(
      "083b-new-connection",
      "a request that asks for a connection of its own gets a new one",
      level: .capability,
      needs: .newConnections
    ) { trial in
      let server = try trial.server(echoesTarget)
      let transport = try trial.transport()
      for target in ["/1", "/new", "/new", "/2"] {
        var request = Request.get("\(server.url)\(target)")
        if target == "/new" { request.options.networkUse = NetworkUse(newConnection: true) }
        let response = try await trial.send(request, over: transport)
        _ = try await response.body.collect(upTo: 100)
      }
      let connections = server.connections.map { $0.requests.map(\.target) }
      let isNew = connections.filter { $0.first == "/new" }.count == 2
      try require(isNew, "the connections served \(connections)")
    },
    Check("084-unread-bodies", "a body that is left unread never gets into the next response") { trial in
      let server = try trial.server { wire in
        while true {
          let target = try wire.readRequest().target
          let body = target == "/large" ? String(repeating: "y", count: 4 << 20) : target
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
      }
      let transport = try trial.transport()
      for target in ["/small", "/large", "/small", "/large"] {
        // Dropped here, unread.
        _ = try await trial.send(.get("\(server.url)\(target)"), over: transport).status
        let next = try await trial.send(.get("\(server.url)/next"), over: transport)
        let text = String(decoding: try await next.body.collect(upTo: 1 << 20))
        try require(text == "/next", "after \(target) the next body is \(text.prefix(100))")
      }
    },
    Check(
      "085-stale-connection",
      "on a connection that the peer closed the request is sent again, or fails with a clear error"
    ) {
      trial in
      let server = try trial.server { wire in
        _ = try wire.readRequest()
        try wire.send(okay)
        wire.pause(.milliseconds(30))
      }
      let transport = try trial.transport()
      for turn in 0..<3 {
        do {
          let response = try await trial.send(.get("\(server.url)/"), over: transport)
          _ = try await response.body.collect(upTo: 100)
        } catch let error as ExchangeError {
          try require(turn > 0 && error.kind == .connectionReset, "turn \(turn) fails as \(error.kind)")
          try require(error.requestMayHaveBeenSent != nil, "it does not say whether the request was sent")
          try require(error.isTransient, "it is not transient")
        }
        try await Task.sleep(for: .milliseconds(100))
      }
    },
    Check("085b-no-blind-repetition", "a request that was sent is not sent again when the connection breaks")
    {
      trial in
      let server = try trial.server { wire in
        // The first connection answers once, and breaks after the next request; others break at once.
        _ = try wire.readRequest()
        if wire.index > 0 { return }
        try wire.send(okay)
        _ = try wire.readRequest()
      }
      let transport = try trial.transport()
      _ = try await trial.send(.get("\(server.url)/1"), over: transport).body.collect(upTo: 100)
      let error = try await trial.failure(of: .post("\(server.url)/2", body: .bytes("x")), over: transport)
      try require(error.kind == .connectionReset, "it fails as \(error.kind)")
      try await Task.sleep(for: .milliseconds(100))
      let posts = server.requests.filter { $0.method == "POST" }.count
      try require(posts == 1, "the POST was sent \(posts) times")
    },
    Check(
      "085c-reuse-in-failures",
      "an error says whether its connection was reused",
      level: .capability,
      needs: .connectionTimings
    ) { trial in
      let server = try trial.server { wire in
        while try wire.readRequest().target != "/break" { try wire.send(okay) }
        wire.reset()
      }
      for isReused in [false, true] {
        let transport = try trial.transport()
        if isReused {
          _ = try await trial.send(.get("\(server.url)/"), over: transport).body.collect(upTo: 100)
        }
        let request = Request.post("\(server.url)/break", body: .bytes("x"))
        let error = try await trial.failure(of: request, over: transport)
        try require(
          error.connectionWasReused == isReused,
          "connectionWasReused is \(error.connectionWasReused.map { "\($0)" } ?? "nil"), expected \(isReused)"
        )
      }
    },
    Check("087-pool-limit", "opens no more connections than allowed and serves waiters in order") {
      trial in
      let open = Mutex((now: 0, most: 0))
      let order = Mutex<[String]>([])
      let server = try trial.server { wire in
        while true {
          let target = try wire.readRequest().target
          order.withLock { $0.append(target) }
          open.withLock { open in
            open.now += 1
            open.most = max(open.most, open.now)
          }
          // Until both connections are in use, or no other one is established.
          for _ in 0..<50 where open.withLock({ $0.now }) < 2 { wire.pause(.milliseconds(10)) }
          wire.pause(.milliseconds(40))
          open.withLock { $0.now -= 1 }
          try wire.send(okay)
        }
      }
      let transport = try trial.transport { $0.connections.connectionsPerOrigin = 2 }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<8 {
          group.addTask {
            _ = try await trial.send(.get("\(server.url)/\(index)"), over: transport).body.collect(upTo: 100)
          }
          try await Task.sleep(for: .milliseconds(8))
        }
        // A waiting request that is cancelled neither frees nor takes a connection.
        let waiting = Task { try await trial.send(.get("\(server.url)/cancelled"), over: transport) }
        try await Task.sleep(for: .milliseconds(20))
        waiting.cancel()
        if case .success = await waiting.result { throw CheckFailure("a cancelled call was answered") }
        try await group.waitForAll()
      }
      let most = open.withLock { $0.most }
      try require(most == 2, "\(most) requests were under way at a time")
      try require(server.connections.count <= 3, "there were \(server.connections.count) connections")
      let targets = order.withLock { $0 }
      let wanted = (0..<8).map { "/\($0)" }
      // Two connections: neighbours may overtake each other.
      let misplaced = zip(targets, wanted).filter { seen, wanted in
        abs((Int(seen.dropFirst()) ?? 99) - (Int(wanted.dropFirst()) ?? 0)) > 1
      }
      try require(targets.count == 8 && misplaced.isEmpty, "the order was \(targets)")
    },
    Check("088-idle-timeout", "a connection without requests is closed after its time") { trial in
      let server = try trial.server(echoesTarget)
      let transport = try trial.transport { $0.connections.idleTimeout = .seconds(1) }
      _ = try await trial.send(.get("\(server.url)/"), over: transport).body.collect(upTo: 100)
      let isClosed = try await server.wait(within: .seconds(8)) { $0.allSatisfy(\.wasEndedByPeer) }
      try require(isClosed, "the connection was still open after 8 s")
    },
    Check("089-origins", "what differs in host or port never shares a connection") { trial in
      let first = try trial.server(echoesTarget)
      let second = try trial.server(echoesTarget)
      let transport = try trial.transport()
      for _ in 0..<2 {
        for url in ["\(first.url)/1", "\(second.url)/2", "http://localhost:\(first.port)/3"] {
          let response = try await trial.send(.get(url), over: transport)
          let text = String(decoding: try await response.body.collect(upTo: 100))
          try require(url.hasSuffix(text), "\(url) was answered with \(text)")
        }
      }
      try require(first.connections.count == 2, "two names had \(first.connections.count) connections")
      try require(second.connections.count == 1, "the other port had \(second.connections.count) connections")
    },
    Check(
      "090-second-address",
      "where the first address of a host refuses a connection, the next one is tried"
    ) { trial in
      // Which of them is the first is for the system to say: one of the two servers is not at that one.
      let addresses = ["127.0.0.1", "::1"]
      guard Set(Host(name: "localhost").addresses).isSuperset(of: addresses) else {
        throw CheckNotRun(reason: "localhost does not have both 127.0.0.1 and ::1 on this machine")
      }
      try await requireReached(trial, addresses)
    },
    Check("091-localhost", "a server that listens on one address of localhost is reached") { trial in
      try await requireReached(trial, ["127.0.0.1"])
    },
    Check("092c-unix-socket", "a Unix domain socket is connected to", level: .capability, needs: .unixSockets)
    {
      trial in
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock")
        .path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let server = try WireServer(path: path, serve: echoesTarget)
      defer { server.stop() }
      let transport = try trial.transport { $0.connections.unixSocket = path }
      let response = try await trial.send(.get("http://example.com/hello"), over: transport)
      let text = String(decoding: try await response.body.collect(upTo: 100))
      try require(text == "/hello", "the body is \(text)")
      let host = server.requests.first?.values(of: "Host") ?? []
      try require(host == ["example.com"], "Host is \(host)")
    },
    Check(
      "092d-address-override",
      "a host with a given address is not looked up, and keeps its name",
      level: .capability,
      needs: .addressOverrides
    ) { trial in
      let server = try trial.server(echoesTarget)
      let transport = try trial.transport { $0.connections.addresses["api.stagecoach.invalid"] = "127.0.0.1" }
      let url = "http://api.stagecoach.invalid:\(server.port)/a"
      _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
      let host = server.requests.first?.values(of: "Host") ?? []
      try require(host == ["api.stagecoach.invalid:\(server.port)"], "Host is \(host)")
    },
    Check(
      "092f-local-address",
      "connections come from the given address of this machine",
      level: .capability,
      needs: .localAddress
    ) { trial in
      // All of 127.0.0.0/8 leads to this machine, where its system says so.
      let address = "127.0.0.2"
      do {
        try WireServer(host: address, serve: echoesTarget).stop()
      } catch {
        throw CheckNotRun(reason: "\(address) is not an address of this machine")
      }
      let server = try trial.server(echoesTarget)
      let transport = try trial.transport { $0.connections.localAddress = address }
      _ = try await trial.send(.get("\(server.url)/"), over: transport).body.collect(upTo: 100)
      let peers = server.connections.map(\.peerAddress)
      try require(peers == [address], "the connections come from \(peers)")
    },
    Check(
      "092i-connection-timings",
      "how long connecting took is told with the first response of a connection, and with no other",
      level: .capability,
      needs: .connectionTimings
    ) { trial in
      let server = try trial.server(echoesTarget)
      let transport = try trial.transport()
      for isReused in [false, true] {
        let response = try await trial.send(.get("\(server.url)/"), over: transport)
        _ = try await response.body.collect(upTo: 100)
        let connection = response.connection
        try require(
          connection?.isReused == isReused && (connection?.connecting == nil) == isReused,
          "of \(isReused ? "a connection that was there" : "a new connection") it tells \(connection as Any)"
        )
        let address = connection?.remoteAddress ?? server.authority
        try require(address == server.authority, "the address of the peer is said to be \(address)")
      }
    },
    Check(
      "093-shutdown",
      "after a shutdown calls fail with a typed error, and so does what is under way",
      runsInProcess: true
    ) {
      trial in
      let transport: any Transport
      let url: String
      if let inProcess = trial.inProcess({ _ in Response(.ok) }) {
        (transport, url) = (inProcess, "http://127.0.0.1:8080/")
      } else {
        let server = try trial.server { wire in
          _ = try wire.readRequest()
          try wire.hold()
        }
        (transport, url) = (try trial.transport(), "\(server.url)/")
        let call = Task { try await trial.send(.get(url), over: transport) }
        _ = try await server.wait { $0.first?.requests.count == 1 }
        let start = ContinuousClock.now
        await transport.shutdown()
        let error = await call.result.failure as? ExchangeError
        try require(
          error?.kind == .shutdown,
          "the call under way ended with \(error.map { "\($0.kind)" } ?? "none")"
        )
        try require(
          ContinuousClock.now - start < patience,
          "the shutdown took \(ContinuousClock.now - start)"
        )
      }
      await transport.shutdown()
      await transport.shutdown()
      let error = try await trial.failure(of: .get(url), over: transport)
      try require(error.kind == .shutdown, "a later call fails as \(error.kind)")
    },
    Check(
      "110-concurrency",
      "500 requests at a time get their own answers, and no descriptor stays",
      runsInProcess: true
    ) {
      trial in
      let transport: any Transport
      let url: String
      let server: WireServer?
      if let inProcess = trial.inProcess({ request in
        try await Task.sleep(for: .milliseconds(1))
        return Response(.ok, body: .bytes(Bytes(request.head.path ?? "")))
      }) {
        (transport, url, server) = (inProcess, "http://127.0.0.1:8080", nil)
      } else {
        let made = try trial.server(echoesTarget)
        (transport, url, server) = (try trial.transport(), made.url, made)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<500 {
          group.addTask {
            let response = try await trial.send(.get("\(url)/token-\(index)"), over: transport)
            let text = String(decoding: try await response.body.collect(upTo: 1000))
            try require(text == "/token-\(index)", "request \(index) got \(text)")
          }
        }
        try await group.waitForAll()
      }
      await transport.shutdown()
      if let server {
        let isClosed = try await server.wait { $0.allSatisfy(\.wasEndedByPeer) }
        try require(isClosed, "connections stayed open after the shutdown")
        let left = try await OpenSockets.left(boundTo: Set(server.connections.map(\.peerPort)))
        try require(left == 0, "\(left) sockets stayed open after the shutdown")
      }
    },
  ]

  /// Sends a request to localhost for a server at each of these addresses, and at no other.
  private static func requireReached(_ trial: Trial, _ addresses: [String]) async throws {
    let transport = try trial.transport()
    for address in addresses {
      let server = try trial.server(host: address, echoesTarget)
      let response = try await trial.send(.get("http://localhost:\(server.port)/"), over: transport)
      _ = try await response.body.collect(upTo: 100)
      try require(server.requests.count == 1, "the server at \(address) saw no request")
    }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
