#if Tool
  import HTTPTypes
  import StagecoachCore
  import StagecoachOrigin
  import Synchronization
  import Testing

  /// How responses are framed, and what becomes of those that are not whole.
  struct ResponseWriterTests {
    private static func body(_ chunks: [String], cut: ExchangeError? = nil) -> Response.Body {
      Response.Body(
        AsyncThrowingStream { stream in
          for chunk in chunks { stream.yield(Bytes(chunk)) }
          stream.finish(throwing: cut)
        }
      )
    }

    private func answer(_ response: Response, to request: String) async throws -> String {
      var text = ""
      let answers = Mutex<Response?>(response)
      try await withHandlerServer { _ in
        answers.withLock { answer in
          defer { answer = nil }
          return answer ?? Response(.gone)
        }
      } _: { server in
        text = try await server.exchange(request)
      }
      return text
    }

    private static let close = "Host: a\nConnection: close\n\n"

    @Test func streamsAreChunkedForTheOneAndEndWithTheConnectionForTheOther() async throws {
      let new = try await answer(
        Response(.ok, body: Self.body(["abc", "de"])),
        to: "GET / HTTP/1.1\n\(Self.close)"
      )
      #expect(new.contains("Transfer-Encoding: chunked\r\n"))
      #expect(new.hasSuffix("\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"))
      let old = try await answer(
        Response(.ok, fields: [.trailer: "X"], body: Self.body(["abc", "de"])),
        to: "GET / HTTP/1.0\nConnection: keep-alive\n\n"
      )
      #expect(old == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcde")
    }

    @Test func connectionsOfHTTP10AreKeptIfTheyMay() async throws {
      try await withHandlerServer { _ in
        Response(.ok, body: .bytes("abc"))
      } _: { server in
        let peer = try Peer(port: server.port)
        for _ in 0..<2 {
          try await peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
          let response = try await peer.receiveResponse()
          #expect(response.text == "abc" && response["Connection"] == "keep-alive")
        }
        #expect(try await server.exchange("GET / HTTP/1.0\n\n").hasSuffix("Connection: close\r\n\r\nabc"))
      }
    }

    @Test func responsesWithoutContentKeepTheirLength() async throws {
      let fields: HTTPFields = [.contentLength: "5"]
      let head = try await answer(
        Response(.ok, fields: fields, body: .bytes("hello")),
        to: "HEAD / HTTP/1.1\n\(Self.close)"
      )
      #expect(head == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n")
      let same = try await answer(
        Response(.notModified, fields: fields),
        to: "GET / HTTP/1.1\n\(Self.close)"
      )
      #expect(same == "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nConnection: close\r\n\r\n")
      // RFC 9110 8.6.
      let none = try await answer(
        Response(.noContent, fields: fields, body: .bytes("hello")),
        to: "GET / HTTP/1.1\n\(Self.close)"
      )
      #expect(none == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    }

    @Test func aMalformedLengthIsNotPassedOn() async throws {
      for fields: HTTPFields in [
        [.contentLength: "x"], [.contentLength: "-1"], [.contentLength: "3", .contentLength: "4"],
      ] {
        let text = try await answer(
          Response(.ok, fields: fields, body: Self.body(["abc"])),
          to: "GET / HTTP/1.1\n\(Self.close)"
        )
        #expect(!text.contains("Content-Length") && text.hasSuffix("3\r\nabc\r\n0\r\n\r\n"), "\(text)")
      }
      let same: HTTPFields = [.contentLength: "3", .contentLength: "3"]
      let text = try await answer(
        Response(.ok, fields: same, body: Self.body(["abc"])),
        to: "GET / HTTP/1.1\n\(Self.close)"
      )
      #expect(text.ranges(of: "Content-Length: 3").count == 1 && text.hasSuffix("\r\n\r\nabc"))
    }

    @Test func aResponseThatIsCutNeverEndsCleanly() async throws {
      let cut = ExchangeError(.incompleteBody, "of the test")
      let chunked = try await answer(
        Response(.ok, body: Self.body(["abc"], cut: cut)),
        to: "GET / HTTP/1.1\nHost: a\n\n"
      )
      #expect(chunked.hasSuffix("3\r\nabc\r\n"), "\(chunked)")
      for chunks in [["abc"], ["abcd", "ef"]] {
        let counted = try await answer(
          Response(.ok, fields: [.contentLength: "5"], body: Self.body(chunks)),
          to: "GET / HTTP/1.1\nHost: a\n\n"
        )
        #expect(counted.hasSuffix("\r\n\r\n\(chunks[0])"), "\(counted)")
      }
      // The last byte is there, and the end is a failure all the same.
      let last = try await answer(
        Response(.ok, fields: [.contentLength: "5"], body: Self.body(["abc", "de"], cut: cut)),
        to: "GET / HTTP/1.1\nHost: a\n\n"
      )
      #expect(last.hasSuffix("\r\n\r\nabc"), "\(last)")
      // The end of the connection would end the content.
      await #expect(throws: Peer.Failure.self) {
        try await answer(Response(.ok, body: Self.body(["abc"], cut: cut)), to: "GET / HTTP/1.0\n\n")
      }
    }

    @Test func aLargeResponseArrivesWholeAtASlowClientThatIsTheLast() async throws {
      let block = Bytes([UInt8](repeating: 7, count: 1 << 20))
      try await withHandlerServer { _ in
        Response(
          .ok,
          body: Response.Body(
            AsyncStream { stream in
              for _ in 0..<16 { stream.yield(block) }
              stream.finish()
            },
            length: 16 << 20
          )
        )
      } _: { server in
        let peer = try Peer(port: server.port)
        try await peer.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await peer.receiveResponse().body.count == 16 << 20)
        #expect(try await peer.receive().isEmpty)
      }
    }
  }

  /// What the client does while it is answered.
  struct ClientsOnTheirWayTests {
    @Test func aClientThatGoesAwayCancelsTheHandler() async throws {
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let (cancelled, cancel) = AsyncStream.makeStream(of: Void.self)
      try await withHandlerServer { request in
        start.yield()
        await withTaskCancellationHandler {
          for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(60)) }) {
            if Task.isCancelled { break }
          }
        } onCancel: {
          cancel.yield()
        }
        throw CancellationError()
      } _: { server in
        for request in [
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
        ] {
          let peer = try Peer(port: server.port)
          try await peer.send(request)
          for await _ in started { break }
          await peer.disconnect()
          for await _ in cancelled { break }
        }
      }
    }

    @Test func aBodyIsReadAtThePaceOfTheClient() async throws {
      let taken = Atomic(0)
      let block = Bytes([UInt8](repeating: 1, count: 64 << 10))
      let total = 512
      try await withHandlerServer { _ in
        Response(
          .ok,
          body: Response.Body(
            AsyncStream(unfolding: {
              taken.add(1, ordering: .relaxed).newValue <= total ? block : nil
            })
          )
        )
      } _: { server in
        let peer = try Peer(port: server.port)
        try await peer.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        _ = try await peer.line()
        // The buffers of the system fill, and then nothing moves any more.
        var last = -1
        while taken.load(ordering: .relaxed) != last {
          last = taken.load(ordering: .relaxed)
          try await Task.sleep(for: .milliseconds(200))
        }
        #expect(last < total / 2)
        var count = 0
        while case let bytes = try await peer.receive(), !bytes.isEmpty { count += bytes.count }
        #expect(count > total * block.count)
      }
    }
  }
#endif
