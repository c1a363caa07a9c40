import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct ThrottledSourceTests {
  private static let content = Bytes((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })

  /// Reads while the clock is moved to whatever is waited for, and says when each piece came.
  private static func pieces(_ body: Request.Body, on time: ManualTime, steps: Duration) async throws
    -> (content: Bytes, times: [Duration], sizes: [Int])
  {
    let start = time.now
    let mover = Task {
      while !Task.isCancelled {
        await time.sleepers(atLeast: 1)
        time.advance(by: steps)
      }
    }
    let source = try body.makeSource()
    var (all, times, sizes): ([UInt8], [Duration], [Int]) = ([], [], [])
    while let chunk = try await source.next() {
      all += chunk.array
      times.append(time.now - start)
      sizes.append(chunk.count)
    }
    mover.cancel()
    // Whatever the mover waits for must come, for it to see that it was cancelled.
    let sleeper = Task { try await time.sleep(until: time.now.advanced(by: .seconds(1))) }
    await mover.value
    sleeper.cancel()
    return (Bytes(all), times, sizes)
  }

  @Test func piecesGoAtTheRate() async throws {
    let time = ManualTime()
    let body = Request.Body.bytes(Self.content).throttled(to: 1_000, on: time)
    #expect(body.length == 1_000)
    #expect(body.isReplayable)
    for _ in 1...2 {
      let read = try await Self.pieces(body, on: time, steps: .milliseconds(200))
      #expect(read.content == Self.content)
      #expect(read.sizes == [200, 200, 200, 200, 200])
      #expect(read.times == (0..<5).map { .milliseconds(200 * $0) })
    }
  }

  @Test func aCancelledOneGivesNoMore() async throws {
    let time = ManualTime()
    let source = try Request.Body.bytes(Self.content).throttled(to: 1_000, on: time).makeSource()
    #expect(try await source.next()?.count == 200)
    let second = Task { try await source.next() }
    await time.sleepers(atLeast: 1)
    source.cancel()
    // Without the clock having moved.
    await #expect(throws: CancellationError.self) { try await second.value }
    await #expect(throws: CancellationError.self) { try await source.next() }
  }

  @Test func lostTimeIsNotMadeUpFor() async throws {
    let time = ManualTime()
    let source = try Request.Body.bytes(Self.content).throttled(to: 1_000, on: time).makeSource()
    #expect(try await source.next()?.count == 200)
    time.advance(by: .seconds(60))
    #expect(try await source.next()?.count == 200)
    let third = Task { try await source.next() }
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(200))
    #expect(try await third.value?.count == 200)
  }

  @Test(arguments: [0, -5, 1])
  func theSlowestRateIsAByteASecond(rate: Int) async throws {
    let time = ManualTime()
    let read = try await Self.pieces(
      Request.Body.bytes("abc").throttled(to: rate, on: time),
      on: time,
      steps: .seconds(1)
    )
    #expect(read.sizes == [1, 1, 1])
    #expect(read.times == [.zero, .seconds(1), .seconds(2)])
  }

  @Test func aSleepIsCancelledWithItsTask() async throws {
    let time = ManualTime()
    let source = try Request.Body.bytes("abc").throttled(to: 1, on: time).makeSource()
    _ = try await source.next()
    let waiting = Task { try await source.next() }
    await time.sleepers(atLeast: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
  }

  @Test func aFormIsThrottledOnTheClockOfItsClient() async throws {
    let time = ManualTime()
    let transport = HandlerTransport { request in
      let source = try request.body.makeSource()
      var count = 0
      while let chunk = try await source.next() { count += chunk.count }
      return Response(.ok, body: .bytes(Bytes("\(count)")))
    }
    let client = try Client(over: transport, configuration: .init(clock: time))
    let content = RequestContent.multipart(.form([], boundary: "B"), bytesPerSecond: 5)
    async let answer = client.post("http://h/", content, as: .text)
    for _ in 1...6 {
      await time.sleepers(atLeast: 1)
      time.advance(by: .milliseconds(200))
    }
    #expect(try await answer == "7")
  }
}
