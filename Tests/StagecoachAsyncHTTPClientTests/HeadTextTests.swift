#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import Testing

  /// Octets in heads that are not UTF-8 (RFC 9110 5.5), of which the engine's parser would make U+FFFD.
  @Suite(.timeLimit(.minutes(2))) struct HeadTextTests {
    private func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    /// The octets of a field.
    private func octets(_ fields: HTTPFields, _ name: String = "X-Name") throws -> [UInt8] {
      let name = try #require(HTTPField.Name(name))
      return try #require(fields[fields: name].first).withUnsafeBytesOfValue { Array($0) }
    }

    @Test func linesAreJudgedOneByOne() async throws {
      var head = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Name: ".utf8)
      head += latin1("café\r\nX-Other: ") + Array("café\r\nX-Last: ".utf8) + latin1("\u{ff}\r\n\r\n")
      // The body is left as it is, whatever looks like a line in it.
      let body: [UInt8] = [0xe9, 0x0a, 0xe9, 0x0a]
      try await withPeer(holding(head + body)) { _, client in
        let response = try await client.send(.get(""))
        #expect(try octets(response.fields) == latin1("café"))
        #expect(try octets(response.fields, "X-Other") == Array("café".utf8))
        #expect(try octets(response.fields, "X-Last") == [0xff])
        #expect(try await response.body.collect(upTo: 10) == Bytes(body))
      }
    }

    /// In Latin-1 and in UTF-8, whose characters are not to be taken apart.
    @Test(arguments: [false, true])
    func aHeadCutAnywhereReadsTheSame(isUTF8: Bool) async throws {
      let line = "X-Name: äöü\r\n"
      let before = Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n".utf8)
      let message = before + (isUTF8 ? Array(line.utf8) : latin1(line)) + Array("\r\n".utf8) + [0xe9]
      for cut in before.count..<message.count {
        try await withPeer(holding(message, cutAt: cut)) { _, client in
          let response = try await client.send(.get(""))
          let wanted = isUTF8 ? Array("äöü".utf8) : latin1("äöü")
          #expect(try octets(response.fields) == wanted, "cut at \(cut)")
          #expect(try await response.body.collect(upTo: 10) == Bytes([0xe9]), "cut at \(cut)")
        }
      }
    }

    /// What is beyond ASCII in it does not make two pieces of a body.
    @Test func aBodyStaysInOnePiece() async throws {
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
      try await withPeer(holding(head + "aéb")) { _, client in
        var chunks: [Bytes] = []
        for try await chunk in try await client.send(.get("")).body { chunks.append(chunk) }
        #expect(chunks == ["aéb"])
      }
    }

    @Test func headsBeforeTheFinalOneAndOnOneConnection() async throws {
      let early = latin1("HTTP/1.1 103 Early Hints\r\nX-Name: é\r\n\r\n")
      let final = latin1("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: ß\r\n\r\n\u{e9}\n")
      try await withPeer({ wire in
        try wire.readHead()
        try wire.send(early + final)
        try wire.readHead()
        try wire.send(final)
        try wire.hold()
      }) { peer, client in
        for _ in 1...2 {
          let response = try await client.send(.get(""))
          #expect(try octets(response.fields) == [0xdf])
          #expect(try await response.body.collect(upTo: 10) == Bytes([0xe9, 0x0a]))
        }
        #expect(peer.connections.count == 1)
      }
    }

    @Test func aLineThatNeverEndsIsRefused() async throws {
      let line = Array("HTTP/1.1 200 OK\r\nX-Name: ".utf8) + [UInt8](repeating: 0xe9, count: 1 << 20)
      try await withPeer(holding(line)) { _, client in
        let error = await exchangeError { try await client.value(for: .get(""), as: .data) }
        #expect(
          [.limit(.responseHead), .protocolViolation].contains(error?.kind),
          "\(error.map { "\($0)" } ?? "")"
        )
      }
    }

    /// What the peer sent before it closed is judged by the parser, and not lost.
    @Test func aLineThatIsCutOffIsAnError() async throws {
      let line = latin1("HTTP/1.1 200 OK\r\nX-Name: é")
      try await withPeer(closing(line)) { _, client in
        let error = await exchangeError { try await client.value(for: .get(""), as: .data) }
        #expect(error?.kind == .connectionReset, "\(error.map { "\($0)" } ?? "")")
      }
    }

    /// What comes where no body is allowed stands on an idle connection: the next request has another one.
    @Test func contentAfterAHeadResponseIsNotReadAsAHead() async throws {
      let content = latin1(#"{"name":"é"}"#)
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\r\n".utf8) + content
      try await withPeer(holding(answer)) { peer, client in
        let first = try await client.send(Request(.head, ""))
        #expect(first.status == .ok)
        #expect(try await peer.wait { $0.first?.end != nil })
        #expect(peer.connections.count == 1)
      }
    }

    /// A response that nobody asked for, with an octet beyond ASCII in its head, comes in one piece with one that somebody
    /// asked for, while others wait for the connection.
    @Test func dropsASecondResponse() async throws {
      let good = latin1("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
      let evil = latin1("HTTP/1.1 200 OK\r\nX-Name: é\r\nContent-Length: 4\r\n\r\nevil")
      let peer = try WireServer(serve: holding(good + evil))
      defer { peer.stop() }
      var connections = ConnectionOptions()
      connections.connectionsPerOrigin = 1
      let transport = AsyncHTTPClientTransport(connections: connections)
      let client = try Client(bare(transport), base: peer.url)
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<8 { group.addTask { try? await client.get("", as: .text) } }
        for await text in group { #expect(text == nil || text == "good") }
      }
      await client.pipeline.shutdown()
    }
  }
#endif
