import HTTPTypes
import StagecoachCore
import Synchronization

/// The error of a body's producer in checks.
private struct ProducerFailure: Error {}

extension Check {
  /// The maximum number of bytes that a producer may be ahead of the reader, or a server ahead of the client: the
  /// buffers of the system on both sides, and of the transport.
  static let lead = 16 << 20

  /// Bodies in both directions.
  static let bodyChecks: [Check] = [
    Check(
      "030-producer-fails",
      "a body whose producer fails makes the call fail with that, and has no clean end"
    ) {
      trial in
      let clean = Mutex(false)
      let server = try trial.server { wire in
        try wire.readHead()
        _ = try wire.readBody()
        clean.withLock { $0 = true }
      }
      let transport = try trial.transport()
      let source = CountingSource(length: 10_000, chunkSize: 1000, failure: ProducerFailure())
      let error = try await trial.failure(of: .post("\(server.url)/", body: source.body()), over: transport)
      try require(
        error.underlying is ProducerFailure,
        "it fails with \(error.kind) over \(error.underlying.map { "\($0)" } ?? "nothing")"
      )
      _ = try await server.wait { $0.allSatisfy { $0.end != nil } }
      try require(clean.withLock { !$0 }, "the server saw a complete body")
    },
    Check("031-large-upload", "64 MiB are uploaded unchanged, and without getting far ahead of the peer") {
      trial in
      let length = 64 << 20
      let source = CountingSource(length: length)
      let worst = Mutex(0)
      let difference = Mutex<(any Error)?>(nil)
      let server = try trial.server { wire in
        try wire.readHead()
        var received = 0
        while received < length {
          let bytes = try wire.readSome(within: .seconds(10))
          do {
            try PatternedContent.require(Bytes(bytes), at: received)
          } catch {
            difference.withLock { $0 = $0 ?? error }
          }
          received += bytes.count
          let ahead = source.pulled - received
          worst.withLock { $0 = max($0, ahead) }
        }
        try wire.send(okay)
        try wire.hold()
      }
      let transport = try trial.transport()
      let request = Request.put("\(server.url)/", body: source.body(declared: Int64(length)))
      let response = try await trial.send(request, over: transport)
      try require(response.status == .ok, "the status is \(response.status)")
      if let difference = difference.withLock({ $0 }) { throw difference }
      let ahead = worst.withLock { $0 }
      try require(ahead <= lead, "the producer was \(ahead) bytes ahead")
    },
    Check("032-upload-back-pressure", "the producer of a body waits when the peer stops reading") { trial in
      let source = CountingSource(length: 256 << 20)
      let isDone = Mutex(false)
      let server = try trial.server { wire in
        try wire.readHead()
        while !isDone.withLock({ $0 }) { wire.pause(.milliseconds(10)) }
        wire.reset()
      }
      let transport = try trial.transport()
      var request = Request.put("\(server.url)/", body: source.body(declared: 256 << 20))
      request.options.idleTimeout = .seconds(15)
      let task = Task { [request] in try await trial.send(request, over: transport) }
      defer {
        isDone.withLock { $0 = true }
        task.cancel()
      }
      // Until it has stopped for a while.
      var last = 0
      var turns = 0
      while turns < 4 {
        try await Task.sleep(for: .milliseconds(100))
        turns = source.pulled == last && last > 0 ? turns + 1 : 0
        last = source.pulled
        try require(last <= lead, "\(last) bytes were pulled while the peer did not read")
      }
    },
    Check(
      "034c-expect-continue",
      "with Expect: 100-continue the body follows the 100, and no refusal",
      level: .capability,
      needs: .expectContinue
    ) { trial in
      let server = try trial.server { wire in
        switch wire.index {
        case 0:
          try wire.readHead()
          try wire.expectSilence(for: .milliseconds(150))
          try wire.send("HTTP/1.1 100 Continue\r\n\r\n")
          _ = try wire.readBody()
          try wire.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        case 1:
          try wire.readHead()
          try wire.send("HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
          try wire.expectEnd(within: .seconds(5))
        default:
          // The answer never comes: the body has to follow after a while.
          try wire.readHead()
          _ = try wire.readBody()
          try wire.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
      }
      let transport = try trial.transport()
      for (index, status) in [200, 417, 200].enumerated() {
        var request = Request.put("\(server.url)/", body: .bytes(Bytes([UInt8](repeating: 65, count: 1000))))
        try request.addField("Expect", "100-continue")
        let response = try await trial.send(request, over: transport)
        _ = try await response.body.collect(upTo: 100)
        try require(response.status.code == status, "exchange \(index) has the status \(response.status)")
      }
      for log in server.connections {
        if case .failed(.unexpected(let what)) = log.end {
          throw CheckFailure("connection \(log.index): \(what)")
        }
      }
    },
    Check("035-early-response", "a final response that comes while the body is sent is handed over at once") {
      trial in
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig")
        try wire.readToEnd()
      }
      let transport = try trial.transport()
      let source = StalledSource("first")
      let body = Request.Body.source(length: nil, isReplayable: false) { source }
      let start = ContinuousClock.now
      let response = try await trial.send(.post("\(server.url)/", body: body), over: transport)
      try require(response.status.code == 413, "the status is \(response.status)")
      let text = String(decoding: try await response.body.collect(upTo: 100))
      try require(text == "big", "the body is \(text)")
      try require(ContinuousClock.now - start < patience, "it took \(ContinuousClock.now - start)")
    },
    Check(
      "035b-early-responses",
      "responses that are complete before their requests free the place of these"
    ) { trial in
      let early = [
        ["413 Content Too Large\r\nContent-Length: 0\r\n\r\n"], ["204 No Content\r\n\r\n"],
        ["200 OK\r\nContent-Length: 2\r\n\r\nok"],
        ["401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n"],
        ["200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "0\r\n\r\n"],
      ]
      let server = try trial.server { wire in
        let target = try wire.readHead().target
        guard let parts = Int(target.dropFirst()).map({ early[$0] }) else { return try wire.send(okay) }
        try wire.send("HTTP/1.1 \(parts[0])")
        for part in parts.dropFirst() {
          wire.pause(.milliseconds(50))
          try wire.send(part)
        }
        try wire.readToEnd()
      }
      let transport = try trial.transport { $0.connections.connectionsPerOrigin = 2 }
      for turn in 0..<2 * early.count {
        let source = StalledSource("first")
        let body = Request.Body.source(length: nil, isReplayable: false) { source }
        var request = Request.post("\(server.url)/\(turn % early.count)", body: body)
        request.options.idleTimeout = .seconds(5)
        let response = try await trial.send(request, over: transport)
        let text = String(decoding: try await response.body.collect(upTo: 100))
        try require(text == (response.status == .ok ? "ok" : ""), "\(response.status) has the body \(text)")
      }
      var request = Request.get("\(server.url)/last")
      request.options.poolTimeout = .seconds(5)
      _ = try await trial.send(request, over: transport).body.collect(upTo: 100)
    },
    Check(
      "036c-full-duplex",
      "the request body goes on while the response comes",
      level: .capability,
      needs: .fullDuplex
    ) { trial in
      let server = try trial.server { wire in
        try wire.readHead()
        _ = try wire.read(5)
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        let rest = try wire.read(6)
        try wire.send(rest == Array("second".utf8) ? "def" : "???")
        try wire.hold()
      }
      let transport = try trial.transport()
      // The second part is sent after that of the response has arrived.
      let (parts, continuation) = AsyncStream<Bytes>.makeStream()
      continuation.yield("first")
      var request = Request.put("\(server.url)/", body: .oneShot(parts, length: 11))
      request.options.idleTimeout = .seconds(10)
      let response = try await trial.send(request, over: transport)
      var text = ""
      for try await chunk in response.body {
        text += String(decoding: chunk)
        guard text == "abc" else { continue }
        continuation.yield("second")
        continuation.finish()
      }
      try require(text == "abcdef", "the body is \(text)")
    },
    Check("037-response-and-close", "a response wins over the connection that breaks while the body is sent")
    {
      trial in
      let server = try trial.server { wire in
        try wire.readHead()
        _ = try wire.readSome(within: .seconds(1))
        try wire.send("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig")
        wire.halfClose()
        // Reads on for as long as a busy client may take to see the response, which a reset would overtake.
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end { _ = try wire.readSome(within: .milliseconds(20)) }
      }
      let transport = try trial.transport()
      let source = CountingSource(length: 256 << 20)
      let request = Request.put("\(server.url)/", body: source.body(declared: 256 << 20))
      let response = try await trial.send(request, over: transport)
      let text = String(decoding: try await response.body.collect(upTo: 100))
      try require(response.status.code == 413 && text == "big", "it was \(response.status) with \(text)")
    },
    Check("071-large-download", "128 MiB are read slowly and unchanged, without the peer getting far ahead") {
      trial in
      let length = 128 << 20
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
        for index in 0..<128 {
          try wire.send(PatternedContent.bytes(at: index << 20, count: 1 << 20).array)
        }
        try wire.hold()
      }
      let transport = try trial.transport()
      let response = try await trial.send(.get("\(server.url)/"), over: transport)
      var read = 0
      var pauses = 0
      for try await chunk in response.body {
        try PatternedContent.require(chunk, at: read)
        read += chunk.count
        guard read > pauses * (16 << 20) else { continue }
        pauses += 1
        // Until the server stops.
        var (last, sent) = (-1, 0)
        while sent > last {
          last = sent
          try await Task.sleep(for: .milliseconds(50))
          sent = server.connections.first?.sent ?? 0
          try require(sent - read <= lead, "the server was \(sent - read) bytes ahead")
        }
      }
      try require(read == length, "\(read) bytes came")
    },
    Check(
      "080d-trailers-at-the-end",
      "the body does not wait for its trailer fields, which are there after its last byte and not before",
      level: .capability,
      needs: .responseTrailers
    ) { trial in
      let isRead = Mutex(false)
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n")
        while !isRead.withLock({ $0 }) {
          guard try !wire.hasBytes(within: .milliseconds(10)) else { break }
        }
        try wire.send("0\r\nX-Sum: 1\r\n\r\n")
        try wire.hold()
      }
      let transport = try trial.transport()
      var request = Request.get("\(server.url)/")
      request.options.idleTimeout = .seconds(5)
      let response = try await trial.send(request, over: transport)
      let name = HTTPField.Name("X-Sum")!
      var chunks = response.body.makeAsyncIterator()
      let first = try await chunks.next().map { String(decoding: $0) }
      try require(first == "abc", "the first chunk is \(first ?? "none")")
      try require(response.body.trailers == nil, "there are trailer fields before the end")
      isRead.withLock { $0 = true }
      while try await chunks.next() != nil {}
      try require(response.body.trailers?[name] == "1", "the trailer is \(response.body.trailers as Any)")
      try require(!response.fields.contains(name), "the trailer field is in the head")
    },
    Check("101-download-back-pressure", "a peer cannot go on sending while the reader pauses") { trial in
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(512 << 20)\r\n\r\n")
        let block = [UInt8](repeating: 65, count: 1 << 20)
        for _ in 0..<512 { try wire.send(block) }
      }
      let transport = try trial.transport()
      let response = try await trial.send(.get("\(server.url)/"), over: transport)
      try await Task.sleep(for: .milliseconds(500))
      let sent = server.connections.first?.sent ?? 0
      try require(sent <= lead, "\(sent) bytes were sent while the reader paused")
      response.body.cancel()
      let ended = try await server.wait { $0.allSatisfy(\.wasEndedByPeer) }
      try require(ended, "the connection stayed after the body was cancelled")
    },
  ]
}
