import StagecoachCore
import Testing

@Suite struct BackOffTests {
  private let start = ContinuousClock.now

  @Test func pausesDoubleUpToTheLongest() {
    var backOff = BackOff(.seconds(1)...(.seconds(3)))
    #expect(!backOff.rests(at: start))
    for pause in [1, 2, 3, 3] {
      backOff.fail(at: start)
      #expect(backOff.rests(at: start + .seconds(pause) - .nanoseconds(1)))
      #expect(!backOff.rests(at: start + .seconds(pause)))
    }
    backOff.reset()
    #expect(!backOff.rests(at: start))
    backOff.fail(at: start)
    #expect(!backOff.rests(at: start + .seconds(1)))
  }

  @Test func onlyFailuresInARowBeginAPauseAndOneMoreTheNext() {
    var backOff = BackOff(.seconds(5)...(.seconds(5)), after: 3)
    backOff.fail(at: start)
    backOff.fail(at: start)
    backOff.reset()
    backOff.fail(at: start)
    backOff.fail(at: start)
    #expect(!backOff.rests(at: start))
    backOff.fail(at: start)
    #expect(backOff.rests(at: start))
    let later = start + .seconds(5)
    #expect(!backOff.rests(at: later))
    backOff.fail(at: later)
    #expect(backOff.rests(at: later))
  }
}
