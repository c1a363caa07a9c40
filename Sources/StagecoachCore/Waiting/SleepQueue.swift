import Synchronization

/// The tasks that sleep on the system's clock.
///
/// A sleep of the runtime that is cancelled keeps its timer until its time has come, several hundred bytes: with a
/// timeout of a minute, those of all requests of that minute. Here a cancelled sleep leaves at once, and a few timers
/// serve all. A ``Watchdog`` has deadlines that move; it cancels its timer for an earlier one, and looks at all deadlines
/// when it wakes.
final class SleepQueue: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The queue of ``SystemTime``, which is stateless.
  static let shared = SleepQueue()

  private let state = Mutex(State())

  /// Waits until an instant.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until deadline: Instant) async throws {
    let id = state.withLock { $0.makeID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let timer = state.withLock { state in
          state.add(continuation, id, until: deadline)
          return state.takeTimer()
        }
        if let timer { start(timer) }
        // A task that was cancelled before it had its place could not leave it.
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
  }

  /// The number of places, among them some of tasks that have left.
  var places: Int { state.withLock { $0.places.count } }

  private func leave(_ id: Int) {
    state.withLock { $0.remove(id) }?.resume(throwing: CancellationError())
  }

  /// Starts a timer. It is never cancelled, and a task of its own, so that it keeps no task-local value of the task
  /// that happened to need it.
  private func start(_ deadline: Instant) {
    Task.detached { [self] in
      try? await ContinuousClock().sleep(until: deadline)
      let (due, timer) = state.withLock { state in
        state.timers.removeAll { $0 == deadline }
        return (state.takeDue(at: .now), state.takeTimer())
      }
      for continuation in due { continuation.resume() }
      if let timer { start(timer) }
    }
  }

  private struct Place {
    let deadline: Instant
    let id: Int
  }

  private struct State {
    private var lastID = 0
    private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// A binary heap with the next to wake first. Tasks that have left are removed later.
    private(set) var places: [Place] = []
    /// When the running timers end, latest first. A timer starts only if it ends before all others.
    var timers: [Instant] = []

    mutating func makeID() -> Int {
      lastID += 1
      return lastID
    }

    mutating func add(
      _ continuation: CheckedContinuation<Void, any Error>,
      _ id: Int,
      until deadline: Instant
    ) {
      waiting[id] = continuation
      places.append(Place(deadline: deadline, id: id))
      var index = places.count - 1
      while index > 0, places[index].deadline < places[(index - 1) / 2].deadline {
        places.swapAt(index, (index - 1) / 2)
        index = (index - 1) / 2
      }
    }

    mutating func remove(_ id: Int) -> CheckedContinuation<Void, any Error>? {
      guard let continuation = waiting.removeValue(forKey: id) else { return nil }
      // Rarely enough that it costs each only a little.
      if places.count > 64, places.count > 2 * waiting.count {
        places.removeAll { waiting[$0.id] == nil }
        for index in (0..<places.count / 2).reversed() { sink(index) }
      }
      return continuation
    }

    mutating func takeDue(at now: Instant) -> [CheckedContinuation<Void, any Error>] {
      var due: [CheckedContinuation<Void, any Error>] = []
      while let first = places.first, first.deadline <= now {
        removeFirst()
        if let continuation = waiting.removeValue(forKey: first.id) { due.append(continuation) }
      }
      return due
    }

    /// Returns the end of the timer that must be started; `nil` if those that run will do.
    mutating func takeTimer() -> Instant? {
      while let first = places.first, waiting[first.id] == nil { removeFirst() }
      guard let first = places.first, timers.last.map({ first.deadline < $0 }) ?? true else { return nil }
      timers.append(first.deadline)
      return first.deadline
    }

    private mutating func removeFirst() {
      places.swapAt(0, places.count - 1)
      places.removeLast()
      sink(0)
    }

    /// Moves a place down to where those below it come later.
    private mutating func sink(_ start: Int) {
      var index = start
      while true {
        var least = index
        for child in [2 * index + 1, 2 * index + 2]
        where child < places.count && places[child].deadline < places[least].deadline { least = child }
        guard least != index else { return }
        places.swapAt(index, least)
        index = least
      }
    }
  }
}
