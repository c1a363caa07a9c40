import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServerSentEventParserTests {
  private typealias Event = ServerSentEvent

  private static func events(_ chunks: [Bytes]) async throws -> [ServerSentEvent] {
    try await all(ServerSentEventResponseSerializer().serialize(.streamed(chunks)))
  }

  /// Streams with LF as the line end, and their events.
  private static let streams: [(String, [ServerSentEvent])] = [
    // The examples of WHATWG HTML 9.2.1 and 9.2.6.
    (
      "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
        + "data: This is the third message.\n\n",
      [
        Event(data: "This is the first message."),
        Event(data: "This is the second message, it\nhas two lines."),
        Event(data: "This is the third message."),
      ]
    ),
    (
      "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
      [
        Event(type: "add", data: "73857293"), Event(type: "remove", data: "2153"),
        Event(type: "add", data: "113411"),
      ]
    ),
    ("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [Event(data: "first event", id: "1"), Event(data: "second event"), Event(data: " third event")]
    ),
    // The same without the empty line that an event needs at the end of the stream too.
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
      [Event(data: "first event", id: "1"), Event(data: "second event")]
    ),
    // The third block is not followed by an empty line.
    ("data\n\ndata\ndata\n\ndata:", [Event(data: ""), Event(data: "\n")]),
    ("data\n\ndata\ndata\n\ndata:\n\n", [Event(data: ""), Event(data: "\n"), Event(data: "")]),
    ("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
    // Byte order mark: one, at the start.
    ("\u{FEFF}data: 1\n\n", [Event(data: "1")]),
    ("\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", [Event(data: "2")]),
    ("\u{FEFF}\ndata: 1\n\n", [Event(data: "1")]),
    ("data:1\n\n\u{FEFF}data:2\n\ndata:\u{FEFF}3\n\n", [Event(data: "1"), Event(data: "\u{FEFF}3")]),
    // Nothing without data, and no type left over from it.
    ("event: a\n\ndata: 1\n\n", [Event(data: "1")]),
    ("event: a\nevent\ndata: 1\n\n", [Event(data: "1")]),
    ("event: a\ndata: 1\n\ndata: 2\n\n", [Event(type: "a", data: "1"), Event(data: "2")]),
    (":\n:data: 1\n\n\n\n", []), ("", []), ("\n\n\n", []),
    // IDs stay until another one comes, also when their block has no data; NUL makes one void.
    ("id: 1\ndata: a\n\ndata: b\n\n", [Event(data: "a", id: "1"), Event(data: "b", id: "1")]),
    ("id: 7\n\ndata: a\n\n", [Event(data: "a", id: "7")]),
    ("id: 1\nid: 2\u{0}3\ndata: a\n\n", [Event(data: "a", id: "1")]),
    ("id: \u{0}\ndata: a\n\n", [Event(data: "a")]),
    (
      "id: 1\ndata: a\n\nid:\ndata: b\n\ndata: c\n\n",
      [Event(data: "a", id: "1"), Event(data: "b"), Event(data: "c")]
    ),
    // The time to reconnect: digits and nothing else.
    (
      "retry: 250\ndata: a\n\nretry: 1s\ndata: b\n\nretry:0\ndata: c\n\n",
      [
        Event(data: "a", retry: .milliseconds(250)), Event(data: "b", retry: .milliseconds(250)),
        Event(data: "c", retry: .zero),
      ]
    ),
    (
      "retry: +1\nretry: -1\nretry:\nretry\nretry: ١\nretry:  5\ndata: a\n\nretry: 99999999999999999999\ndata: b\n\n",
      [Event(data: "a"), Event(data: "b", retry: .milliseconds(Int64.max))]
    ),
    // Fields nobody knows, in another case, or with a name that only starts like one.
    (
      "Data: 1\ndatas: 2\nDATA:3\n data: 4\nfoo\ndata : 5\ni: 6\nevents: x\nids: y\nretrys: 1\nunknownname: z\n\n",
      []
    ),
    (
      "data:\u{0}\n data:2\nData:1\ndata\u{0}:2\ndata:1\n\u{0}data:4\nda-ta:3\ndata_5\ndata:3\ndata:\n data:32\n"
        + "data:4\n\n",
      [Event(data: "\u{0}\n1\n3\n\n4")]
    ),
    // Colons and spaces of the value.
    ("data:: 1:\ndata:  2 \ndata:\t3\n\n", [Event(data: ": 1:\n 2 \n\t3")]),
    ("event:  a b \ndata: 1\n\n", [Event(type: " a b ", data: "1")]),
    ("data: ä日🚂\nevent: ö\nid: ü\n\n", [Event(type: "ö", data: "ä日🚂", id: "ü")]),
    ("data: \u{0}\u{85}\u{2028}\n\n", [Event(data: "\u{0}\u{85}\u{2028}")]),
    // Cut off: no event, whatever is missing.
    ("data: 1\n", []), ("data: 1", []), ("data: 1\n\nid: 9\nevent: e\ndata: 2\n", [Event(data: "1")]),
  ]

  @Test(arguments: 0..<streams.count)
  func eventsAreTheSameUnderAnyLineEndAndChunking(stream: Int) async throws {
    let (text, events) = Self.streams[stream]
    for end in ["\n", "\r", "\r\n"] {
      let bytes = text.utf8.flatMap { $0 == UInt8(ascii: "\n") ? Array(end.utf8) : [$0] }
      for chunks in chunkings(of: bytes) {
        let read = try await Self.events(chunks)
        #expect(read == events, "line end \(Array(end.utf8)), chunks of \(chunks.map(\.count))")
        #expect(read.map { Array($0.data.utf8) } == events.map { Array($0.data.utf8) })
      }
    }
  }

  @Test func lineEndsMayBeMixed() async throws {
    let text = "data: 1\rdata: 2\r\ndata: 3\n\rdata: 4\n\r\ndata: 5\r\n\n"
    for chunks in chunkings(of: Array(text.utf8)) {
      #expect(try await Self.events(chunks).map(\.data) == ["1\n2\n3", "4", "5"])
    }
  }

  @Test func illFormedUTF8IsReplaced() async throws {
    let bytes = Array("data: ".utf8) + [0x61, 0xFF, 0xE6, 0x97, 0x0A, 0x0A, 0xFF, 0x3A, 0x0A, 0x0A]
    for chunks in chunkings(of: bytes) {
      #expect(try await Self.events(chunks).map(\.data) == ["a\u{FFFD}\u{FFFD}"])
    }
  }

  /// An event is there as soon as its last byte is, be that a CR which a LF may follow.
  @Test(arguments: ["data: 1\n\n", "data: 1\r\r", "data: 1\r\n\r"])
  func anEventDoesNotWaitForTheNextByte(text: String) async throws {
    let source = ScriptedSource([.chunk(Bytes(text)), .wait])
    let response = Response(.ok, body: Response.Body(source: source))
    var iterator = try await ServerSentEventResponseSerializer().serialize(response).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "1")
    #expect(source.pulls == 1)
  }

  @Test func leavingTheLoopCancelsTheTransfer() async throws {
    let source = ScriptedSource([.chunk("data: 1\n\ndata: 2\n\n"), .wait])
    let events = try await ServerSentEventResponseSerializer().serialize(
      Response(.ok, body: Response.Body(source: source))
    )
    for try await event in events {
      #expect(event.data == "1")
      break
    }
    #expect(source.cancels == 1)
    withExtendedLifetime(events) {}
  }

  private static func read(limit: Int, _ body: @escaping @Sendable () -> Response.Body) async throws
    -> [Event]
  {
    let client = try Client(
      over: HandlerTransport { _ in
        Response(.ok, fields: [.contentType: "text/event-stream"], body: body())
      }
    )
    let request = Request.get("http://h/").with(\.elementLimit, limit)
    return try await all(client.value(for: request, as: .serverSentEvents))
  }

  @Test(arguments: ["a", "data: 12345678\n", ": 1\ndata:\n", "data:\n"])
  func anEndlessEventIsReadToTheLimitOnly(chunk: String) async throws {
    let pulls = Counter()
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.read(limit: 100) { endless(Bytes(chunk), pulls: pulls) }
    }
    #expect(error.kind == .limit(.structure))
    #expect(error.limit?.option == "elementLimit")
    #expect((error.underlying as? ElementError)?.index == 0)
    #expect(pulls.value <= 102)
  }

  @Test(arguments: ["data:67890", ":234567890", "unknown890"])
  func aLineOfTheLimitIsReadAndOneOfMoreIsNot(line: String) async throws {
    for (line, isFine) in [(line, true), (line + "1", false)] {
      for chunks in chunkings(of: Array("data:\n\n\(line)\n\n".utf8)) {
        let body = { @Sendable in Response.Body(source: ScriptedSource(chunks: chunks)) }
        if isFine {
          _ = try await Self.read(limit: 10, body)
        } else {
          let error = try await #require(throws: ExchangeError.self) {
            _ = try await Self.read(limit: 10, body)
          }
          let element = try #require(error.underlying as? ElementError)
          #expect(element.offset == 7)
          #expect(element.index == 1)
        }
      }
    }
  }

  @Test func theDataOfManyLinesHasTheLimitToo() async throws {
    let lines = String(repeating: "data:1234\n", count: 4)
    // Four lines of four bytes and three LF between them.
    let text = Bytes("data:\n\n" + lines + "\n")
    #expect(try await Self.read(limit: 19) { .bytes(text) }.map(\.data.utf8.count) == [0, 19])
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.read(limit: 18) { .bytes(text) }
    }
    let element = try #require(error.underlying as? ElementError)
    #expect(element.index == 1)
    #expect(element.offset == 7)
    #expect(element.start == "1234\n1234\n1234\n1234")
  }

  @Test func commentsWithoutEndTakeNoMemory() async throws {
    let chunks = [Bytes](repeating: ": 34567\n", count: 1000) + ["data: 1\n\n"]
    let source = ScriptedSource(chunks: chunks)
    #expect(try await Self.read(limit: 10) { Response.Body(source: source) } == [Event(data: "1")])
  }

  @Test func asksForTheTypeAndRefusesAnother() async throws {
    let transport = HandlerTransport { request in
      .streamed(
        ["data: 1\n\n"],
        type: request.head.path == "/html" ? "text/html" : "text/event-stream;charset=utf-8"
      )
    }
    let client = try Client(over: transport)
    #expect(try await all(client.get("http://h/", as: .serverSentEvents)) == [Event(data: "1")])
    #expect(transport.requests.first?.fields[.accept] == "text/event-stream")
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.get("http://h/html", as: .serverSentEvents)
    }
    #expect(error.kind == .mediaType)
  }
}
