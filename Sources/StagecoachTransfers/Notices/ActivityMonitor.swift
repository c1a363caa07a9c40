public import StagecoachCore
import Synchronization

/// Reports whether the network is in use, for an activity indicator.
///
/// It observes the exchanges of the clients that it is a monitor of, plain ones and those of transfers, so a paused or
/// waiting transfer does not count. Exchanges that end within a second are not shown, and a short break does not
/// hide the indicator.
///
/// ```swift
/// let activity = ActivityMonitor()
/// let client = try Client(over: transport, configuration: .init(monitors: [activity]))
/// for await isActive in activity.changes { print(isActive) }
/// ```
public final class ActivityMonitor: EventMonitor {
  private struct State {
    var machine: ActivityMachine
    var timer: Task<Void, Never>?
  }

  private let clock: any TimeSource
  private let state: Mutex<State>
  private let activity = Broadcast(false)

  /// Creates a monitor.
  ///
  /// - Parameters:
  ///   - startDelay: The time that work takes before it is shown; 1 second by default.
  ///   - endDelay: The time that it is still shown after its end; 0.17 seconds by default.
  ///   - clock: The clock of the delays.
  public init(
    startDelay: Duration = .seconds(1),
    endDelay: Duration = .milliseconds(170),
    clock: any TimeSource = SystemTime()
  ) {
    self.clock = clock
    state = Mutex(State(machine: ActivityMachine(startDelay: startDelay, endDelay: endDelay)))
  }

  deinit {
    state.withLock { $0.timer?.cancel() }
  }

  /// Whether activity is shown now.
  public var isActive: Bool { activity.value }

  /// Whether activity is shown: now, and then each change. A slow reader gets the newest. It ends when the monitor is
  /// released.
  public var changes: AsyncStream<Bool> { activity.stream(keeping: 1) }

  /// Counts an exchange from its first event to its last.
  public func receive(_ event: Event) {
    switch event.kind {
    case .exchangeStarted: begin()
    case .exchangeFinished, .exchangeFailed, .exchangeCancelled: end()
    default: break
    }
  }

  /// Counts other work, which is not an exchange of an observed client, until ``end()``.
  public func begin() { change { $0.begin(at: $1) } }

  /// Ends work that ``begin()`` counted. The count never falls below zero.
  public func end() { change { $0.end(at: $1) } }

  private func change(_ change: (inout ActivityMachine, ContinuousClock.Instant) -> Void) {
    let now = clock.now
    state.withLock { state in
      let due = state.machine.due
      change(&state.machine, now)
      if state.machine.due != due { setTimer(&state) }
      activity.enqueue { value in
        defer { value = state.machine.isActive }
        return value != state.machine.isActive
      }
    }
    activity.flush()
  }

  private func setTimer(_ state: inout State) {
    state.timer?.cancel()
    state.timer = state.machine.due.map { due in
      clock.timer(at: due) { [weak self] in self?.change { $0.proceed(to: $1) } }
    }
  }
}
