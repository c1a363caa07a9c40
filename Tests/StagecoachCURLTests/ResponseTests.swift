#if CURL
  import HTTPTypes
  import Stagecoach
  import StagecoachCURL
  import StagecoachConformance
  import Synchronization
  import Testing

  @Suite struct ResponseTests {
    /// The response to a GET that a peer answers with these bytes, and then with the end of the connection.
    private func response(
      _ bytes: [UInt8],
      method: HTTPRequest.Method = .get,
      bytewise: Bool = false,
      options: @escaping (inout RequestOptions) -> Void = { _ in }
    ) async throws -> (Response, String, HTTPFields?) {
      try await withPeer { connection in
        try connection.readHead()
        if bytewise { for byte in bytes { try connection.send([byte]) } } else { try connection.send(bytes) }
        connection.halfClose()
        try connection.readToEnd()
      } _: { peer, _ in
        let head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(peer.port)", path: "/")
        var request = Request(head: head)
        options(&request.options)
        let transport = CURLTransport()
        let response = try await Pipeline(over: transport) {}.send(request)
        let text = String(decoding: try await response.body.collect(upTo: 1 << 24))
        await transport.shutdown()
        return (response, text, response.body.trailers)
      }
    }

    private func response(_ text: String, method: HTTPRequest.Method = .get) async throws -> (
      Response, String, HTTPFields?
    ) {
      try await response(Array(text.utf8), method: method)
    }

    @Test(arguments: [
      ("HTTP/1.1 200 OK", 200, "OK", "1.1"),
      ("HTTP/1.1 200 Fine, thank  you", 200, "Fine, thank  you", "1.1"),
      ("HTTP/1.1 299 ", 299, "", "1.1"), ("HTTP/1.1 418", 418, "", "1.1"),
      ("HTTP/1.0 999 x", 999, "x", "1.0"),
      ("HTTP/1.1 600 y", 600, "y", "1.1"), ("HTTP/1.1 200 Gr\u{fc}\u{df}e", 200, "Grüße", "1.1"),
    ])
    func statusLinesAreKept(line: String, code: Int, reason: String, version: String) async throws {
      let (response, text, _) = try await response("\(line)\r\nContent-Length: 2\r\n\r\nhi")
      #expect(response.status.code == code)
      #expect(response.status.reasonPhrase == reason)
      #expect(response.version?.description == "HTTP/\(version)")
      #expect(text == "hi")
    }

    @Test(arguments: [
      "HTTP/1.1 99 x\r\n\r\n", "HTTP/1.1 2000 x\r\n\r\n", "HTTP/1.1 20 x\r\n\r\n", "HTTP/1.1 2x0 x\r\n\r\n",
      "HTTP/1.1 099 x\r\n\r\n", "hello\r\n\r\n", "Http/1.1 200 OK\r\n\r\n", "HTTP/1.1x 200 OK\r\n\r\n",
      "HTTP/11.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
      "HTTP/1.1 200 OK\r\na : c\r\n\r\n", "HTTP/1.1 200 OK\r\na: b\0c\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 10, 4\r\n\r\n0123456789",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 4\r\n\r\n0123456789",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n01234",
      "HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n01234",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ])
    func anAnswerThatIsNotHTTPIsAProtocolViolation(text: String) async throws {
      let error = await exchangeError { try await response(text) }
      #expect(error?.kind == .protocolViolation, "\(text)")
      #expect(error?.requestMayHaveBeenSent == true)
    }

    /// libcurl undoes chunks alone.
    @Test(arguments: ["chunked, foo", "foo", "gzip, chunked", "gzip", "chunked, chunked"])
    func aTransferCodingBesidesChunkedIsRefused(coding: String) async throws {
      let error = await exchangeError {
        try await response("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n")
      }
      #expect(error?.kind == .unsupported)
      #expect(error?.message.contains(coding) == true)
      #expect(error?.requestMayHaveBeenSent == true)
    }

    @Test func fieldsAreKept() async throws {
      let (response, _, _) = try await response(
        "HTTP/1.1 200 OK\r\nX-b: 1\r\nset-cookie: a=1\r\nX-B:  2\t\r\nSet-Cookie: b=2\r\nX-Empty:\r\n"
          + "X-Fold: a\r\n  b\r\n\tc\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"
      )
      #expect(
        response.fields.map { "\($0.name.rawName)=\($0.value)" } == [
          "X-b=1", "set-cookie=a=1", "X-B=2", "Set-Cookie=b=2", "X-Empty=", "X-Fold=a b c",
          "Content-Length=0",
          "Content-Length=0",
        ]
      )
    }

    @Test func octetsThatAreNotUTF8AreKept() async throws {
      var bytes = Array("HTTP/1.1 200 OK\r\nX-L: a".utf8)
      bytes += [0xfc, 0xdf]
      bytes += Array("\r\nContent-Length: 0\r\n\r\n".utf8)
      let (response, _, _) = try await response(bytes)
      let name = try #require(HTTPField.Name("X-L"))
      let octets = response.fields[fields: name].first?.withUnsafeBytesOfValue { Array($0) }
      #expect(octets == [0x61, 0xfc, 0xdf])
    }

    @Test(arguments: [false, true])
    func chunksAndTrailersAreRead(bytewise: Bool) async throws {
      let text =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ETag\r\n\r\n"
        + "3;x=y\r\nabc\r\n00A\r\n0123456789\r\n0\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\n"
      let (response, body, trailers) = try await response(Array(text.utf8), bytewise: bytewise)
      #expect(body == "abc0123456789")
      #expect(trailers?.map { "\($0)" } == ["ETag: \"1\"", "Content-Length: 5"])
      #expect(response.fields[.eTag] == nil)
      #expect(response.body.length == nil)
    }

    @Test func codingsAreLeftAsTheyAre() async throws {
      let (response, body, _) = try await response(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip"
      )
      #expect(body == "not gzip")
      #expect(response.fields[.contentEncoding] == "gzip")
    }

    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func aResponseWithoutContentEndsWithItsHead(method: HTTPRequest.Method, code: Int) async throws {
      try await withPeer { connection in
        try connection.answer("HTTP/1.1 \(code) x\r\nContent-Length: 5\r\n\r\n")
      } _: { peer, _ in
        let transport = CURLTransport()
        let head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(peer.port)", path: "/")
        for _ in 0..<3 {
          let (response, text) = try await sent(Request(head: head), over: transport)
          #expect(response.status.code == code)
          #expect(response.fields[.contentLength] == "5")
          #expect(text.isEmpty)
        }
        #expect(peer.accepted == 1)
        await transport.shutdown()
      }
    }

    @Test func informationalResponsesAreEvents() async throws {
      let events = EventLog()
      try await withPeer(
        { connection in
          try connection.readHead()
          try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
          for index in 0..<1000 {
            try connection.send("HTTP/1.1 103 Early Hints\r\nLink: </\(index)>\r\n\r\n")
          }
          try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
          try connection.readToEnd()
        },
        monitors: [events],
        options: { $0.responseHeadLimits.informationalResponses = 1001 }
      ) { _, client in
        let value7 = try await client.value(for: .get(""), as: .text)
        #expect(value7 == "ok")
      }
      let codes = events.kinds.compactMap { kind in
        if case .informationalResponse(let head) = kind { head.status.code } else { nil }
      }
      #expect(codes.count == 1001)
      #expect(codes.first == 100)
      #expect(codes.last == 103)
    }

    @Test(arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nabc",
    ])
    func aTruncatedBodyFailsAfterWhatCame(text: String) async throws {
      try await withPeer { connection in
        try connection.readHead()
        try connection.send(text)
      } _: { _, client in
        let response = try await client.send(.get(""))
        var iterator = response.body.makeAsyncIterator()
        let value8 = try await iterator.next().map { String(decoding: $0) }
        #expect(value8 == "abc")
        do {
          _ = try await iterator.next()
          Issue.record("no error")
        } catch let error as ExchangeError {
          #expect(error.kind == .incompleteBody)
        }
      }
    }

    @Test func extraBytesDoNotReachTheNextResponse() async throws {
      try await withPeer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 evil\r\n\r\n")
        try connection.readToEnd()
      } _: { peer, client in
        let value9 = try await client.value(for: .get(""), as: .text)
        #expect(value9 == "ok")
        let value10 = try await client.value(for: .get(""), as: .text)
        #expect(value10 == "ok")
        #expect(peer.accepted == 2)
      }
    }

    @Test func aLineThatLibcurlDoesNotReadToItsEndNamesTheLimit() async throws {
      try await withPeer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 200 \(String(repeating: "x", count: 400_000))\r\n\r\n")
        try connection.readToEnd()
      } _: { _, client in
        let error = await exchangeError { try await client.send(.get("")) }
        #expect(error?.kind == .limit(.responseHead))
        #expect(error?.limit?.option == "engine")
      }
    }

    @Test(arguments: [1000, 64 * 1024 - 30])
    func aHeadBeyondTheLimitIsRefused(limit: Int) async throws {
      @Sendable func serve(_ connection: WireConnection, lines: Int) throws {
        try connection.readHead()
        try connection.send("HTTP/1.1 200 OK\r\n")
        for _ in 0..<lines { try connection.send("X-Filler: 0123456789012345678901234567890123456789\r\n") }
        try connection.send("Content-Length: 0\r\n\r\n")
        try connection.readToEnd()
      }
      let error = try await withPeer(
        { try serve($0, lines: .max) },
        options: {
          $0.responseHeadLimits.bytes = limit
          $0.responseHeadLimits.fields = limit
        }
      ) { _, client in
        await exchangeError { try await client.send(.get("")) }
      }
      #expect(error?.kind == .limit(.responseHead))
      #expect(error?.limit?.option == "responseHeadLimits.bytes")
      try await withPeer(
        { try serve($0, lines: limit / 60) },
        options: {
          $0.responseHeadLimits.bytes = limit
          $0.responseHeadLimits.fields = limit
        }
      ) { _, client in
        let value11 = try await client.send(.get("")).status
        #expect(value11 == .ok)
      }
    }

    @Test func aSlowReaderHoldsThePeer() async throws {
      let sent = Atomic(0)
      try await withPeer { connection in
        try connection.readHead()
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n")
        let chunk = [UInt8](repeating: 7, count: 65_536)
        for _ in 0..<1024 {
          try connection.send(chunk)
          sent.add(chunk.count, ordering: .relaxed)
        }
        try connection.readToEnd()
      } _: { _, client in
        let response = try await client.send(.get(""))
        try await Task.sleep(for: .milliseconds(300))
        let held = sent.load(ordering: .relaxed)
        #expect(held < 32 << 20)
        var total = 0
        for try await chunk in response.body { total += chunk.count }
        #expect(total == 67_108_864)
      }
    }
  }
#endif
