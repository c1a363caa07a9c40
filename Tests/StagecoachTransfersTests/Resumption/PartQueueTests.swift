import StagecoachCore
import TestSupport
import Testing

@testable import StagecoachTransfers

struct PartQueueTests {
  private let refusal = ExchangeError(.connectionRefused, "refused")

  @Test func eachRefusalTakesAWorkerAway() async throws {
    let queue = PartQueue([0, 1, 2], workers: 3)
    for index in 0..<3 { #expect(queue.next()?.index == index) }
    let now = ContinuousClock.now
    #expect(try !queue.refused(2, refusal, wait: .zero, now: now))
    #expect(try !queue.refused(1, refusal, wait: .seconds(7), now: now))
    // The worker that is left takes them, not before the server wants them.
    queue.succeeded()
    let (first, second) = (try #require(queue.next()), try #require(queue.next()))
    #expect([first.index, second.index] == [2, 1])
    #expect(second.refusal?.end == now + .seconds(7))
    let clock = ManualTime(now: now)
    try await queue.wait(for: first, on: clock)
    async let waiting: Void = queue.wait(for: second, on: clock)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(7))
    try await waiting
    #expect(queue.next()?.index == nil)
  }

  @Test func theLastWorkerTriesAgainAndGivesUp() throws {
    let now = ContinuousClock.now
    let queue = PartQueue([0], workers: 1)
    func refusals() throws -> [Duration] {
      var pauses: [Duration] = []
      while pauses.count < 100 {
        let part = try #require(queue.next())
        if let end = part.refusal?.end { pauses.append(end - now) }
        do {
          #expect(try queue.refused(0, refusal, wait: .milliseconds(600), now: now))
        } catch {
          return pauses
        }
      }
      return pauses
    }
    let expected = [600, 600, 1000, 2000, 4000].map { Duration.milliseconds($0) }
    #expect(try refusals() == expected)
  }

  @Test func aLongRetryAfterIsNotWaitedFor() async throws {
    let clock = ManualTime()
    let queue = PartQueue([0], workers: 1)
    #expect(try queue.refused(0, refusal, wait: .seconds(3600), now: clock.now))
    _ = queue.next()
    let part = try #require(queue.next())
    await #expect(throws: ExchangeError.self) { try await queue.wait(for: part, on: clock) }
  }
}
