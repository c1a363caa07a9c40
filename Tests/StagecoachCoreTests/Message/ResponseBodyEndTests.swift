import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResponseBodyEndTests {
  private static func observed(_ body: Response.Body, _ ends: Log<String>) -> Response.Body {
    var body = body
    body.onEnd { ends.add($0.word) }
    return body
  }

  enum Ending: CaseIterable {
    case read, collected, discarded, failed, taskCancelled, beyondTheLimit, cancelled, dropped,
      droppedHalfRead,
      discardedTooLarge

    var word: String {
      switch self {
      case .read, .collected, .discarded: "finished"
      case .failed: "failed(foreign)"
      case .taskCancelled: "failed(CancellationError())"
      case .beyondTheLimit: "failed(limit.body)"
      case .cancelled, .dropped, .droppedHalfRead, .discardedTooLarge: "dropped"
      }
    }
  }

  @Test(arguments: Ending.allCases)
  func theEndIsReportedOnceHoweverItCame(ending: Ending) async throws {
    let ends = Log<String>()
    let steps: [ScriptedSource.Step] =
      switch ending {
      case .failed: [.chunk("abc"), .fail(Foreign())]
      case .taskCancelled: [.chunk("abc"), .fail(CancellationError())]
      default: [.chunk("abc"), .chunk("def")]
      }
    do {
      let body = Self.observed(Response.Body(source: ScriptedSource(steps)), ends)
      #expect(ends.all == [])
      switch ending {
      case .read, .failed, .taskCancelled: _ = try? await read(body)
      case .collected: _ = try await body.collect(upTo: 6)
      case .discarded: #expect(await body.discard())
      case .beyondTheLimit: _ = try? await body.collect(upTo: 5)
      case .cancelled: body.cancel()
      case .dropped: break
      case .droppedHalfRead:
        var iterator = body.makeAsyncIterator()
        _ = try await iterator.next()
      case .discardedTooLarge: #expect(await body.discard(upTo: 5) == false)
      }
      // Whatever comes after the end is no second end.
      if ending != .dropped, ending != .droppedHalfRead {
        #expect(ends.all == [ending.word])
        _ = try? await read(body)
        body.cancel()
        _ = await body.discard()
      }
    }
    #expect(ends.all == [ending.word])
  }

  @Test(arguments: Ending.allCases)
  func aLateObserverGetsTheRealEnd(ending: Ending) async throws {
    guard ending != .dropped, ending != .droppedHalfRead else { return }
    let steps: [ScriptedSource.Step] =
      switch ending {
      case .failed: [.fail(Foreign())]
      case .taskCancelled: [.fail(CancellationError())]
      default: [.chunk("abc"), .chunk("def")]
      }
    var body = Response.Body(source: ScriptedSource(steps))
    switch ending {
    case .discarded: await body.discard()
    case .beyondTheLimit: _ = try? await body.collect(upTo: 5)
    case .cancelled: body.cancel()
    case .discardedTooLarge: await body.discard(upTo: 5)
    default: _ = try? await read(body)
    }
    let ends = Log<String>()
    body.onEnd { ends.add($0.word) }
    #expect(ends.all == [ending.word])
  }

  @Test func everyObserverGetsTheEnd() async throws {
    let ends = Log<String>()
    let first = Self.observed(Self.observed(Response.Body(source: ScriptedSource(chunks: ["a"])), ends), ends)
    _ = try await read(first)
    #expect(ends.all == ["finished", "finished"])
  }

  @Test func contentInMemoryEndsWhenItWasRead() async throws {
    let ends = Log<String>()
    let body = Self.observed(.bytes("abc"), ends)
    #expect(ends.all == [])
    #expect(body.length == 3)
    #expect(try await read(body) == ["abc"])
    #expect(ends.all == ["finished"])

    do { _ = Self.observed(.bytes("abc"), ends) }
    #expect(ends.all == ["finished", "dropped"])

    Self.observed(.bytes("abc"), ends).cancel()
    #expect(ends.all == ["finished", "dropped", "dropped"])
  }

  @Test func anEmptyBodyEndsImmediately() {
    let ends = Log<String>()
    _ = Self.observed(.empty, ends)
    #expect(ends.all == ["finished"])
  }
}
