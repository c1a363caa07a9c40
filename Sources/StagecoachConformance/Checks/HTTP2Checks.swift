import HTTPTypes
import StagecoachCore
import StagecoachOrigin
import Synchronization

extension Check {
  /// A transport that believes the kit's certificates, and the URL of a server that speaks HTTP/2.
  static func http2(
    _ trial: Trial,
    _ serve: @escaping @Sendable (WireConnection) throws -> Void
  ) async throws -> (transport: any Transport, server: WireServer, front: TLSFront, url: String) {
    let server = try trial.server(serve)
    let front = try await front(of: server) { $0.protocols = ["h2"] }
    let roots = try roots()
    let transport = try trial.transport { $0.trust.roots = roots }
    return (transport, server, front, "https://localhost:\(front.port)/")
  }

  static func http2Check(
    _ id: String,
    _ title: String,
    needs capabilities: TransportCapabilities = [],
    body: @escaping @Sendable (Trial) async throws -> Void
  ) -> Check {
    Check(
      id,
      title,
      level: .capability,
      needs: capabilities.union([.http2, .customRoots]),
      body: body
    )
  }

  /// The length of the patterned content of a frame, 0 if it is not DATA.
  private static func content(of frame: HTTP2Peer.Frame, at offset: Int) throws -> Int {
    guard frame.type == HTTP2Peer.Kind.data else { return 0 }
    try PatternedContent.require(Bytes(frame.payload), at: offset)
    return frame.payload.count
  }

