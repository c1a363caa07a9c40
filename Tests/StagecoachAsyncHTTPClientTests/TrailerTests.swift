#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
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
    func thoseOfTheRequestFollowItsLastChunk(length: Int64?) async throws {
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
    func withoutAnyTheBodyEndsAsOthers(trailers: HTTPFields?) async throws {
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
    @Test func eachRequestHasItsOwn() async throws {
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

    @Test func aValueThatIsNoUTF8IsRefused() async throws {
      try await withOrigin { _, client in
        var request = Request.post("echo")
        request.body = body(["a"], trailers: HTTPFields([HTTPField(name: .eTag, value: [0xe9] as [UInt8])]))
        let error = await exchangeError { try await client.value(for: request, as: .data) }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("ETag") == true, "\(error.map { "\($0)" } ?? "")")
      }
    }

    @Test func thoseOfTheResponseAreThereAfterItsLastByte() async throws {
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

    @Test func tooManyOfThemAreAnError() async throws {
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
