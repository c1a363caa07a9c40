#if Tool
  import Dispatch
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  /// What `fetch` sends of standard input.
  @Suite(.timeLimit(.minutes(5))) struct StandardInputTests {
    /// Runs `fetch` with a pipe that these bytes are written to, piece by piece.
    private static func fetch(_ arguments: String..., sending pieces: [[UInt8]]) async throws
      -> ToolProcess.Outcome
    {
      let pipe = Pipe()
      let process = try ToolProcess(["fetch"] + arguments, input: pipe.fileHandleForReading)
      let writer = pipe.fileHandleForWriting
      Thread {
        // A tool that does not read ends first, and its pipe with it.
        signal(SIGPIPE, SIG_IGN)
        for piece in pieces { try? writer.write(contentsOf: piece) }
        try? writer.close()
      }.start()
      return try await process.outcome()
    }

    @Test func jsonComesThroughAPipe() async throws {
      let origin = try await Origin.start()
      let pieces = [#"{"z":1.10,"#, #""a":[null]}"#].map { Array($0.utf8) }
      let outcome = try await Self.fetch("\(origin.url)/echo", "--json", "@-", sending: pieces)
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/echo")
      #expect(request["Content-Type"] == "application/json")
      #expect(request["Content-Length"] == "21")
      #expect(request.bodyText == #"{"z":1.10,"a":[null]}"#)
      try await origin.stop()
    }

    @Test func malformedJSONNamesStandardInput() async throws {
      let outcome = try await Self.fetch("http://127.0.0.1:1/", "--json", "@-", sending: [Array("{".utf8)])
      #expect(outcome.status == 4, "\(outcome)")
      #expect(outcome.errors.contains("standard input is not valid JSON"), "\(outcome)")
    }

    @Test func aBodyComesThroughAPipe() async throws {
      let origin = try await Origin.start()
      let pieces = (0..<16).map { piece in (0..<10_000).map { UInt8(($0 + piece) % 251) } }
      let outcome = try await Self.fetch("\(origin.url)/upload", "--body", "@-", sending: pieces)
      #expect(outcome.status == 0, "\(outcome)")
      let request = try await origin.nextRequest(path: "/upload")
      #expect(request.method == "POST")
      #expect(request["Transfer-Encoding"] == "chunked")
      #expect(request.bodyLength == 160_000)
      #expect(request.body == Array(pieces.flatMap { $0 }.prefix(request.body.count)))
      try await origin.stop()
    }

    @Test func partsAndPropertyListsComeThroughAPipe() async throws {
      let origin = try await Origin.start()
      let content = [Array("content".utf8)]
      let part = try await Self.fetch("\(origin.url)/echo", "--part", "a=@-;type=text/csv", sending: content)
      #expect(part.status == 0, "\(part)")
      let form = try await origin.nextRequest(path: "/echo")
      #expect(form["Content-Type"]?.hasPrefix("multipart/form-data") == true)
      #expect(form.bodyText.contains("Content-Type: text/csv\r\n\r\ncontent\r\n"))
      let list = try await Self.fetch("\(origin.url)/echo", "--plist", "@-", sending: content)
      #expect(list.status == 0, "\(list)")
      let request = try await origin.nextRequest(path: "/echo")
      #expect(request["Content-Type"] == "application/x-plist")
      #expect(request.bodyText == "content")
      let twice = try await Self.fetch(origin.url, "--part", "a=@-", "--part", "b=@-", sending: content)
      #expect(twice.status == 2 && twice.errors.contains("only one --part"), "\(twice)")
      try await origin.stop()
    }

    @Test func aBodyIsSentWhileThePipeIsOpen() async throws {
      let (arrived, rest) = (DispatchSemaphore(value: 0), Array("second".utf8))
      let server = try WireServer { wire in
        try wire.readHead()
        let first = String(decoding: try wire.read(10), as: UTF8.self)
        arrived.signal()
        let second = String(decoding: try wire.read(11), as: UTF8.self)
        #expect([first, second] == ["5\r\nfirst\r\n", "6\r\nsecond\r\n"])
        try wire.send("HTTP/1.1 204 No Content\r\n\r\n")
        try wire.hold()
      }
      defer { server.stop() }
      let pipe = Pipe()
      let process = try ToolProcess(
        ["fetch", server.url, "--body", "@-"],
        input: pipe.fileHandleForReading
      )
      let writer = pipe.fileHandleForWriting
      Thread {
        try? writer.write(contentsOf: Array("first".utf8))
        // A tool that reads to the end before it sends would wait for the rest, which waits for it.
        arrived.wait()
        try? writer.write(contentsOf: rest)
        try? writer.close()
      }.start()
      let outcome = try await process.outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test func aTimeoutEndsTheWaitForAPipe() async throws {
      let server = try WireServer { try $0.hold() }
      defer { server.stop() }
      let pipe = Pipe()
      let outcome = try await ToolProcess(
        ["fetch", server.url, "--body", "@-", "--timeout", "0.3"],
        input: pipe.fileHandleForReading
      ).outcome()
      #expect(outcome.status == 3 && outcome.errors.contains("raise --timeout"), "\(outcome)")
      try pipe.fileHandleForWriting.close()
    }
  }
#endif