  /// HTTP/2 (RFC 9113).
  static let http2Checks: [Check] = [
    http2Check("072-empty-frames", "frames without content between others do not end the body") { trial in
      for pieces in [
        ["abc", "", "def"], ["", "abcdef"], ["abcdef", ""], ["a", "", "bc", "", "def", ""],
      ] {
        let (transport, _, front, url) = try await http2(trial) { wire in
          let peer = try HTTP2Peer(wire)
          try peer.respond(on: try peer.readHead().stream, pieces)
          try peer.answerAll()
        }
        defer { front.stop() }
        var request = Request.get(url)
        request.options.idleTimeout = .seconds(2)
        let observation = try await Observation(of: request, over: transport, trial)
        try require(
          observation.body == Array("abcdef".utf8) && observation.error == nil,
          "\(pieces): \(observation)"
        )
      }
    },
    http2Check(
      "042b-bad-status-codes",
      "an invalid or a missing final status is an error"
    ) { trial in
      let seen = Counter()
      // All with the end of the stream, which 103 must not have.
      for status in ["099", "103", "1000", "-200", "20x", ""] {
        let head = [0x08, UInt8(status.utf8.count)] + Array(status.utf8)
        let (transport, _, front, url) = try await http2(trial) { wire in
          let peer = try HTTP2Peer(wire)
          let stream = try peer.readHead().stream
          seen.add(1)
          try peer.send(HTTP2Peer.Kind.headers, flags: 5, stream: stream, head)
          try wire.hold()
        }
        defer { front.stop() }
        var request = Request.get(url)
        request.options.headTimeout = .seconds(2)
        try requireNoticed(try await trial.failure(of: request, over: transport))
      }
      try require(seen.value > 0, "no request came over HTTP/2")
    },
    http2Check("095c-cancelled-stream", "cancelling one stream leaves the others alive") { trial in
      let resets = Mutex<[Int]>([])
      let seen = Counter()
      let (transport, server, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        var heads: [Int] = []
        while heads.count < 2 {
          heads.append(try peer.readHead().stream)
          seen.add(1)
        }
        while true {
          let frame = try peer.readFrame()
          guard frame.type == HTTP2Peer.Kind.reset else { continue }
          resets.withLock { $0.append(frame.stream) }
          for stream in heads where stream != frame.stream { try peer.respond(on: stream) }
          try peer.answerAll()
        }
      }
      defer { front.stop() }
      let first = Task { try await trial.send(.get(url), over: transport) }
      _ = try await server.wait { _ in seen.value == 1 }
      var request = Request.get(url)
      request.options.headTimeout = .seconds(5)
      let second = Task { [request] in try await trial.send(request, over: transport).body.collect(upTo: 100)
      }
      _ = try await server.wait { _ in seen.value == 2 }
      try require(server.connections.count == 1, "there were \(server.connections.count) connections")
      first.cancel()
      try require(await first.result.failure is CancellationError, "the cancelled call did not say so")
      let text = String(decoding: try await second.value)
      try require(text == "ok", "the body of the other is \(text)")
      try require(resets.withLock { $0.count } == 1, "the peer saw no RST_STREAM")
    },
    http2Check(
      "095d-end-that-never-comes",
      "a response without content whose stream stays open loses its place in the end"
    ) { trial in
      let seen = Counter()
      let (transport, _, front, url) = try await http2(trial) { wire in
        // SETTINGS_MAX_CONCURRENT_STREAMS
        let peer = try HTTP2Peer(wire, settings: [(3, 1)])
        let stream = try peer.readHead().stream
        seen.add(1)
        if seen.value == 1 {
          // 0x89 is the indexed field :status 204 (RFC 7541 A); its stream does not end.
          try peer.send(HTTP2Peer.Kind.headers, flags: 4, stream: stream, [0x89])
        } else {
          try peer.respond(on: stream)
        }
        try peer.answerAll()
      }
      defer { front.stop() }
      var request = Request.get(url)
      request.options.idleTimeout = .seconds(1)
      let first = try await trial.send(request, over: transport)
      try require(first.status == .noContent, "the first answer is \(first.status)")
      let second = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
      try require(String(decoding: second) == "ok", "the second answer is \(String(decoding: second))")
    },
    http2Check("108a-stream-limit", "no more streams are opened than the peer allows, and the rest waits") {
      trial in
      let most = Mutex(0)
      let (transport, server, front, url) = try await http2(trial) { wire in
        // SETTINGS_MAX_CONCURRENT_STREAMS
        let peer = try HTTP2Peer(wire, settings: [(3, 1)])
        while true {
          var open = [try peer.readHead().stream]
          // Any other stream within a moment is too much.
          while let frame = try peer.readFrame(within: .milliseconds(60)) {
            if frame.type == HTTP2Peer.Kind.headers { open.append(frame.stream) }
          }
          // Only if the limit is known before.
          if wire.index == 0 { most.withLock { [count = open.count] in $0 = max($0, count) } }
          for stream in open { try peer.respond(on: stream) }
        }
      }
      defer { front.stop() }
      // The settings must arrive before the flood.
      _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100) }
        }
        try await group.waitForAll()
      }
      try require(most.withLock { $0 } == 1, "there were more streams than allowed")
      try require(server.connections.count == 1, "there were \(server.connections.count) connections")
    },
    http2Check("108b-refused-stream", "a stream refused unprocessed fails as one that may be sent again") {
      trial in
      let refusals = Counter()
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        if refusals.value == 0 {
          refusals.add(1)
          // REFUSED_STREAM
          try peer.reset(try peer.readHead().stream, code: 7)
        }
        try peer.answerAll()
      }
      defer { front.stop() }
      do {
        let response = try await trial.send(.get(url), over: transport)
        _ = try await response.body.collect(upTo: 100)
      } catch let error as ExchangeError {
        try requireNoticed(error)
        try require(
          error.isTransient,
          "it fails as \(error.kind), which is not transient: \(error.message)"
        )
      }
      // The server goes on.
      let response = try await trial.send(.get(url), over: transport)
      _ = try await response.body.collect(upTo: 100)
    },
    http2Check(
      "108c-go-away",
      "after GOAWAY what was processed is answered, and new requests have a new connection"
    ) {
      trial in
      let (transport, server, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        let stream = try peer.readHead().stream
        try peer.goAway(last: stream)
        wire.pause(.milliseconds(50))
        try peer.respond(on: stream)
        try peer.answerAll()
      }
      defer { front.stop() }
      for _ in 0..<2 {
        let response = try await trial.send(.get(url), over: transport)
        let text = String(decoding: try await response.body.collect(upTo: 100))
        try require(text == "ok", "the body is \(text)")
        try await Task.sleep(for: .milliseconds(100))
      }
      try require(server.connections.count == 2, "there were \(server.connections.count) connections")
    },
    http2Check("108g-go-away-unseen", "a stream that GOAWAY leaves out is one that may be sent again") {
      trial in
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        try peer.respond(on: try peer.readHead().stream)
        guard wire.index == 0 else { return try peer.answerAll() }
        let first = try peer.readHead().stream
        // A client with one stream at a time has no ignored streams.
        _ = try peer.readFrame(within: .seconds(1))
        try peer.goAway(last: first)
        wire.pause(.milliseconds(50))
        try peer.respond(on: first)
        try peer.answerAll()
      }
      defer { front.stop() }
      // The settings must arrive first.
      _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do {
              _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
            } catch let error as ExchangeError {
              let isSafe = error.isTransient && error.requestMayHaveBeenSent == false
              try require(
                isSafe,
                "it fails as \(error.kind), as if it had been looked at: \(error.message)"
              )
            }
          }
        }
        try await group.waitForAll()
      }
    },
    http2Check(
      "108f-early-end",
      "a response that is complete before its request leaves the connection in order"
    ) { trial in
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        if wire.index == 0 {
          let stream = try peer.readHead().stream
          try peer.respond(on: stream)
          wire.pause(.milliseconds(50))
          // NO_ERROR (RFC 9113 8.1)
          try peer.reset(stream, code: 0)
        }
        try peer.answerAll()
      }
      defer { front.stop() }
      let source = StalledSource("first")
      let body = Request.Body.source(length: nil, isReplayable: false) { source }
      var request = Request.post(url, body: body)
      request.options.idleTimeout = .seconds(5)
      let response = try await trial.send(request, over: transport)
      let text = String(decoding: try await response.body.collect(upTo: 100))
      try require(text == "ok", "the body is \(text)")
      try await Task.sleep(for: .milliseconds(100))
      _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
    },
    http2Check(
      "108d-windows",
      "no more is sent than the window allows, and it goes on when the window opens"
    ) { trial in
      let early = Mutex(0)
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        let stream = try peer.readHead().stream
        var received = 0
        while received < 65_535 { received += try content(of: try peer.readFrame(), at: received) }
        while let frame = try peer.readFrame(within: .milliseconds(200)) {
          received += try content(of: frame, at: received)
        }
        early.withLock { [received] in $0 = received }
        try peer.updateWindow(0, by: 1 << 20)
        try peer.updateWindow(stream, by: 1 << 20)
        while true {
          let frame = try peer.readFrame()
          received += try content(of: frame, at: received)
          if frame.endsStream { break }
        }
        try peer.respond(on: stream, ["\(received)"])
        try wire.hold()
      }
      defer { front.stop() }
      let source = CountingSource(length: 500_000)
      let response = try await trial.send(.post(url, body: source.body(declared: 500_000)), over: transport)
      let text = String(decoding: try await response.body.collect(upTo: 100))
      try require(
        early.withLock { $0 } == 65_535,
        "\(early.withLock { $0 }) bytes came before the window opened"
      )
      try require(text == "500000", "\(text) bytes came")
    },
    http2Check(
      "108e-reset-in-body",
      "a stream that is reset inside the body fails, and the connection goes on"
    ) {
      trial in
      let (transport, server, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        let stream = try peer.readHead().stream
        try peer.send(HTTP2Peer.Kind.headers, flags: 4, stream: stream, [0x88])
        try peer.send(HTTP2Peer.Kind.data, stream: stream, Array("abc".utf8))
        wire.pause(.milliseconds(50))
        // INTERNAL_ERROR
        try peer.reset(stream, code: 2)
        try peer.answerAll()
      }
      defer { front.stop() }
      let observation = try await Observation(of: .get(url), over: transport, trial)
      guard let failure = observation.error as? ExchangeError else {
        throw CheckFailure("it was \(observation)")
      }
      try requireNoticed(failure)
      try require(observation.response != nil, "there was no response: \(observation)")
      _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
      try require(server.connections.count == 1, "there were \(server.connections.count) connections")
    },
    http2Check(
      "108m-settings-between-requests",
      "a limit of streams that changes while there are none counts for the next requests"
    ) { trial in
      let hasChanged = Mutex(false)
      let most = Mutex(0)
      let (transport, server, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire, settings: [(3, 100)])
        try peer.respond(on: try peer.readHead().stream)
        wire.pause(.milliseconds(50))
        // MAX_CONCURRENT_STREAMS
        for limit: UInt8 in [10, 1] {
          try peer.send(HTTP2Peer.Kind.settings, stream: 0, [0, 3, 0, 0, 0, limit])
        }
        hasChanged.withLock { $0 = true }
        var open: [Int] = []
        var acknowledged = 0
        while true {
          guard let frame = try peer.readFrame(within: .milliseconds(200)) else {
            if !open.isEmpty { try peer.respond(on: open.removeFirst()) }
            continue
          }
          if frame.type == HTTP2Peer.Kind.settings { acknowledged += 1 }
          guard frame.type == HTTP2Peer.Kind.headers else { continue }
          open.append(frame.stream)
          // A client may not know the limit until it has acknowledged it (RFC 9113 6.5.3).
          if acknowledged >= 2 { most.withLock { [open] in $0 = max($0, open.count) } }
        }
      }
      defer { front.stop() }
      _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
      for _ in 0..<500 where !hasChanged.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
      try await Task.sleep(for: .milliseconds(50))
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<2 {
          group.addTask {
            String(decoding: try await trial.send(.get(url), over: transport).body.collect(upTo: 100))
          }
        }
        for try await text in group { try require(text == "ok", "the body is \(text)") }
      }
      try require(most.withLock { $0 } <= 1, "\(most.withLock { $0 }) streams were open, one was allowed")
      try require(server.connections.count <= 2, "there were \(server.connections.count) connections")
    },
    http2Check("108h-lower-case-names", "the names of fields are sent in lower case") { trial in
      let heads = Mutex<[[UInt8]]>([])
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        while true {
          let frame = try peer.readHead()
          heads.withLock { $0.append(frame.payload) }
          try peer.respond(on: frame.stream)
        }
      }
      defer { front.stop() }
      var request = Request.get(url)
      try request.addField("X-Coach-Seat", "1")
      _ = try await trial.send(request, over: transport).body.collect(upTo: 100)
      let head = heads.withLock { $0.first ?? [] }
      let forms = [Array("x-coach-seat".utf8), try HTTP2Peer.huffmanCoded("x-coach-seat")]
      try require(
        forms.contains { head.firstRange(of: $0) != nil },
        "the block of fields has no x-coach-seat: \(head)"
      )
    },
    http2Check(
      "108i-response-trailers",
      "trailer fields are handed over after the last byte, with a frame of data in front or none",
      needs: .responseTrailers
    ) { trial in
      for pieces in [["ok"], []] {
        let (transport, _, front, url) = try await http2(trial) { wire in
          let peer = try HTTP2Peer(wire)
          try peer.respond(on: try peer.readHead().stream, pieces, trailers: [("x-coach", "late")])
          try peer.answerAll()
        }
        defer { front.stop() }
        let observation = try await Observation(of: .get(url), over: transport, trial)
        let values = observation.trailers?[values: HTTPField.Name("X-Coach")!]
        try require(
          observation.body == Array(pieces.joined().utf8) && observation.error == nil && values == ["late"],
          "\(pieces): \(observation)"
        )
      }
    },
    http2Check(
      "108j-request-trailers",
      "trailer fields follow the content as a head of their own, or no such request is sent over HTTP/2",
      needs: .requestTrailers
    ) { trial in
      let blocks = Mutex<[HTTP2Peer.Frame]>([])
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        while true {
          let frame = try peer.readFrame()
          if frame.type == HTTP2Peer.Kind.headers { blocks.withLock { $0.append(frame) } }
          if frame.endsStream { try peer.respond(on: frame.stream) }
        }
      }
      defer { front.stop() }
      // A server that cannot be reached gets no trailers either.
      let first = try await trial.send(.get(url), over: transport)
      try require(String(decoding: try await first.body.collect(upTo: 10)) == "ok", "it was not answered")
      blocks.withLock { $0 = [] }
      var request = Request.post(url)
      request.body = .stream(length: nil, trailers: { [HTTPField.Name("X-Coach-Seat")!: "1"] }) {
        AsyncStream<Bytes> { continuation in
          continuation.yield("abc")
          continuation.finish()
        }
      }
      do {
        let response = try await trial.send(request, over: transport)
        try require(
          String(decoding: try await response.body.collect(upTo: 10)) == "ok",
          "it was not answered"
        )
      } catch is ExchangeError {
        return try require(blocks.withLock { $0.isEmpty }, "it was refused after it was sent")
      }
      let (count, last) = blocks.withLock { ($0.count, $0.last) }
      let forms = [Array("x-coach-seat".utf8), try HTTP2Peer.huffmanCoded("x-coach-seat")]
      try require(
        count == 2 && last?.endsStream == true
          && forms.contains { last?.payload.firstRange(of: $0) != nil },
        "there are \(count) heads, the last is \(last.map { "\($0.payload)" } ?? "none")"
      )
    },
  ]
}
