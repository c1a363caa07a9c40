import StagecoachCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct TimerTests {
  @Test func itFiresAtItsInstantUnlessItIsCancelled() async {
    let time = ManualTime()
    let fired = Counter()
    let timers = (0..<2).map { _ in time.timer(at: time.now + .seconds(1)) { fired.add() } }
    await time.sleepers(atLeast: 2)
    timers[0].cancel()
    await timers[0].value
    #expect(fired.value == 0)
    time.advance(by: .seconds(1))
    await timers[1].value
    #expect(fired.value == 1)
  }
}
