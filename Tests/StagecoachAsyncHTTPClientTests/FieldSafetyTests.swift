#if Tool
  import Dispatch
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import Testing

  /// What a peer may make of the framing of its messages, row by row of the reference's section 9.3.
  @Suite struct FieldSafetyTests {
    enum Outcome: Sendable {
      /// The response is read; a second request then has the same connection, or another one.
      case body(String, isKept: Bool = true)
      /// The call fails, with what had come of the body in the error.
      case failure(ExchangeError.Kind, prefix: String = "")

      static let violation = Outcome.failure(.protocolViolation)
    }

    struct Row: Sendable, CustomTestStringConvertible {
      let name: String
      let response: String
      let outcome: Outcome
      let method: HTTPRequest.Method
      /// Whether the peer closes its connection behind the response.
      let closes: Bool
      var testDescription: String { name }

      init(
        _ name: String,
        _ response: String,
        _ outcome: Outcome,
        method: HTTPRequest.Method = .get,
        closes: Bool = false
      ) {
        self.name = name
        self.response = response
        self.outcome = outcome
        self.method = method
        self.closes = closes
      }

      /// A row about fields, or about lines of the head.
      static func head(_ name: String, _ lines: String, _ outcome: Outcome) -> Row {
        Row(name, "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nok", outcome)
      }

      /// A row about Content-Length alone.
      static func length(_ name: String, _ lines: String, _ outcome: Outcome = .violation) -> Row {
        Row(name, "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nabc", outcome, closes: true)
      }

      /// A row about chunks.
      static func chunks(_ name: String, _ body: String, _ outcome: Outcome, closes: Bool = false) -> Row {
        Row(name, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)", outcome, closes: closes)
      }
    }

    static let rows: [Row] = [
      // The engine's parser is stricter than it has to be in five rows: it refuses folded lines, lengths that are
      // repeated or stand beside chunks, and lines of the head that end with LF alone.
      .head("obs-fold", "X-A: a\r\n b\r\nContent-Length: 2", .violation),
      .head("obs-fold: of a framing field", "Content-Length: 1\r\n 2", .violation),
      .head("space before colon", "X-A : a\r\nContent-Length: 2", .violation),
      .head("NUL in a value", "X-A: a\0b\r\nContent-Length: 2", .violation),
      Row("bare LF line end, in the head", "HTTP/1.1 200 OK\nX-A: a\nContent-Length: 2\n\nok", .violation),
      .chunks("bare LF line end, behind a chunk size", "2\nok\r\n0\r\n\r\n", .violation),
      .chunks("bare LF line end, behind a chunk", "2\r\nok\n0\r\n\r\n", .violation),
      .head("bare CR, in a value", "X-A: a\rb\r\nContent-Length: 2", .violation),
      .head("bare CR, as a line end", "X-A: a\rContent-Length: 2", .violation),
      .length("two Content-Length, equal", "Content-Length: 3\r\nContent-Length: 3"),
      .length("two Content-Length, equal: 3, 3", "Content-Length: 3, 3"),
      .length("two Content-Length, different", "Content-Length: 3\r\nContent-Length: 2"),
      .length("two Content-Length, different: 3, 2", "Content-Length: 3, 2"),
      .length("Content-Length: -3", "Content-Length: -3"),
      .length("Content-Length: +3", "Content-Length: +3"),
      .length("Content-Length: 0x3", "Content-Length: 0x3"),
      .length("Content-Length: empty", "Content-Length:"),
      .length("Content-Length: > 2^63", "Content-Length: 9223372036854775809"),
      .length("Content-Length: > 2^64", "Content-Length: 18446744073709551619"),
      Row(
        "Content-Length + chunked",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        .violation
      ),
      Row(
        "chunked, chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        .violation
      ),
      Row(
        "chunked, chunked: in two fields",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        .violation
      ),
      Row(
        "unknown transfer coding",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: wrapped\r\n\r\nok",
        .failure(.unsupported),
        closes: true
      ),
      Row(
        "unknown transfer coding: before chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        .failure(.unsupported)
      ),
      Row(
        "TE in an HTTP/1.0 message",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        .violation,
        closes: true
      ),
      .length(
        "body shorter than Content-Length",
        "Content-Length: 4",
        .failure(.incompleteBody, prefix: "abc")
      ),
      .chunks(
        "chunked without last chunk",
        "3\r\nabc\r\n",
        .failure(.incompleteBody, prefix: "abc"),
        closes: true
      ),
      .head("extra bytes after the body", "Content-Length: 1", .body("o", isKept: false)),
      .chunks(
        "extra bytes after the body: chunked",
        "2\r\nok\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        .body("ok", isKept: false)
      ),
      Row("204 with Content-Length", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n", .body("")),
      Row("304 with Content-Length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", .body("")),
      Row(
        "1xx with Content-Length",
        "HTTP/1.1 103 Early Hints\r\nContent-Length: 2\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        .body("ok")
      ),
      Row(
        "HEAD with Content-Length",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n",
        .body(""),
        method: .head
      ),
      .chunks("chunk extensions", "2;a=b;c=\"d;e\"\r\nok\r\n0;f\r\n\r\n", .body("ok")),
      .chunks(
        "trailers",
        "2\r\nok\r\n0\r\nX-A: late\r\nAuthorization: x\r\nHost: x\r\n\r\n",
        .body("ok")
      ),
      .chunks("trailers: of framing", "2\r\nok\r\n0\r\nContent-Length: 9\r\n\r\n", .violation),
    ]

    /// Sends a request, and once more if it met the end of a connection: the peer sees that end a moment before the
    /// engine's pool hears of it.
    private static func send(_ request: Request, by client: Client, again: Bool) async throws -> Response {
      do {
        return try await client.send(request)
      } catch let error as ExchangeError where again && error.kind == .connectionReset {
        return try await client.send(request)
      }
    }

    @Test(arguments: rows)
    func refusesOrRepairsAReceivedMessage(_ row: Row) async throws {
      let peer = try WireServer { wire in
        try wire.readHead()
        try wire.send(row.response)
        guard !row.closes else { return }
        try wire.readHead()
        try wire.send(row.response)
        try wire.hold()
      }
      defer { peer.stop() }
      // No stage looks at what comes.
      let client = try Client(
        Pipeline(over: AsyncHTTPClientTransport(), stages: []),
        base: peer.url
      )
      switch row.outcome {
      case .body(let body, let isKept):
        for turn in 1...2 {
          let response = try await Self.send(Request(row.method, ""), by: client, again: !isKept && turn == 2)
          #expect(String(decoding: try await response.body.collect(upTo: 100)) == body)
          // What came behind the body is no part of the head.
          #expect(
            !response.fields.contains { ["x-a", "authorization", "host"].contains($0.name.canonicalName) }
          )
          guard !row.closes else { continue }
          #expect(peer.connections.count == (isKept ? 1 : turn))
          // Until the peer sees the end, the next request could still meet it.
          if !isKept { #expect(try await peer.wait { $0.count { $0.end != nil } == turn }) }
        }
      case .failure(let kind, let prefix):
        let error = await exchangeError { try await client.value(for: Request(row.method, ""), as: .data) }
        #expect(error?.kind == kind, "\(error.map { "\($0)" } ?? "")")
        #expect(error.map { String(decoding: $0.bodyPrefix) } == prefix)
        // Nothing of it is left for the next request.
        _ = await exchangeError { try await client.value(for: Request(row.method, ""), as: .data) }
        #expect(peer.connections.count == 2)
      }
      await client.pipeline.shutdown()
    }

    /// It would be taken for the response to the next request.
    @Test("response before any request: the connection is dropped")
    func anUnsolicitedResponseDropsTheConnection() async throws {
      let response = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
      let gate = DispatchSemaphore(value: 0)
      defer { gate.signal() }
      let peer = try WireServer { wire in
        try wire.readHead()
        try wire.send(response + "good")
        gate.wait()
        try wire.send(response + "evil")
        try wire.hold()
      }
      defer { peer.stop() }
      let client = try Client(bare(AsyncHTTPClientTransport()), base: peer.url)
      #expect(try await client.get("", as: .text) == "good")
      gate.signal()
      #expect(try await peer.wait { $0.first?.end != nil })
      let second = try await Self.send(.get(""), by: client, again: true)
      #expect(String(decoding: try await second.body.collect(upTo: 100)) == "good")
      #expect(peer.connections.count == 2)
      await client.pipeline.shutdown()
    }

    // MARK: What is sent

    struct Sent: Sendable, CustomTestStringConvertible {
      let name: String
      let field: String
      let value: [UInt8]
      let body: Request.Body
      /// What stands on the wire, as the only field of the name; nil if it is refused.
      let line: [UInt8]?
      var testDescription: String { name }

      init(
        _ name: String,
        _ field: String,
        _ value: [UInt8],
        of body: Request.Body = .empty,
        line: [UInt8]?
      ) {
        self.name = name
        self.field = field
        self.value = value
        self.body = body
        self.line = line
      }

      init(_ name: String, _ field: String, _ value: String, of body: Request.Body = .empty, line: String?) {
        self.init(name, field, Array(value.utf8), of: body, line: line.map { Array($0.utf8) })
      }
    }

    private static let stream = Request.Body.stream(length: nil) {
      AsyncStream<Bytes> {
        $0.yield("abc")
        $0.finish()
      }
    }

    static let sent: [Sent] = [
      Sent("leading and trailing whitespace in a value", "X-A", " \ta b\t ", line: "a b"),
      Sent("CR and LF in a value of HTTPField", "X-A", "a\r\nX-B: b", line: "a  X-B: b"),
      Sent("Host", "Host", "other.example", line: "other.example"),
      Sent("Content-Length as it is sent", "Content-Length", "3", of: .bytes("abc"), line: "3"),
      Sent("Content-Length, another", "Content-Length", "4", of: .bytes("abc"), line: nil),
      Sent("Transfer-Encoding as it is sent", "Transfer-Encoding", "chunked", of: stream, line: "chunked"),
      Sent("Transfer-Encoding, another", "Transfer-Encoding", "gzip, chunked", of: stream, line: nil),
      Sent("Connection as it is sent", "Connection", "close", line: "close"),
      Sent("Connection, another", "Connection", "upgrade", line: nil),
      Sent("value octets 0x80-FF in UTF-8", "X-A", "caf\u{e9} \u{1F600}", line: "caf\u{e9} \u{1F600}"),
      Sent("value octets 0x80-FF, not UTF-8", "X-A", [0x63, 0xe9], line: [0x63, 0xe9]),
      Sent("value octets 0x80-FF, not UTF-8, as long", "X-A", [0xf0, 0x9f, 0x98], line: [0xf0, 0x9f, 0x98]),
    ]

    @Test(arguments: sent)
    func refusesOrSendsAnUnsafeMessage(_ row: Sent) async throws {
      let peer = try WireServer(serve: holding("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
      defer { peer.stop() }
      let client = try Client(bare(AsyncHTTPClientTransport()), base: peer.url)
      let name = try #require(HTTPField.Name(row.field))
      var request = Request.put("", body: row.body)
      request.fields.append(HTTPField(name: name, value: row.value))
      if let line = row.line {
        _ = try await client.value(for: request, as: .data)
        let head = try #require(peer.requests.first).head
        let prefix = "\(row.field.lowercased()): "
        // Octets as characters of their own.
        let lines = String(String.UnicodeScalarView(head.map { Unicode.Scalar($0) })).split(separator: "\r\n")
        let found = lines.filter { $0.lowercased().hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        #expect(found.map { $0.unicodeScalars.map(\.value) } == [line.map { UInt32($0) }])
      } else {
        let refused = request
        let error = await exchangeError { try await client.value(for: refused, as: .data) }
        #expect(error?.kind == .invalidRequest)
        #expect(peer.connections.isEmpty)
      }
      await client.pipeline.shutdown()
    }
  }
#endif
