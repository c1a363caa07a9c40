import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResponseBodyDiscardTests {
  @Test(
    arguments: [
      (["ab", "cd"], 4, true), (["ab", "cd"], 3, false), (["abcd"], 3, false), ([], 0, true),
      (["a"], 0, false),
    ] as [([Bytes], Int, Bool)]
  )
  func readsSmallBodiesAndCancelsLargeOnes(list: [Bytes], limit: Int, isRead: Bool) async {
    let source = ScriptedSource(chunks: list)
    #expect(await Response.Body(source: source).discard(upTo: limit) == isRead)
    #expect(source.cancels == (isRead ? 0 : 1))
  }

  @Test func aDeclaredLengthDecidesWithoutReading() async {
    let source = ScriptedSource(chunks: ["abcd"])
    #expect(await Response.Body(source: source, length: 4).discard(upTo: 3) == false)
    #expect(source.pulls == 0)
    #expect(source.cancels == 1)
  }

  @Test func contentInMemoryNeedsNoReading() async {
    #expect(await Response.Body.empty.discard(upTo: 0))
    #expect(await Response.Body.bytes("abc").discard(upTo: 0))
  }

  @Test func aSlowBodyIsCancelledWhenTheTimeIsUp() async throws {
    let time = ManualTime()
    let source = ScriptedSource([.chunk("a"), .wait])
    let transport = HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    let client = try Client(over: transport, configuration: .init(clock: time))
    let response = try await client.send(.get("http://h/"))
    async let isRead = response.body.discard(within: .milliseconds(100))
    await source.pulled(2)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(99))
    #expect(source.cancels == 0)
    time.advance(by: .milliseconds(1))
    #expect(await isRead == false)
    #expect(source.cancels == 1)
  }

  @Test func theSystemClockServesABodyOfNoExchange() async {
    let source = ScriptedSource([.wait])
    #expect(await Response.Body(source: source).discard(within: .milliseconds(1)) == false)
    #expect(source.cancels == 1)
  }

  @Test func discardingAFailingBodyReturnsFalse() async {
    let source = ScriptedSource([.chunk("a"), .fail(Foreign())])
    #expect(await Response.Body(source: source).discard() == false)
    #expect(source.cancels == 1)
  }

  @Test func onlyABodyThatReachedItsEndCountsAsRead() async throws {
    let finished = Response.Body(source: ScriptedSource(chunks: ["a"]))
    _ = try await read(finished)
    #expect(await finished.discard())
    let cancelled = Response.Body(source: ScriptedSource(chunks: ["a"]))
    cancelled.cancel()
    #expect(await cancelled.discard() == false)
    let failed = Response.Body(source: ScriptedSource([.fail(Foreign())]))
    _ = try? await read(failed)
    #expect(await failed.discard() == false)
  }

  @Test func aBodyThatSomebodyReadsIsCancelled() async throws {
    let source = ScriptedSource(chunks: ["a", "b"])
    let body = Response.Body(source: source)
    var iterator = body.makeAsyncIterator()
    _ = try await iterator.next()
    #expect(await body.discard() == false)
    #expect(source.cancels == 1)
    await #expect(throws: ExchangeError.self) { _ = try await iterator.next() }
  }

  @Test func theTimerEndsWithTheReading() async throws {
    let time = CancellationCountingTime()
    let transport = HandlerTransport { _ in
      Response(.ok, body: Response.Body(source: ScriptedSource(chunks: ["a"])))
    }
    let response = try await Client(over: transport, configuration: .init(clock: time)).send(
      .get("http://h/")
    )
    #expect(await response.body.discard())
    await time.allSleepsEnded()
  }
}

/// A clock whose sleepers only wake when they are cancelled.
final class CancellationCountingTime: TimeSource {
  let now = ContinuousClock.now
  private let state = Mutex<(sleeping: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))

  func sleep(until instant: ContinuousClock.Instant) async throws {
    state.withLock { $0.sleeping += 1 }
    defer {
      let waiting = state.withLock { state in
        state.sleeping -= 1
        guard state.sleeping == 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
    try await sleepUntilCancelled()
  }

  /// Returns once no task sleeps here.
  func allSleepsEnded() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.sleeping > 0 { state.waiting.append(continuation) }
        return state.sleeping == 0
      }
      if isEmpty { continuation.resume() }
    }
  }
}
