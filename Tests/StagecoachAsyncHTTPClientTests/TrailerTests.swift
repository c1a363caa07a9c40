#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  /// Trailer fields (RFC 9110 6.5), of which the engine knows nothing.
  @Suite(.timeLimit(.minutes(2))) struct TrailerTests {
    private struct Echo: Decodable {
      let fields: [[String]]
      let trailers: [[String]]
      let length: Int

      func value(of name: String) -> String? { fields.first { $0[0].lowercased() == name }?[1] }
    }

    private func body(
      _ chunks: [Bytes],
      length: Int64? = nil,
      trailers: HTTPFields?
    ) -> Request.Body {
      .stream(length: length, trailers: { trailers }) { chunked(chunks) }
    }

    private func chunked(_ chunks: [Bytes]) -> AsyncStream<Bytes> {
      AsyncStream { continuation in
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
      }
    }

    @Test(arguments: [nil, 6] as [Int64?])
    func requestTrailersFollowTheLastChunk(length: Int64?) async throws {
      try await withOrigin { _, client in
        var request = Request.post("echo")
        request.body = body(
          ["abc", "def"],
          length: length,
          trailers: [.eTag: "\"x\"", .contentLanguage: "de"]
        )
        let echo = try await client.value(for: request, as: .json(Echo.self))
        #expect(echo.length == 6)
        #expect(echo.trailers == [["ETag", "\"x\""], ["Content-Language", "de"]])
        #expect(echo.value(of: "transfer-encoding") == "chunked")
        #expect(echo.value(of: "content-length") == nil)
      }
    }

    @Test(arguments: [nil, [:]] as [HTTPFields?])
    func aBodyWithoutTrailersEndsNormally(trailers: HTTPFields?) async throws {
      try await withOrigin { origin, client in
        for chunks in [["abc"], []] as [[Bytes]] {
          var request = Request.post("echo")
          request.body = body(chunks, trailers: trailers)
          let echo = try await client.value(for: request, as: .json(Echo.self))
          #expect(echo.length == 3 * chunks.count)
          #expect(echo.trailers.isEmpty)
        }
        #expect(origin.acceptedConnections == 1)
      }
    }

    /// Those of one request are not sent after another on the same connection.
    @Test func eachRequestSendsItsOwnTrailers() async throws {
      try await withOrigin { origin, client in
        for number in 0..<20 {
          var request = Request.post("echo")
          let trailers: HTTPFields? = number.isMultiple(of: 2) ? [.eTag: "\(number)"] : nil
          request.body = body(["a"], trailers: trailers)
          let echo = try await client.value(for: request, as: .json(Echo.self))
          #expect(echo.trailers == (trailers == nil ? [] : [["ETag", "\(number)"]]))
        }
        #expect(origin.acceptedConnections == 1)
      }
    }

    /// RFC 9110 6.5.1.
    @Test(arguments: [HTTPField.Name.contentLength, .transferEncoding, .authorization, .trailer])
    func refusesTrailersThatBelongToTheHead(name: HTTPField.Name) async throws {
      try await withOrigin { _, client in
        var request = Request.post("echo")
        request.body = body(["a"], trailers: [name: "1"])
        let error = await exchangeError { try await client.value(for: request, as: .data) }
        #expect(error?.kind == .requestBody)
      }
    }

    /// The engine pauses a body for good when such a head comes, and its end goes out all the same.
    @Test func anEarlyRefusalStillGetsTheTrailers() async throws {
      let head = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\n"
      try await withPeer({ wire in
        try wire.readHead()
        _ = try wire.read("1\r\na\r\n".utf8.count)
        try wire.send(head)
        _ = try wire.read("0\r\n".utf8.count)
        try wire.send("no")
        try wire.hold()
      }) { peer, _ in
        let (chunks, source) = AsyncStream<Bytes>.makeStream()
        var request = Request.post(peer.url)
        request.body = .oneShot(chunks, length: nil, trailers: { [.eTag: "x"] })
        source.yield("a")
        let transport = AsyncHTTPClientTransport()
        let response = try await Pipeline(over: transport, stages: []).send(request)
        #expect(response.status.code == 413)
        source.finish()
        #expect(try await response.body.collect(upTo: 10) == "no")
      }
    }

    @Test func responseTrailersAreThereAfterTheLastByte() async throws {
      let checksum = try #require(HTTPField.Name("X-Checksum"))
      try await withOrigin { origin, client in
        // More than once: whichever event loop has the connection.
        for _ in 0..<10 {
          let response = try await client.send(.get("chunked?chunks=5&size=100&trailers=1"))
          #expect(response.fields[checksum] == nil)
          #expect(response.body.trailers == nil)
          #expect(try await response.body.collect(upTo: 1000).count == 500)
          #expect(response.body.trailers?[checksum]?.count == 16)
          #expect(response.body.trailers?.count == 2)
        }
        #expect(origin.acceptedConnections == 1)
      }
    }

    @Test func readsTrailersOfAResponseThatEndsBeforeItsRequest() async throws {
      let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nETag: x\r\n\r\n"
      try await withPeer(holding(answer)) { _, client in
        let (chunks, source) = AsyncStream<Bytes>.makeStream()
        var request = Request.post("")
        request.body = .oneShot(chunks, length: nil)
        let response = try await client.send(request)
        #expect(try await response.body.collect(upTo: 10) == "ok")
        #expect(response.body.trailers == [.eTag: "x"])
        source.finish()
      }
    }

    @Test func tooManyTrailersAreAnError() async throws {
      try await withOrigin { _, client in
        var request = Request.get("chunked?chunks=5&size=100&trailers=1")
        request.options.responseHeadLimits.trailerBytes = 20
        let response = try await client.send(request)
        let error = await exchangeError { _ = try await response.body.collect(upTo: 1000) }
        #expect(error?.kind == .limit(.responseHead))
        #expect(error?.limit?.option == "responseHeadLimits.trailerBytes")
      }
    }
  }
#endif
