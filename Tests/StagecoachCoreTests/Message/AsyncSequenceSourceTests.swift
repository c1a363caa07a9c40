import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AsyncSequenceSourceTests {
  @Test func cancelInterruptsAPullThatWaits() async throws {
    let waiting = Signal()
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      waiting.set()
      try await sleepUntilCancelled()
      return nil
    })
    let source = try Request.Body.oneShot(stream, length: nil).makeSource()
    let pull = Task { try await source.next() }
    await waiting.wait()
    source.cancel()
    await #expect(throws: CancellationError.self) { _ = try await pull.value }
    await #expect(throws: CancellationError.self) { _ = try await source.next() }
  }

  @Test(arguments: [0, 1, 2])
  func cancellingTheBodyTerminatesItsProducer(pulls: Int) async throws {
    let ended = Signal()
    let body = Response.Body(
      AsyncStream<Bytes> { continuation in
        continuation.onTermination = { _ in ended.set() }
        for _ in 1...3 { continuation.yield("a") }
      }
    )
    var iterator = body.makeAsyncIterator()
    for _ in 0..<pulls { #expect(try await iterator.next() == "a") }
    body.cancel()
    await ended.wait()
    await #expect(throws: ExchangeError.self) { _ = try await iterator.next() }
  }

  @Test func cancellingTheReaderCancelsThePull() async throws {
    let waiting = Signal()
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      waiting.set()
      try await sleepUntilCancelled()
      return nil
    })
    let source = try Request.Body.oneShot(stream, length: nil).makeSource()
    let pull = Task { try await source.next() }
    await waiting.wait()
    pull.cancel()
    await #expect(throws: CancellationError.self) { _ = try await pull.value }
  }

  @Test func aStreamEndedByCancellationIsAnIncompleteBody() async throws {
    for isResponse in [false, true] {
      let waiting = Signal()
      let stream = AsyncStream<Bytes>(unfolding: {
        waiting.set()
        try? await sleepUntilCancelled()
        return nil
      })
      let reader = Task {
        if isResponse { return try await Response.Body(stream).collect(upTo: 10) }
        return try await read(Request.Body.oneShot(stream, length: nil))
      }
      await waiting.wait()
      reader.cancel()
      await #expect(throws: CancellationError.self) { _ = try await reader.value }
    }
  }

  @Test func anErrorOfTheSequencePasses() async throws {
    let stream = AsyncThrowingStream<Bytes, any Error> { continuation in
      continuation.yield("a")
      continuation.finish(throwing: Foreign())
    }
    let source = try Request.Body.oneShot(stream, length: nil).makeSource()
    #expect(try await source.next() == "a")
    await #expect(throws: Foreign()) { _ = try await source.next() }
  }

  @Test func emptyChunksAreSkippedAndEndlessOnesCanBeCancelled() async throws {
    let source = try Request.Body.oneShot(chunks(["", "", "a", "", "b", ""]), length: nil).makeSource()
    #expect(try await source.next() == "a")
    #expect(try await source.next() == "b")
    #expect(try await source.next() == nil)

    let turns = Counter()
    let started = Signal()
    let empty = AsyncStream<Bytes>(unfolding: {
      if turns.add() == 3 { started.set() }
      return ""
    })
    let endless = try Request.Body.oneShot(empty, length: nil).makeSource()
    let pull = Task { try await endless.next() }
    await started.wait()
    endless.cancel()
    await #expect(throws: CancellationError.self) { _ = try await pull.value }
  }
}
