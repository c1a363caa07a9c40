#if Tool && os(Linux)
  import Dispatch
  import Foundation
  import StagecoachConformance
  import Testing

  /// How many calls of the system lines cost, and when they show.
  @Suite(.timeLimit(.minutes(3))) struct LineBufferTests {
    struct Form: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var mediaType: String
      var arguments: [String]
      var start = ""
      var element: String
      var end = ""
      var line: String
    }

    static let forms = [
      Form(
        testDescription: "records",
        mediaType: "text/xml",
        arguments: ["--records", "l/i"],
        start: "<l>",
        element: "<i>a</i>",
        end: "</l>",
        line: "\"a\"\n"
      ),
      Form(
        testDescription: "ndjson",
        mediaType: "application/x-ndjson",
        arguments: ["--as", "ndjson"],
        element: "1\n",
        line: "1\n"
      ),
      Form(
        testDescription: "sse",
        mediaType: "text/event-stream",
        arguments: ["--as", "sse"],
        element: "data: a\n\n",
        line: #"{"type":"message","data":"a"}"# + "\n"
      ),
    ]

    private static let nodes = Form(
      testDescription: "nodes",
      mediaType: "text/xml",
      arguments: ["--xpath", "//i"],
      start: "<l>",
      element: "<i>a</i>",
      end: "</l>",
      line: "a\n"
    )

    private func head(_ form: Form) -> String {
      "HTTP/1.1 200 OK\r\nContent-Type: \(form.mediaType)\r\nConnection: close\r\n\r\n"
    }

    @Test(arguments: forms + [nodes])
    func manyLinesAreFewWrites(form: Form) async throws {
      let count = 2_000
      let body = form.start + String(repeating: form.element, count: count) + form.end
      let origin = try WireServer(answering: head(form) + body, closes: true)
      defer { origin.stop() }
      let counter = try WriteCounter()
      let tool = try ToolProcess(["fetch", "\(origin.url)/"] + form.arguments, output: counter.writer)
      let writes = await counter.writes.reduce(into: []) { $0.append($1) }
      let outcome = try await tool.outcome()
      #expect(outcome.status == 0, "\(outcome)")
      let text = String(decoding: Data(writes.joined()), as: UTF8.self)
      #expect(text == String(repeating: form.line, count: count))
      // One for each chunk in which the body came, and of those there are few.
      #expect(writes.count < count / 10)
    }

    @Test func aReaderThatGoesAwayEndsWithStatus0() async throws {
      let body = String(repeating: "\"\(String(repeating: "a", count: 100))\"\n", count: 20_000)
      let origin = try WireServer(answering: head(Self.forms[1]) + body, closes: true)
      defer { origin.stop() }
      let errors = try await ToolProcess.runWithoutReader("fetch '\(origin.url)/' --as ndjson")
      #expect(errors == "status 0\n")
    }

    @Test(arguments: forms)
    func aLineShowsBeforeTheNextOneComes(form: Form) async throws {
      let gate = DispatchSemaphore(value: 0)
      let start = head(form) + form.start + form.element
      let origin = try WireServer { wire in
        try wire.readHead()
        try wire.send(start)
        gate.wait()
        try wire.send(form.element)
        gate.wait()
        try wire.send(form.end)
      }
      defer { origin.stop() }
      let counter = try WriteCounter()
      let tool = try ToolProcess(["fetch", "\(origin.url)/"] + form.arguments, output: counter.writer)
      var writes = counter.writes.makeAsyncIterator()
      // What stayed in a buffer would never come: the server waits for it.
      for _ in 0..<2 {
        #expect(await writes.next() == Data(form.line.utf8))
        gate.signal()
      }
      #expect(await writes.next() == nil)
      let outcome = try await tool.outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }
  }
#endif
