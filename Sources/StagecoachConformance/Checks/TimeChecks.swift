import HTTPTypes
import StagecoachCore
import Synchronization

extension Check {
  /// Cancels a call at some point, and checks how it ends on both sides.
  private static func cancelled(
    _ trial: Trial,
    _ request: (String) -> Request,
    read: @escaping @Sendable (Response.Body) async throws -> Void = { _ = try await $0.collect(upTo: 100) },
    serve: @escaping @Sendable (WireConnection) throws -> Void,
    when isDue: @escaping @Sendable ([WireLog]) -> Bool
  ) async throws {
    let server = try trial.server(serve)
    let transport = try trial.transport { $0.connections.connectionsPerOrigin = 1 }
    let request = request(server.url)
    let call = Task {
      let response = try await trial.send(request, over: transport)
      try await read(response.body)
    }
    let came = try await server.wait(until: isDue)
    try require(came, "the server did not get to the point of the cancellation")
    let start = ContinuousClock.now
    call.cancel()
    let result = await call.result
    try require(ContinuousClock.now - start < patience, "it took \(ContinuousClock.now - start) to end")
    try require(result.failure is CancellationError, "it ended with \(result)")
    let ended = try await server.wait { $0.first?.wasEndedByPeer == true }
    try require(
      ended,
      "the peer did not see the end of the connection: \(server.connections.first?.end as Any)"
    )
    // The only place is free again.
    let next = try await trial.send(.get("\(server.url)/next"), over: transport)
    _ = try await next.body.collect(upTo: 100)
  }

  /// Answers `/next` and does something else with everything before.
  private static func serving(
    _ first: @escaping @Sendable (WireConnection) throws -> Void
  ) -> @Sendable (WireConnection) throws -> Void {
    { wire in
      if wire.index > 0 { return try echoesTarget(wire) }
      try first(wire)
    }
  }

  /// The seconds that something takes, of the processor and on the wall.
  private static func cost(_ work: () async throws -> Void) async throws -> (processor: Double, wall: Double)
  {
    let (start, used) = (ContinuousClock.now, processorTime)
    try await work()
    return ((processorTime - used) / .seconds(1), (ContinuousClock.now - start) / .seconds(1))
  }

