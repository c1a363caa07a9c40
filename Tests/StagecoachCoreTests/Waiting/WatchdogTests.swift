import Stagecoach
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct WatchdogTests {
  /// Moves the clock and lets the sweep that this wakes run to its end, which a probe watch tells.
  private static func advance(_ time: ManualTime, _ duration: Duration, _ watchdog: Watchdog) async {
    let swept = Signal()
    let probe = watchdog.watch(for: duration) { swept.set() }
    await time.sleepers(atLeast: 1)
    time.advance(by: duration)
    await swept.wait()
    watchdog.remove(probe)
  }

  @Test func firesOnceWhenItsTimeIsUp() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watch = watchdog.watch(for: .seconds(2)) { fired.add() }
    await Self.advance(time, .seconds(1), watchdog)
    #expect(fired.value == 0)
    await Self.advance(time, .seconds(1), watchdog)
    await Self.advance(time, .seconds(1), watchdog)
    #expect(fired.value == 1)
    watchdog.remove(watch)
  }

  @Test func aDeadlineThatMovedLaterFiresLater() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watch = watchdog.watch(for: .seconds(1)) { fired.add() }
    watchdog.move(watch, to: .seconds(3))
    await Self.advance(time, .seconds(2), watchdog)
    #expect(fired.value == 0)
    await Self.advance(time, .seconds(1), watchdog)
    await Self.advance(time, .seconds(1), watchdog)
    #expect(fired.value == 1)
  }

  @Test func aDeadlineThatMovedEarlierFiresEarlier() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Signal()
    let watch = watchdog.watch(for: .seconds(100)) { fired.set() }
    await time.sleepers(atLeast: 1)
    watchdog.move(watch, to: .seconds(1))
    await Self.advance(time, .seconds(1), watchdog)
    await fired.wait()
  }

  @Test func aWatchWithoutDeadlineWaitsForOne() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watch = watchdog.watch(for: nil) { fired.add() }
    await Self.advance(time, .seconds(1000), watchdog)
    #expect(fired.value == 0)
    watchdog.move(watch, to: .seconds(1))
    watchdog.move(watch, to: nil)
    await Self.advance(time, .seconds(2), watchdog)
    #expect(fired.value == 0)
    watchdog.move(watch, to: .seconds(1))
    await Self.advance(time, .seconds(1), watchdog)
    await Self.advance(time, .seconds(1), watchdog)
    #expect(fired.value == 1)
  }

  @Test func aWatchThatFiredCanBeSetAgain() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watch = watchdog.watch(for: .seconds(1)) { fired.add() }
    for round in 1...3 {
      await Self.advance(time, .seconds(2), watchdog)
      #expect(fired.value == round)
      watchdog.move(watch, to: .seconds(1))
    }
  }

  @Test func aRemovedWatchDoesNotFire() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watch = watchdog.watch(for: .seconds(1)) { fired.add() }
    watchdog.remove(watch)
    watchdog.remove(watch)
    await Self.advance(time, .seconds(2), watchdog)
    #expect(fired.value == 0)
  }

  @Test func aWatchMayRemoveOthersWhileTheyAreSwept() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let others = Mutex<[Watchdog.Watch]>([])
    let first = watchdog.watch(for: .seconds(1)) {
      fired.add()
      for watch in others.withLock({ $0 }) { watchdog.remove(watch) }
    }
    others.withLock { list in
      for _ in 0..<10 { list.append(watchdog.watch(for: .seconds(1)) { fired.add(100) }) }
    }
    await Self.advance(time, .seconds(1), watchdog)
    #expect(fired.value == 1)
    watchdog.remove(first)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min / 4)])
  func aDeadlineInThePastFiresImmediately(duration: Duration) async {
    let watchdog = Watchdog(clock: ManualTime())
    let fired = Signal()
    let watch = watchdog.watch(for: duration) { fired.set() }
    await fired.wait()
    watchdog.remove(watch)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(9_300_000_000)])
  func aDeadlineBeyondAllTimeNeverFires(duration: Duration) async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watch = watchdog.watch(for: duration) { fired.add() }
    watchdog.move(watch, to: duration)
    await Self.advance(time, .seconds(1000), watchdog)
    #expect(fired.value == 0)
    watchdog.remove(watch)
  }

  @Test func tenThousandWatchesShareOneSleepingTask() async {
    let time = ManualTime()
    let watchdog = Watchdog(clock: time)
    let fired = Counter()
    let watches = (0..<10_000).map { index in
      watchdog.watch(for: .milliseconds(1000 + index % 100)) { fired.add() }
    }
    for index in stride(from: 0, to: 10_000, by: 2) { watchdog.remove(watches[index]) }
    await Self.advance(time, .seconds(2), watchdog)
    await Self.advance(time, .seconds(2), watchdog)
    #expect(fired.value == 5_000)
    for watch in watches { watchdog.remove(watch) }
  }

  @Test func tasksMayAddMoveAndRemoveConcurrently() async {
    let watchdog = Watchdog(clock: SystemTime())
    let fired = Counter()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<50 {
        group.addTask {
          for round in 0..<40 {
            let watch = watchdog.watch(for: .seconds(3600)) { fired.add(1_000_000) }
            watchdog.move(watch, to: .seconds(1800 + task * round))
            if round.isMultiple(of: 3) { await Task.yield() }
            watchdog.remove(watch)
          }
          await withCheckedContinuation { continuation in
            _ = watchdog.watch(for: .milliseconds(task % 5)) {
              fired.add()
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(fired.value == 50)
  }

  @Test func goesAwayWithItsLastReferenceAndSoDoesItsTask() async {
    let time = CancellationCountingTime()
    weak var gone: Watchdog?
    do {
      let watchdog = Watchdog(clock: time)
      gone = watchdog
      watchdog.remove(watchdog.watch(for: .seconds(3600)) {})
      _ = watchdog.watch(for: .seconds(1800)) {}
    }
    #expect(gone == nil)
    await time.allSleepsEnded()
  }
}
