import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LineTextTests {
  @Test(
    arguments: [
      ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\n", ["a", ""]), ("a\nb", ["a", "b"]),
      ("a\r\nb\rc\nd", ["a", "b", "c", "d"]), ("\r\n\r\n", ["", ""]), ("\r\r\n\n", ["", "", ""]),
      ("\u{FEFF}ä\n\u{FEFF}b", ["ä", "\u{FEFF}b"]), ("\u{FEFF}", []), ("\u{FEFF}\n", [""]),
      ("日本\r\n🚂 steam\u{85}\u{2028}x", ["日本", "🚂 steam\u{85}\u{2028}x"]),
      ("exactly8\nand more than sixteen bytes\r\nx", ["exactly8", "and more than sixteen bytes", "x"]),
    ] as [(String, [String])]
  )
  func linesAreTheSameUnderAnyChunking(text: String, lines: [String]) async throws {
    for chunks in chunkings(of: Array(text.utf8)) {
      let read = try await all(LinesResponseSerializer().serialize(.streamed(chunks)))
      #expect(read.map { Array($0.utf8) } == lines.map { Array($0.utf8) }, "\(chunks.map(\.count))")
    }
  }

  /// One pull brings the lines of one chunk; no more is asked for before they are read.
  @Test func theReaderSetsThePace() async throws {
    let source = ScriptedSource(chunks: ["a\nb\n", "c\n"])
    let lines = try await LinesResponseSerializer().serialize(
      Response(.ok, body: Response.Body(source: source))
    )
    #expect(source.pulls == 0)
    var iterator = lines.makeAsyncIterator()
    #expect(try await iterator.next() == "a")
    #expect(try await iterator.next() == "b")
    #expect(source.pulls == 1)
    #expect(try await iterator.next() == "c")
    #expect(source.pulls == 2)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
    #expect(source.pulls == 3)
    #expect(source.cancels == 0)
  }

  @Test func leavingTheLoopCancelsTheTransfer() async throws {
    let source = ScriptedSource([.chunk("a\nb\n"), .wait])
    let lines = try await LinesResponseSerializer().serialize(
      Response(.ok, body: Response.Body(source: source))
    )
    for try await line in lines {
      #expect(line == "a")
      break
    }
    #expect(source.cancels == 1)
    #expect(source.pulls == 1)
    // The sequence is still there: it was the iterator that held on to the transfer.
    await #expect(throws: (any Error).self) { _ = try await all(lines) }
  }

  @Test func droppingAnUnreadSequenceCancelsTheTransfer() async throws {
    let source = ScriptedSource([.chunk("a"), .wait])
    let client = try Client(
      over: HandlerTransport(recordLimit: 0) { _ in Response(.ok, body: Response.Body(source: source)) }
    )
    _ = try await client.value(for: .get("http://h/"), as: .lines)
    #expect(source.cancels == 1)
    #expect(source.pulls == 0)
  }

  @Test func aSecondReaderIsRefusedAndDoesNotDisturbTheFirst() async throws {
    let client = try Client(
      over: HandlerTransport { _ in .streamed(["a\n", "b\n"], type: "text/plain") }
    )
    let lines = try await client.value(for: .get("http://h/"), as: .lines)
    var first = lines.makeAsyncIterator()
    #expect(try await first.next() == "a")
    let error = try await #require(throws: ExchangeError.self) { _ = try await all(lines) }
    #expect(error.kind == .bodyAlreadyRead)
    #expect(try await first.next() == "b")
    #expect(try await first.next() == nil)
  }

  @Test func cancellingTheTaskEndsAWaitingRead() async throws {
    let started = Signal()
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      started.set()
      try await sleepUntilCancelled()
      return nil
    })
    let client = try Client(over: HandlerTransport { _ in Response(.ok, body: Response.Body(stream)) })
    let task = Task { try await all(client.value(for: .get("http://h/"), as: .lines)) }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func cancellationIsSeenBetweenTwoLinesOfAChunk() async throws {
    let task = Task {
      var iterator = try await LinesResponseSerializer().serialize(Response(.ok, body: .bytes("a\nb\n")))
        .makeAsyncIterator()
      #expect(try await iterator.next() == "a")
      withUnsafeCurrentTask { $0?.cancel() }
      return try await iterator.next()
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func aFailureOfTheBodyComesBehindTheLinesBeforeIt() async throws {
    let source = ScriptedSource([.chunk("a\nb"), .fail(Foreign())])
    let client = try Client(
      over: HandlerTransport(recordLimit: 0) { _ in Response(.ok, body: Response.Body(source: source)) }
    )
    var iterator = try await client.value(for: .get("http://h/"), as: .lines).makeAsyncIterator()
    #expect(try await iterator.next() == "a")
    let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
    #expect(error.stage == "HandlerTransport")
    #expect(error.underlying is Foreign)
    #expect(try await iterator.next() == nil)
  }

  @Test(arguments: [1, 3, 10])
  func aLineOfTheLimitIsReadAndOneOfMoreIsNot(limit: Int) async throws {
    let request = Request.get("http://h/").with(\.elementLimit, limit)
    let text = String(repeating: "x", count: limit) + "\r\n" + String(repeating: "y", count: limit + 1)
    for ending in ["", "\n"] {
      for chunks in chunkings(of: Array((text + ending).utf8)) {
        let client = try Client(over: HandlerTransport { _ in .streamed(chunks, type: "text/plain") })
        var iterator = try await client.value(for: request, as: .lines).makeAsyncIterator()
        #expect(try await iterator.next()?.utf8.count == limit)
        let error = try await #require(throws: ExchangeError.self) { _ = try await iterator.next() }
        #expect(error.kind == .limit(.structure))
        #expect(error.limit?.option == "elementLimit")
        #expect(error.stage == "LinesResponseSerializer")
        let element = try #require(error.underlying as? ElementError)
        #expect(element.index == 1)
        #expect(element.offset == Int64(limit + 2))
        #expect(element.start == Bytes(String(repeating: "y", count: limit)))
        #expect(try await iterator.next() == nil)
      }
    }
  }

  @Test func anEndlessLineIsReadToTheLimitOnly() async throws {
    let pulls = Counter()
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok, body: endless("0123456789", pulls: pulls)) }
    )
    let lines = try await client.value(for: .get("http://h/").with(\.elementLimit, 95), as: .lines)
    let error = try await #require(throws: ExchangeError.self) { _ = try await all(lines) }
    #expect(error.kind == .limit(.structure))
    #expect(pulls.value == 10)
  }

  @Test func theErrorEndsTheExchange() async throws {
    let recorder = EventRecorder()
    let source = ScriptedSource([.chunk(Bytes([0x61, 0x0A, 0xFF, 0x0A])), .wait])
    let client = try Client(
      over: HandlerTransport(recordLimit: 0) { _ in Response(.ok, body: Response.Body(source: source)) },
      configuration: .init(monitors: [recorder])
    )
    let lines = try await client.value(for: .get("http://h/"), as: .lines)
    let error = try await #require(throws: ExchangeError.self) { _ = try await all(lines) }
    #expect(error.kind == .serialization)
    #expect(error.request?.path == "/")
    #expect(error.response?.status == .ok)
    #expect(source.cancels == 1)
    #expect(recorder.words.last == "exchangeFailed(serialization)")
    #expect(recorder.words.contains("serializationFailed(LinesResponseSerializer, serialization)"))
  }
}
