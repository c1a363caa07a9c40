import HTTPTypes
import StagecoachCore
import StagecoachStages

extension Check {
  /// The timeouts of the phases. Each peer waits for twice the limit before it goes on. Retries are off, since the second
  /// attempt would succeed.
  static let timeoutChecks: [Check] = [
    Check("097a-connect-timeout", "connectTimeout ends an attempt to connect, at its limit") {
      trial in
      let overdue = Overdue(.seconds(1))
      // Accepted by the system, and then silent: the handshake of TLS is a part of connecting.
      let server = try trial.server { try overdue.hold($0) }
      let transport = try trial.transport()
      var request = Request.get("https://\(server.authority)/")
      request.options.connectTimeout = overdue.limit
      request.options.retryPolicy = .never
      let start = ContinuousClock.now
      let error = try await trial.failure(of: request, over: transport)
      try overdue.requireTimeout(error, of: .connect, since: start, "it fails as \(error.kind)")
      try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
    },
    Check("097b-head-timeout", "headTimeout ends a wait for the head, at its limit") { trial in
      let overdue = Overdue(.seconds(1))
      let server = try trial.server { wire in
        try wire.readHead()
        try overdue.hold(wire)
        try wire.send(okay)
        try wire.hold()
      }
      let transport = try trial.transport()
      var request = Request.get("\(server.url)/")
      request.options.headTimeout = overdue.limit
      request.options.retryPolicy = .never
      let start = ContinuousClock.now
      let error = try await trial.failure(of: request, over: transport)
      try overdue.requireTimeout(error, of: .head, since: start, "it fails as \(error.kind)")
      try require(error.requestMayHaveBeenSent == true, "it does not say that the request was sent")
      let ended = try await server.wait { $0.first?.wasEndedByPeer == true }
      try require(ended, "the connection stayed")
    },
    Check(
      "097c-idle-timeout",
      "idleTimeout ends a pause in a body, at its limit and after the bytes before it"
    ) { trial in
      let overdue = Overdue(.seconds(1))
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        try overdue.hold(wire)
        try wire.send("defghij")
        try wire.hold()
      }
      let transport = try trial.transport()
      var request = Request.get("\(server.url)/")
      request.options.idleTimeout = overdue.limit
      request.options.retryPolicy = .never
      let start = ContinuousClock.now
      let observation = try await Observation(of: request, over: transport, trial)
      let error = observation.error as? ExchangeError
      try overdue.requireTimeout(error, of: .idle, since: start, "it was \(observation)")
      try require(observation.body == Array("abc".utf8), "it was \(observation)")
    },
    Check("097d-pool-timeout", "poolTimeout ends a wait for a connection, at its limit") {
      trial in
      let overdue = Overdue(.seconds(1))
      let server = try trial.server { wire in
        try wire.readHead()
        // Starts with the call that waits.
        try overdue.holdOnceStarted(wire)
        try wire.send(okay)
        try echoesTarget(wire)
      }
      let transport = try trial.transport { $0.connections.connectionsPerOrigin = 1 }
      let first = Task { try await trial.send(.get("\(server.url)/"), over: transport) }
      defer { first.cancel() }
      _ = try await server.wait { $0.first?.requests.count == 1 }
      var request = Request.get("\(server.url)/")
      request.options.poolTimeout = overdue.limit
      request.options.retryPolicy = .never
      let start = ContinuousClock.now
      overdue.start()
      let error = try await trial.failure(of: request, over: transport)
      try overdue.requireTimeout(error, of: .pool, since: start, "it fails as \(error.kind)")
      try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
      first.cancel()
      _ = await first.result
    },
  ]
}
