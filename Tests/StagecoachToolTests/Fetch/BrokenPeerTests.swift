#if Tool
  import StagecoachConformance
  import Testing

  /// What `fetch` says of peers that refuse, break off, lie or talk nonsense: which stage failed and how. It ends.
  @Suite(.timeLimit(.minutes(3))) struct BrokenPeerTests {
    typealias Script = @Sendable (WireConnection) throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let script: Script
      let kinds: [String]

      init(_ name: String, _ script: @escaping Script, _ kinds: String...) {
        testDescription = name
        self.script = script
        self.kinds = kinds
      }
    }

    /// Sends a text and closes, once the head of the request came.
    private static func closing(_ text: String) -> Script {
      { wire in
        try wire.readHead()
        try wire.send(text)
      }
    }

    static let cases: [Case] = [
      Case("closes without an answer", { _ = try $0.readHead() }, "connectionReset"),
      Case(
        "resets without an answer",
        { wire in
          try wire.readHead()
          wire.reset()
        },
        "connectionReset"
      ),
      Case(
        "closes inside the status line",
        closing("HTTP/1.1 20"),
        "connectionReset",
        "protocolViolation"
      ),
      Case("closes inside the fields", closing("HTTP/1.1 200 OK\r\nContent-Le"), "connectionReset"),
      Case(
        "closes before Content-Length is reached",
        closing("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"),
        "incompleteBody"
      ),
      Case(
        "closes before the last chunk",
        closing("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
        "incompleteBody"
      ),
      Case(
        "sends a bad chunk size",
        closing("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n"),
        "protocolViolation"
      ),
      Case("talks another protocol", closing("SSH-2.0-OpenSSH_9.2\r\n"), "protocolViolation"),
      Case("sends garbage", closing("\u{0}\u{1}\u{2}\u{3}garbage\r\n\r\n"), "protocolViolation"),
      Case(
        "sends a space before a colon",
        closing("HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n"),
        "protocolViolation"
      ),
      Case(
        "sends two different lengths",
        closing("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"),
        "protocolViolation"
      ),
      Case(
        "sends a negative length",
        closing("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc"),
        "protocolViolation"
      ),
      Case(
        "sends a status below 100",
        closing("HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n"),
        "protocolViolation"
      ),
      Case(
        "sends a status of two digits",
        closing("HTTP/1.1 20 No\r\nContent-Length: 0\r\n\r\n"),
        "protocolViolation"
      ),
      Case(
        "sends more fields than the engine reads",
        { wire in
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: a\r\n", count: 300))
          try wire.hold()
        },
        "limit.responseHead"
      ),
    ]

    @Test(arguments: cases)
    func namesStageAndKindOfTheFailure(_ peer: Case) async throws {
      let server = try WireServer(serve: peer.script)
      defer { server.stop() }
      let outcome = try await ToolProcess.run("fetch", server.url, "--as", "data")
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.errors.contains("AsyncHTTPClient: "), "\(outcome)")
      #expect(peer.kinds.contains { outcome.errors.contains("[\($0)]") }, "\(outcome)")
      #expect(outcome.errors.contains("advice: "), "\(outcome)")
    }
  }
#endif
