#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance
  import StagecoachOrigin

  extension TourStep {
    /// Steps for transports.
    static var transportSteps: [TourStep] { [ugly, refused, handler, own] }

    private static let ugly = TourStep(
      "ugly-servers",
      "What breaks off or is no HTTP is an error with a name"
    ) {
      tour in
      typealias Ending = @Sendable (WireConnection) throws -> Void
      let cases: [(String, ExchangeError.Kind, String, Ending)] = [
        ("no HTTP", .protocolViolation, "SSH-2.0-OpenSSH_9.6\r\n\r\n", { try $0.hold() }),
        (
          "half a body", .incompleteBody, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
          { $0.close() }
        ),
        ("no answer", .connectionReset, "", { $0.close() }),
        ("a reset", .connectionReset, "HTTP/1.1 200 OK\r\nContent-Le", { $0.reset() }),
      ]
      for (what, kind, answer, end) in cases {
        let server = try WireServer { wire in
          try wire.readHead()
          try wire.send(answer)
          try end(wire)
        }
        defer { server.stop() }
        let failure = await tour.expectFailure(what, kind) {
          try await tour.client.value(for: .get(server.url + "/coach"), as: .data)
        }
        tour.expect("stage", failure?.stage, tour.transport.name)
        tour.expect("the origin saw", server.requests.first?.startLine, "GET /coach HTTP/1.1")
      }
    }

    private static let refused = TourStep("refused-connection", "Where nothing listens, that is said at once")
    { tour in
      let stopped = try await Origin.start()
      try await stopped.stop()
      let failure = await tour.expectFailure("a closed port", .connectionRefused) {
        try await tour.client.value(for: .get(stopped.url), as: .data)
      }
      tour.expect("elapsed", failure?.elapsed, "less than 5 s") { $0.map { $0 < .seconds(5) } ?? false }
      tour.expect("may be sent again", failure?.isTransient, true)
      tour.expect("connections that the origin saw", stopped.acceptedConnections, 0)
    }

    private static let handler = TourStep("in-memory", "The same chain over a closure, without a socket") {
      tour in
      let transport = HandlerTransport { request in
        Response(
          .ok,
          fields: [.contentType: "application/json"],
          body: .bytes(Bytes("[\"\(request.head.path ?? "")\"]"))
        )
      }
      let client = try tour.client(.standard(over: transport))
      tour.expect("came back", try await client.get("/inn", as: .json([String].self)), ["/inn"])
      tour.expect("the closure saw", transport.requests.map(\.head.path), ["/inn"])
      tour.expect("the origin saw", tour.origin.requests.count, 0)
    }

    private static let own = TourStep("own-transport", "A custom transport: early hints and trailers") {
      tour in
      let client = try tour.client(.standard(over: SocketTransport()))
      let hinted = try await client.get("/early-hints", as: .jsonValue)
      tour.expect("the final response", hinted["hinted"], true)
      let interim = tour.log.events.compactMap { event -> HTTPResponse? in
        guard case .informationalResponse(let head) = event.kind else { return nil }
        return head
      }
      tour.expect("interim responses", interim.map(\.status.code), [103])
      let response = try await client.response(for: .get("/chunked?chunks=3&size=10&trailers=1"), as: .data)
      tour.expect("content", response.value.array, patternBytes(30))
      tour.expect("X-Chunks in the trailers", response.trailers?[HTTPField.Name("X-Chunks")!], "3")
      tour.expect("the origin saw", try await tour.seen("/chunked")["Connection"], "close")
    }
  }
#endif
