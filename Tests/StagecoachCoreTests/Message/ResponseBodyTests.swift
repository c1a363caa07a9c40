import HTTPTypes
import Stagecoach
import TestSupport
import Testing

extension BodyEnd {
  /// The end as a word, for tests to compare.
  var word: String {
    switch self {
    case .finished: "finished"
    case .failed(let error as ExchangeError): "failed(\(error.kind))"
    case .failed(let error): "failed(\(error))"
    case .dropped: "dropped"
    @unknown default: "unknown"
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct ResponseBodyTests {
  @Test(arguments: [[], [EventRecorder()]] as [[any EventMonitor]])
  func whatAClientReturnsIsReadOnceWhereverItCameFrom(monitors: [any EventMonitor]) async throws {
    let transport = HandlerTransport { _ in Response(.ok, body: .bytes("abc")) }
    let client = try Client(over: transport, configuration: .init(monitors: monitors))
    let response = try await client.send(.get("http://h/"))
    #expect(try await response.body.collect(upTo: 10) == "abc")
    let error = await #expect(throws: ExchangeError.self) { try await response.body.collect(upTo: 10) }
    #expect(error?.kind == .bodyAlreadyRead)
    #expect(error?.stage.isEmpty == false)
  }

  static let bodies: [(Response.Body, [Bytes], Int64?)] = [
    (.empty, [], 0),
    (.bytes(""), [], 0),
    (.bytes("abc"), ["abc"], 3),
    (Response.Body(source: ScriptedSource([])), [], nil),
    (Response.Body(source: ScriptedSource(chunks: ["ab", "c"]), length: 3), ["ab", "c"], 3),
    (Response.Body(chunks(["ab", "", "c"])), ["ab", "c"], nil),
    (Response.Body(chunks(["ab"]), length: 2), ["ab"], 2),
  ]

  @Test(arguments: bodies)
  func givesItsChunksAndLength(body: Response.Body, content: [Bytes], length: Int64?) async throws {
    #expect(body.length == length)
    #expect(try await read(body) == content)
    #expect(body.trailers == nil)
  }

  @Test func isPulledOnlyAsFarAsItIsRead() async throws {
    let source = ScriptedSource(chunks: ["a", "b", "c"])
    var iterator = Response.Body(source: source).makeAsyncIterator()
    #expect(source.pulls == 0)
    for pull in 1...3 {
      _ = try await iterator.next()
      #expect(source.pulls == pull)
    }
  }

  @Test func isReadOnce() async throws {
    let body = Response.Body(source: ScriptedSource(chunks: ["a"]))
    #expect(try await read(body) == ["a"])
    let again = try await #require(throws: ExchangeError.self) { _ = try await read(body) }
    #expect(again.kind == .bodyAlreadyRead)
    let collected = try await #require(throws: ExchangeError.self) { _ = try await body.collect(upTo: 9) }
    #expect(collected.kind == .bodyAlreadyRead)
  }

  @Test func aSecondReaderIsRefusedWhileTheFirstGoesOn() async throws {
    let body = Response.Body(source: ScriptedSource(chunks: ["a", "b"]))
    var first = body.makeAsyncIterator()
    var second = body.makeAsyncIterator()
    #expect(try await first.next() == "a")
    await #expect(throws: ExchangeError.self) { _ = try await second.next() }
    #expect(try await first.next() == "b")
    #expect(try await first.next() == nil)
  }

  @Test func theEndIsReportedAgainWithoutAskingTheSource() async throws {
    let source = ScriptedSource([.chunk("a")])
    var iterator = Response.Body(source: source).makeAsyncIterator()
    #expect(try await iterator.next() == "a")
    for _ in 1...3 { #expect(try await iterator.next() == nil) }
    #expect(source.pulls == 2)
    #expect(source.cancels == 0)
  }

  @Test func aFailureIsThrownAgain() async throws {
    let source = ScriptedSource([.chunk("a"), .fail(Foreign()), .chunk("never")])
    var iterator = Response.Body(source: source).makeAsyncIterator()
    #expect(try await iterator.next() == "a")
    for _ in 1...3 { await #expect(throws: Foreign()) { _ = try await iterator.next() } }
    #expect(source.pulls == 2)
    #expect(source.cancels == 1)
  }

  @Test func trailersAreThereOnceTheBodyWasReadToItsEnd() async throws {
    let trailers: HTTPFields = [HTTPField.Name("X-Sum")!: "7"]
    for body in [
      Response.Body(source: ScriptedSource(chunks: ["a"], trailers: trailers)),
      Response.Body(chunks(["a"]), trailers: { trailers }),
    ] {
      var iterator = body.makeAsyncIterator()
      #expect(body.trailers == nil)
      _ = try await iterator.next()
      #expect(body.trailers == nil)
      _ = try await iterator.next()
      #expect(body.trailers == trailers)
    }
  }

  @Test func aBodyThatDidNotReachItsEndHasNoTrailers() async throws {
    let trailers: HTTPFields = [HTTPField.Name("X-Sum")!: "7"]
    let failed = Response.Body(source: ScriptedSource([.fail(Foreign())], trailers: trailers))
    await #expect(throws: Foreign()) { _ = try await read(failed) }
    #expect(failed.trailers == nil)
    let cancelled = Response.Body(source: ScriptedSource(chunks: ["a"], trailers: trailers))
    cancelled.cancel()
    #expect(cancelled.trailers == nil)
  }

  @Test func cancelWakesAReadThatWaits() async throws {
    let source = ScriptedSource([.chunk("a"), .wait])
    let body = Response.Body(source: source)
    let reader = Task { try await read(body) }
    await source.pulled(2)
    body.cancel()
    let error = try await #require(throws: ExchangeError.self) { _ = try await reader.value }
    #expect(error.kind == .bodyCancelled)
    #expect(source.cancels == 1)
  }

  @Test func aCancelledBodyCannotBeRead() async throws {
    let source = ScriptedSource(chunks: ["a"])
    let body = Response.Body(source: source)
    body.cancel()
    body.cancel()
    let error = try await #require(throws: ExchangeError.self) { _ = try await read(body) }
    #expect(error.kind == .bodyCancelled)
    #expect(source.pulls == 0)
    #expect(source.cancels == 1)
  }

  @Test func cancelAfterTheEndChangesNothing() async throws {
    let source = ScriptedSource(chunks: ["a"])
    let body = Response.Body(source: source)
    var iterator = body.makeAsyncIterator()
    while try await iterator.next() != nil {}
    body.cancel()
    #expect(try await iterator.next() == nil)
    #expect(source.cancels == 0)
  }

  @Test func droppingAnUnreadBodyCancelsItsSource() async throws {
    let source = ScriptedSource(chunks: ["a", "b"])
    do {
      let body = Response.Body(source: source)
      let copy = body
      _ = consume body
      #expect(source.cancels == 0)
      _ = consume copy
    }
    #expect(source.cancels == 1)
  }

  @Test func anIteratorKeepsItsBodyAndDroppingItCancels() async throws {
    let source = ScriptedSource(chunks: ["a", "b"])
    do {
      var iterator = Response.Body(source: source).makeAsyncIterator()
      #expect(try await iterator.next() == "a")
      #expect(source.cancels == 0)
    }
    #expect(source.cancels == 1)
  }

  @Test func theTransferIsFreedWithTheBody() async throws {
    let freed = Counter()
    do {
      let body = Response.Body(source: ScriptedSource([.chunk("a")], onDeinit: { freed.add() }))
      _ = try await read(body)
      #expect(freed.value == 0)
    }
    #expect(freed.value == 1)
  }

  @Test func fiveHundredTasksReadFiveHundredBodies() async throws {
    let ends = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<500 {
        group.addTask {
          let list = (0..<20).map { Bytes("\(task):\($0);") }
          var body =
            task.isMultiple(of: 2)
            ? Response.Body(source: ScriptedSource(chunks: list)) : Response.Body(chunks(list))
          body.onEnd { _ in ends.add() }
          switch task % 5 {
          case 0: body.cancel()
          case 1: #expect(await body.discard(within: .seconds(60)))
          default:
            let bytes = try await body.collect(upTo: 1000)
            #expect(bytes == Bytes(list.flatMap(\.array)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(ends.value == 500)
  }

  @Test func oneReaderAtATimeAsksTheSource() async throws {
    let source = ScriptedSource([.wait])
    let body = Response.Body(source: source)
    let iterator = body.makeAsyncIterator()
    let first = Task {
      var iterator = iterator
      return try await iterator.next()
    }
    await source.pulled(1)
    var second = iterator
    let error = await #expect(throws: ExchangeError.self) { _ = try await second.next() }
    #expect(error?.kind == .bodyAlreadyRead)
    #expect(source.pulls == 1)
    body.cancel()
    await #expect(throws: ExchangeError.self) { _ = try await first.value }
  }
}