  /// Cancellation, clocks, processor time.
  static let timeChecks: [Check] = [
    Check(
      "094a-cancel-before",
      "a call of a cancelled task throws CancellationError and sends nothing",
      runsInProcess: true
    ) {
      trial in
      let calls = Counter()
      let transport: any Transport
      let url: String
      if let inProcess = trial.inProcess({ _ in
        calls.add(1)
        return Response(.ok)
      }) {
        (transport, url) = (inProcess, "http://127.0.0.1:8080/")
      } else {
        let server = try trial.server { wire in
          try wire.readHead()
          calls.add(1)
        }
        (transport, url) = (try trial.transport(), "\(server.url)/")
      }
      let call = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await trial.send(.get(url), over: transport)
      }
      let result = await call.result
      try require(result.failure is CancellationError, "it ended with \(result)")
      try require(calls.value == 0, "it was sent")
    },
    Check("094b-cancel-before-head", "a call that waits for a head can be cancelled") { trial in
      try await cancelled(
        trial,
        { .get("\($0)/") },
        serve: serving { wire in
          try wire.readHead()
          try wire.hold()
        },
        when: { $0.first?.requests.count == 1 }
      )
    },
    Check("094c-cancel-in-body", "a call that reads a body can be cancelled") { trial in
      let chunks = Counter()
      try await cancelled(
        trial,
        { .get("\($0)/") },
        read: { for try await _ in $0 { chunks.add(1) } },
        serve: serving { wire in
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
          try wire.hold()
        },
        when: { _ in chunks.value > 0 }
      )
    },
    Check("094d-cancel-upload", "a call that sends a body can be cancelled") { trial in
      let source = StalledSource("first")
      try await cancelled(
        trial,
        { .post("\($0)/", body: .source(length: nil, isReplayable: false) { source }) },
        serve: serving { wire in
          try wire.readHead()
          try wire.hold()
        },
        when: { $0.first?.requests.count == 1 }
      )
      let deadline = ContinuousClock.now + patience
      while !source.isCancelled, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
      try require(source.isCancelled, "the producer of the body was not cancelled")
    },
    Check("094e-cancel-handshake", "cancelling a call that waits for TLS ends its connection") { trial in
      let server = try trial.server { wire in try wire.hold() }
      let transport = try trial.transport()
      let call = Task { try await trial.send(.get("https://\(server.authority)/"), over: transport) }
      _ = try await server.wait { ($0.first?.received ?? 0) > 0 }
      let start = ContinuousClock.now
      call.cancel()
      let result = await call.result
      try require(ContinuousClock.now - start < patience, "it took \(ContinuousClock.now - start) to end")
      try require(result.failure is CancellationError, "it ended with \(result)")
      let ended = try await server.wait { $0.first?.wasEndedByPeer == true }
      try require(ended, "the peer did not see the end of the connection")
    },
    Check("096-dropped-body", "a large body that is dropped unread ends its connection") { trial in
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(1 << 50)\r\n\r\n")
        let block = [UInt8](repeating: 65, count: 1 << 20)
        // An engine that reads a GiB per second may need some time to notice the cancellation.
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while .now < deadline { try wire.send(block) }
      }
      let transport = try trial.transport()
      _ = try await trial.send(.get("\(server.url)/"), over: transport).status
      let ended = try await server.wait { $0.first?.end != nil }
      let seen = server.connections.first
      try require(
        seen?.wasEndedByPeer == true,
        "the peer \(ended ? "was not stopped" : "still sends"), it sent \(seen?.sent ?? 0) bytes"
      )
    },
    Check("099-huge-timeouts", "the longest of all timeouts do not overflow") { trial in
      let server = try trial.server(echoesTarget)
      let transport = try trial.transport()
      for duration in [Duration.seconds(Int64.max), .seconds(1_000_000_000_000)] {
        var request = Request.get("\(server.url)/")
        request.options.connectTimeout = duration
        request.options.headTimeout = duration
        request.options.idleTimeout = duration
        request.options.poolTimeout = duration
        _ = try await trial.send(request, over: transport).body.collect(upTo: 100)
      }
    },
    Check(
      "100c-injected-clock",
      "timeouts pass on the injected clock alone",
      level: .capability,
      needs: .injectedClock
    ) { trial in
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.hold()
      }
      let time = ManualTime()
      let transport = try trial.transport { $0.clock = time }
      var request = Request.get("\(server.url)/")
      request.options.headTimeout = .seconds(3600)
      // The connection, too, may be noted a moment after the peer has the request.
      request.options.connectTimeout = nil
      request.options.poolTimeout = nil
      let call = Task { [request] in try await trial.send(request, over: transport) }
      _ = try await server.wait { $0.first?.requests.count == 1 }
      // The end of the request may be noted a moment after the peer has it.
      let ticking = Task {
        while !Task.isCancelled {
          time.advance(by: .seconds(4000))
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      defer { ticking.cancel() }
      let error = await call.result.failure as? ExchangeError
      try require(
        error?.kind == .timeout(.head),
        "it ended with \(error.map { "\($0.kind)" } ?? "no failure")"
      )
    },
    Check("103-half-closed-upload", "a peer that closes its side while we upload keeps no core busy") {
      trial in
      let server = try trial.server { wire in
        try wire.readHead()
        wire.halfClose()
        try wire.readToEnd()
      }
      let transport = try trial.transport()
      // Other work of this process is measured too, so the result is compared with the time before, several times.
      var excess: [Double] = []
      for _ in 0..<5 {
        let before = try await cost { try await Task.sleep(for: .milliseconds(300)) }
        let during = try await cost {
          let source = StalledSource("first")
          let body = Request.Body.source(length: nil, isReplayable: false) { source }
          var request = Request.post("\(server.url)/", body: body)
          request.options.idleTimeout = .milliseconds(800)
          request.options.headTimeout = .milliseconds(800)
          _ = try? await trial.failure(of: request, over: transport)
        }
        let more = during.processor - before.processor / before.wall * during.wall
        excess.append(more)
        if more < 0.5 { return }
      }
      throw CheckFailure("\(excess) s of processor time went by while nothing happened")
    },
  ]
}
