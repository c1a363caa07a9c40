import Stagecoach
import Testing

@Suite(.timeLimit(.minutes(1))) struct AsyncSequenceSourceTests {
  @Test func cancelInterruptsAPullThatWaits() async throws {
    let (stream, continuation) = AsyncStream<Bytes>.makeStream()
    let ended = Signal()
    continuation.onTermination = { _ in ended.set() }
    let source = try Request.Body.once(stream, length: nil).makeSource()
    continuation.yield("a")
    #expect(try await source.next() == "a")
    let pull = Task { try? await source.next() }
    await Task.yield()
    source.cancel()
    #expect(await pull.value == nil)
    await ended.wait()
    #expect((try? await source.next()) == nil)
  }

  @Test func cancellingTheReaderCancelsThePull() async throws {
    let waiting = Signal()
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      waiting.set()
      try await sleepUntilCancelled()
      return nil
    })
    let source = try Request.Body.once(stream, length: nil).makeSource()
    let pull = Task { try await source.next() }
    await waiting.wait()
    pull.cancel()
    await #expect(throws: CancellationError.self) { _ = try await pull.value }
  }

  @Test func aStreamThatEndsBecauseOfCancellationIsNoCompleteBody() async throws {
    for isResponse in [false, true] {
      let waiting = Signal()
      let stream = AsyncStream<Bytes>(unfolding: {
        waiting.set()
        try? await sleepUntilCancelled()
        return nil
      })
      let reader = Task {
        if isResponse { return try await Response.Body(stream).collect(upTo: 10) }
        return try await read(Request.Body.once(stream, length: nil))
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
    let source = try Request.Body.once(stream, length: nil).makeSource()
    #expect(try await source.next() == "a")
    await #expect(throws: Foreign()) { _ = try await source.next() }
  }

  @Test func emptyChunksAreSkippedAndEndlessOnesCanBeCancelled() async throws {
    let source = try Request.Body.once(chunks(["", "", "a", "", "b", ""]), length: nil).makeSource()
    #expect(try await source.next() == "a")
    #expect(try await source.next() == "b")
    #expect(try await source.next() == nil)

    let turns = Counter()
    let started = Signal()
    let empty = AsyncStream<Bytes>(unfolding: {
      if turns.add() == 100 { started.set() }
      return ""
    })
    let endless = try Request.Body.once(empty, length: nil).makeSource()
    let pull = Task { try await endless.next() }
    await started.wait()
    endless.cancel()
    await #expect(throws: CancellationError.self) { _ = try await pull.value }
  }
}
