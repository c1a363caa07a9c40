import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock that moves only when it is advanced, for tests of timeouts, delays and timings.
///
/// ```swift
/// let time = ManualTime()
/// let client = try Client(over: transport, configuration: .init(clock: time))
/// async let answer = client.send(request)
/// await time.sleepers(atLeast: 1)
/// time.advance(by: .seconds(30))
/// ```
public final class ManualTime: TimeSource {
  private struct Sleeper {
    let deadline: ContinuousClock.Instant
    let waiter: Waiter<Void>
  }

  private struct State {
    var now: ContinuousClock.Instant
    var date: Date
    var sleepers: [Sleeper] = []
    var watchers: [(count: Int, waiter: Waiter<Void>)] = []
  }

  private let state: Mutex<State>

  /// Creates a clock stopped at an instant and a date.
  public init(now: ContinuousClock.Instant = .now, date: Date = Date()) {
    state = Mutex(State(now: now, date: date))
  }

  /// The current instant of the clock.
  public var now: ContinuousClock.Instant { state.withLock { $0.now } }

  /// The current date of the clock; it advances with the clock.
  public var date: Date { state.withLock { $0.date } }

  /// Sets the date, as a user of the system would, without moving the clock.
  public func setDate(_ date: Date) { state.withLock { $0.date = date } }

  /// Advances the clock and wakes the tasks that wait for the instants passed.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      state.date += duration / .seconds(1)
      let due = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in due { sleeper.waiter.end() }
  }

  /// Waits until at least this many tasks are sleeping on this clock.
  public func sleepers(atLeast count: Int) async {
    let waiter = state.withLock { state -> Waiter<Void>? in
      guard state.sleepers.count < count else { return nil }
      let waiter = Waiter<Void>()
      state.watchers.append((count, waiter))
      return waiter
    }
    _ = await waiter?.outcome()
  }

  /// Waits until the clock reaches an instant.
  public func sleep(until instant: ContinuousClock.Instant) async throws {
    try Task.checkCancellation()
    let waiter = Waiter<Void>()
    let (waits, reached) = state.withLock { state -> (Bool, [Waiter<Void>]) in
      guard instant > state.now else { return (false, []) }
      state.sleepers.append(Sleeper(deadline: instant, waiter: waiter))
      let count = state.sleepers.count
      let reached = state.watchers.filter { $0.count <= count }.map(\.waiter)
      state.watchers.removeAll { $0.count <= count }
      return (true, reached)
    }
    for watcher in reached { watcher.end() }
    if waits { try await waiter.value { state.withLock { $0.sleepers.removeAll { $0.waiter === waiter } } } }
  }
}
