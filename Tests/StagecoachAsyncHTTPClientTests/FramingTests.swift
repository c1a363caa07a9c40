#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import Testing

  /// What stands in heads and between chunks, and the engine's parser neither bounds nor reads as RFC 9110 and 9112 say.
  @Suite(.timeLimit(.minutes(2))) struct FramingTests {
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// The text of a response that comes in two parts, cut anywhere.
    private func text(of message: String, cutAt cut: Int) async throws -> String {
      try await withPeer(holding(Array(message.utf8), cutAt: cut)) { _, client in
        try await client.get("", as: .text)
      }
    }

    private func failure(of message: String, then rest: String = "") async throws -> ExchangeError? {
      var error: ExchangeError?
      try await withPeer(holding(message + rest)) { _, client in
        error = await exchangeError { try await client.get("", as: .text) }
      }
      return error
    }

    @Test(arguments: [
      "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length:\t2\t\r\nConnection:\tkeep-alive\t\r\n\r\nok",
      "\r\nHTTP/1.1 200 OK\r\ntransfer-ENCODING: \tchunked\t \r\n\r\n1;a=\"b\"\r\no\r\n001;c\r\nk\r\n0;d\r\nX: y\r\n\r\n",
    ])
    func aMessageCutAnywhereReadsTheSame(message: String) async throws {
      for cut in 1..<message.utf8.count {
        let text = try await text(of: message, cutAt: cut)
        #expect(text == "ok", "cut at \(cut)")
      }
    }

    /// RFC 9110 5.5: a length that is not told is none, and a number that is not digits alone is no length.
    @Test func theLengthIsKnownInSpiteOfBlanks() async throws {
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \t3 \t \r\nX-Blanks:\t a\tb \t\r\n\r\nabc"
      try await withPeer(holding(head)) { _, client in
        let response = try await client.send(.get(""))
        #expect(response.body.length == 3)
        #expect(response.fields[.contentLength] == "3")
        let name = try #require(HTTPField.Name("X-Blanks"))
        #expect(response.fields[name] == "a\tb")
        #expect(try await response.body.collect(upTo: 10) == "abc")
      }
    }

    /// The message says what the parser does not.
    @Test(arguments: [
      (
        "HTTP/1.1 200 OK\r\nX-Long: one\r\n\ttwo\r\nContent-Length: 6\r\n\r\nhello\n",
        "a field on several lines"
      ),
      ("HTTP/1.1 200 OK\nContent-Length: 6\n\nhello\n", "a line that ends with a bare LF"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Length: 6\r\n\r\nhello\n", "Content-Length twice"),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello\n\r\n0\r\n\r\n",
        "Content-Length beside Transfer-Encoding"
      ),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 6\r\n\r\nhello\n",
        "Content-Length beside Transfer-Encoding"
      ),
      ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello\n\r\n0\r\n\r\n", "HTTP/1.0"),
      (chunked + "6 ; a=b\r\nhello\n\r\n0\r\n\r\n", "white space after a chunk size"),
      (chunked + "6   \r\nhello\n\r\n0  \r\n\r\n", "white space after a chunk size"),
      (chunked + "6\nhello\n\n0\n\n", "a chunk size that ends with a bare LF"),
    ])
    func whatTheParserRefusesIsNamed(message: String, defect: String) async throws {
      for cut in [message.utf8.count, 20, 30, 40, 50, 60] where cut <= message.utf8.count {
        var error: ExchangeError?
        try await withPeer(holding(Array(message.utf8), cutAt: cut)) { _, client in
          error = await exchangeError { try await client.get("", as: .text) }
        }
        #expect(error?.kind == .protocolViolation, "cut at \(cut)")
        #expect(error?.message.contains(defect) == true, "cut at \(cut): \(error?.message ?? "")")
        #expect(error?.message.contains("unknown") == false)
      }
    }

    /// Whatever comes while nobody waits ends the connection, and the next request has another one.
    @Test(arguments: ["HTTP/1.1 200 OK\r\nX-Junk: ", "HTTP/1.1 200 OK\r\n", "H", "\r\n", "junk", "\u{e9}"])
    func whatComesLateEndsTheConnection(late: String) async throws {
      let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Self.chunked + "2\r\nok\r\n0\r\n\r\n",
        Self.chunked + "2\r\nok\r\n0\r\nX-Sum: \u{e9}\r\n\r\n",
      ]
      // With the response, and behind it.
      for (answer, pause) in answers.flatMap({ [($0, Duration.zero), ($0, .milliseconds(5))] }) {
        try await withPeer({ wire in
          try wire.readHead()
          try wire.send(answer + (pause == .zero ? late : ""))
          wire.pause(pause)
          if wire.index == 0, pause > .zero { try wire.send(late) }
          try wire.hold()
        }) { peer, client in
          #expect(try await client.get("", as: .text) == "ok")
          #expect(try await peer.wait { $0.first?.end != nil })
          let next: Response
          do {
            next = try await client.send(.get(""))
          } catch let error as ExchangeError where error.kind == .connectionReset {
            // The pool learned of the end after the peer.
            next = try await client.send(.get(""))
          }
          #expect(
            next.fields.map(\.name.canonicalName) == [
              answer.contains("chunked") ? "transfer-encoding" : "content-length"
            ]
          )
          #expect(try await next.body.collect(upTo: 10) == "ok")
          #expect(peer.connections.count == 2)
        }
      }
    }

    @Test func aConnectionThatIsToBeClosedIsNotUsedAgain() async throws {
      let close = "HTTP/1.1 200 OK\r\nConnection: \tclose \t\r\nContent-Length: 2\r\n\r\nok"
      try await withPeer(holding(close)) { peer, client in
        for count in 1...2 {
          let text = try await client.get("", as: .text)
          #expect(text == "ok")
          #expect(peer.connections.count == count)
        }
      }
    }

    @Test(arguments: [0, 1])
    func anExtensionHasALimit(beyond: Int) async throws {
      let long = ";" + String(repeating: "x", count: 1023 + beyond)
      let message = Self.chunked + "2\(long)\r\nok\r\n0\r\n\r\n"
      guard beyond == 0 else {
        let error = try await failure(of: message)
        #expect(error?.kind == .limit(.responseHead), "\(error.map { "\($0)" } ?? "")")
        return
      }
      #expect(try await text(of: message, cutAt: message.utf8.count - 1) == "ok")
    }

    @Test(arguments: [0, 1])
    func allExtensionsHaveALimit(beyond: Int) async throws {
      let chunk = "1;" + String(repeating: "x", count: 1023) + "\r\na\r\n"
      let message = Self.chunked + String(repeating: chunk, count: 16) + "0\(beyond == 0 ? "" : ";")\r\n\r\n"
      guard beyond == 0 else {
        let error = try await failure(of: message)
        #expect(error?.kind == .limit(.responseHead), "\(error.map { "\($0)" } ?? "")")
        return
      }
      let text = try await text(of: message, cutAt: message.utf8.count - 1)
      #expect(text == String(repeating: "a", count: 16))
    }

    /// A body that is not in chunks may look as if it were.
    @Test func whatLooksLikeAnExtensionIsContent() async throws {
      let content = "2;" + String(repeating: "x", count: 4096)
      let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nConnection: close\r\n\r\n"
      try await withPeer(closing(head + content)) { _, client in
        let text = try await client.get("", as: .text)
        #expect(text == content)
      }
    }

    /// The status line counts as a field does.
    @Test(arguments: ["HTTP/1.1 200 ", "", "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 "])
    func aStatusLineHasALimit(start: String) async throws {
      let rest = start.isEmpty ? "\r\n" : "x"
      let error = try await failure(of: start, then: String(repeating: rest, count: 20_000))
      #expect(error?.kind == .limit(.responseHead), "\(error.map { "\($0)" } ?? "")")
      #expect(error?.message.contains("the status line") == true)
    }
  }
#endif
