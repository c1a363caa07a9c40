import Testing

@testable import StagecoachTransfers

@Suite struct ActivityMachineTests {
  private let start = ContinuousClock.now

  /// The states after steps, each at a time in milliseconds: `+` begins, `-` ends, `t` is the timer.
  private func states(_ steps: [(Int, Character)]) -> [ActivityMachine.State] {
    var machine = ActivityMachine(startDelay: .seconds(1), endDelay: .milliseconds(170))
    return steps.map { time, step in
      let now = start.advanced(by: .milliseconds(time))
      switch step {
      case "+": machine.begin(at: now)
      case "-": machine.end(at: now)
      default: machine.proceed(to: now)
      }
      #expect(machine.count >= 0)
      #expect((machine.due != nil) == (machine.state == .delayingStart || machine.state == .delayingEnd))
      return machine.state
    }
  }

  @Test(
    arguments: [
      ([(0, "+"), (999, "t"), (1000, "t")], [.delayingStart, .delayingStart, .active]),
      ([(0, "+"), (500, "-"), (1000, "t")], [.delayingStart, .delayingStart, .inactive]),
      // A second piece of work within the delay is shown at its end.
      (
        [(0, "+"), (500, "-"), (900, "+"), (1000, "t")],
        [.delayingStart, .delayingStart, .delayingStart, .active]
      ),
      (
        [(0, "+"), (1000, "t"), (2000, "-"), (2169, "t"), (2170, "t")],
        [.delayingStart, .active, .delayingEnd, .delayingEnd, .inactive]
      ),
      // A short break is not shown, and its timer has no effect.
      (
        [
          (0, "+"), (1000, "t"), (2000, "-"), (2100, "+"), (2170, "t"), (2200, "-"), (2270, "t"), (2370, "t"),
        ],
        [.delayingStart, .active, .delayingEnd, .active, .active, .delayingEnd, .delayingEnd, .inactive]
      ),
      (
        [(0, "+"), (1, "+"), (1000, "t"), (1100, "-"), (1200, "-")],
        [.delayingStart, .delayingStart, .active, .active, .delayingEnd]
      ),
      // What did not begin does not end.
      ([(0, "-"), (1, "-"), (2, "+"), (1002, "t")], [.inactive, .inactive, .delayingStart, .active]),
      ([(0, "t")], [.inactive]),
    ] as [([(Int, Character)], [ActivityMachine.State])]
  )
  func activityIsShownAfterADelay(steps: [(Int, Character)], states expected: [ActivityMachine.State]) {
    #expect(states(steps) == expected)
  }
}
