import HTTPTypes
import StagecoachCore

extension Check {
  /// Checks of the kinds of errors and their contents.
  static let errorChecks: [Check] = [
    Check("104a-name-resolution", "a host that does not exist fails as nameResolution, unsent") { trial in
      let transport = try trial.transport()
      let error = try await trial.failure(of: .get("http://nowhere.stagecoach.invalid/"), over: transport)
      try require(error.kind == .nameResolution, "it fails as \(error.kind): \(error.message)")
      try require(error.requestMayHaveBeenSent == false, "it does not say that nothing was sent")
      try require(error.isTransient, "it is not transient")
    },
    Check("104b-refused", "a closed port fails as connectionRefused, unsent and without delay") {
      trial in
      let (socket, port) = try WireSocket.bound(to: "127.0.0.1")
      defer { socket.close() }
      let transport = try trial.transport()
      let start = ContinuousClock.now
      let error = try await trial.failure(of: .get("http://127.0.0.1:\(port)/"), over: transport)
      try require(error.kind == .connectionRefused, "it fails as \(error.kind): \(error.message)")
      try require(error.requestMayHaveBeenSent == false, "it does not say that nothing was sent")
      try require(ContinuousClock.now - start < patience, "it took \(ContinuousClock.now - start)")
    },
    Check(
      "104h-unreachable",
      "an address that no connection leads to fails as connectionFailed, unsent and at once"
    ) {
      trial in
      let transport = try trial.transport()
      let start = ContinuousClock.now
      // A multicast address accepts no connections, on any network.
      let error = try await trial.failure(of: .get("http://224.0.0.1:81/"), over: transport)
      try require(error.kind == .connectionFailed, "it fails as \(error.kind): \(error.message)")
      try require(error.requestMayHaveBeenSent == false, "it does not say that nothing was sent")
      try require(error.isTransient, "it is not transient")
      try require(ContinuousClock.now - start < patience, "it took \(ContinuousClock.now - start)")
    },
    Check("104c-reset-before-head", "a reset before the head fails as connectionReset, perhaps sent") {
      trial in
      let server = try trial.server { wire in
        try wire.readHead()
        wire.reset()
      }
      let transport = try trial.transport()
      let error = try await trial.failure(of: .get("\(server.url)/"), over: transport)
      try require(error.kind == .connectionReset, "it fails as \(error.kind): \(error.message)")
      try require(error.requestMayHaveBeenSent == true, "it does not say that the request was sent")
      try require(error.isTransient, "it is not transient")
    },
    Check("104d-reset-in-body", "a reset inside the body fails as connectionReset or incompleteBody") {
      trial in
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        wire.pause(.milliseconds(50))
        wire.reset()
      }
      let transport = try trial.transport()
      let observation = try await Observation(of: .get("\(server.url)/"), over: transport, trial)
      let kind = (observation.error as? ExchangeError)?.kind
      try require(kind == .connectionReset || kind == .incompleteBody, "it was \(observation)")
      try require(observation.response != nil, "there was no response: \(observation)")
    },
    Check("104e-plain-for-tls", "a peer that does not speak TLS fails as tls") { trial in
      let server = try trial.server { wire in
        _ = try wire.readSome(within: .seconds(5))
        try wire.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        try wire.hold()
      }
      let transport = try trial.transport()
      let error = try await trial.failure(of: .get("https://\(server.authority)/"), over: transport)
      guard case .tls = error.kind else { throw CheckFailure("it fails as \(error.kind): \(error.message)") }
      try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
    },
    Check("104f-text", "the text of an error names the stage, the message and the request, without secrets") {
      trial in
      let server = try trial.server { wire in
        let target = try wire.readHead().target
        switch target.prefix(while: { $0 != "?" }) {
        case "/reset": wire.reset()
        case "/none": try wire.send("none\r\n\r\n")
        default: try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
      }
      let transport = try trial.transport()
      for path in ["/reset", "/none", "/cut"] {
        var request = Request.get("\(server.url)\(path)?access_token=hush")
        try request.addField("Authorization", "Bearer hush")
        let error = try await trial.failure(of: request, over: transport)
        let head = error.request
        try require(head?.path?.hasPrefix(path) == true, "the request is \(head as Any)")
        try require(!error.stage.isEmpty, "the stage is not named")
        try require(!error.message.isEmpty, "the failure says nothing")
        try require("\(error)".contains(path), "the text is \(error)")
        for (place, text) in [("text", "\(error)"), ("dump", String(reflecting: error))] {
          try require(!text.contains("hush"), "the \(place) of a failure shows a secret: \(text)")
        }
      }
    },
    Check(
      "104g-every-step",
      "whatever step of an exchange breaks, the call ends typed, and nothing is left behind"
    ) {
      trial in
      let steps: [WireStep] = [
        .readHead, .readBody, .send(Array("HTTP/1.1 2".utf8)), .send(Array("00 OK\r\nX-A: 1\r\n".utf8)),
        .send(Array("Transfer-Encoding: chunked\r\n\r\n".utf8)), .send(Array("3\r\nab".utf8)),
        .send(Array("c\r\n".utf8)), .send(Array("4\r\ndefg\r\n".utf8)), .send(Array("0\r\n".utf8)),
        .send(Array("\r\n".utf8)),
      ]
      for count in 0...steps.count {
        for ending in [WireStep.close, .halfClose, .reset] {
          let server = try trial.server { wire in
            for step in steps[..<count] { try step.run(on: wire) }
            // The bytes must arrive before the end of the connection.
            wire.pause(.milliseconds(20))
            try ending.run(on: wire)
            // The other half must be closed by the client.
            if ending == .halfClose { try wire.hold() }
          }
          let transport = try trial.transport()
          var request = Request.post("\(server.url)/", body: .bytes("content"))
          request.options.headTimeout = .seconds(15)
          request.options.idleTimeout = .seconds(15)
          let start = ContinuousClock.now
          let observation = try await Observation(of: request, over: transport, trial)
          let place = "after \(count) steps, by \(ending)"
          try require(
            ContinuousClock.now - start < patience,
            "\(place) it took \(ContinuousClock.now - start)"
          )
          if count == steps.count {
            try require(observation.body == Array("abcdefg".utf8), "\(place) it was \(observation)")
          } else {
            guard let error = observation.error as? ExchangeError else {
              throw CheckFailure("\(place) it was \(observation)")
            }
            if case .timeout = error.kind {
              throw CheckFailure("\(place) it was waited for in vain: \(observation)")
            }
          }
          await transport.shutdown()
          if ending == .halfClose {
            let isClosed = try await server.wait { $0.allSatisfy(\.wasEndedByPeer) }
            try require(isClosed, "\(place) the client kept a connection: \(server.connections.map(\.end))")
          }
          let left = try await OpenSockets.left(boundTo: Set(server.connections.map(\.peerPort)))
          try require(left == 0, "\(place) the client kept \(left) sockets")
          server.stop()
        }
      }
    },
  ]
}
