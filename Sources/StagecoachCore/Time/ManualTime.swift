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
    let id: Int
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: ContinuousClock.Instant
    var date: Date
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
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
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until at least this many tasks are sleeping on this clock.
  public func sleepers(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Waits until the clock reaches an instant.
  public func sleep(until instant: ContinuousClock.Instant) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(Sleeper(id: id, deadline: instant, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func enqueue(_ sleeper: Sleeper) {
    enum Outcome { case due, cancelled, waits([CheckedContinuation<Void, Never>]) }
    let outcome: Outcome = state.withLock { state in
      if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
      if sleeper.deadline <= state.now { return .due }
      state.sleepers.append(sleeper)
      let count = state.sleepers.count
      let reached = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      return .waits(reached)
    }
    switch outcome {
    case .due: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .waits(let watchers): for watcher in watchers { watcher.resume() }
    }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
