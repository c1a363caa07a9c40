import StagecoachCore
import Synchronization

/// The parts that wait for a connection, and the number of workers that fetch them.
///
/// A worker whose part is refused puts it back and ends, as long as another one is left: so the number of connections
/// falls to what the server allows. The last one waits, and tries again a few times.
final class PartQueue: Sendable {
  /// A part that waits.
  struct Part: Sendable {
    let index: Int
    /// When it may be asked for again, and why.
    var refusal: (end: ContinuousClock.Instant, error: ExchangeError)?
  }

  private struct State {
    var waiting: [Part]
    var workers: Int
    /// The number of refusals in a row of the last worker.
    var refusals = 0
  }

  /// The maximum number of times that the last worker tries again.
  private static let mostRefusals = 5
  /// The first pause of the last worker, which doubles.
  private static let pause = Duration.milliseconds(250)
  /// The maximum time to wait that a server may ask for.
  private static let longestWait = Duration.seconds(60)

  private let state: Mutex<State>

  init(_ parts: [Int], workers: Int) {
    state = Mutex(State(waiting: parts.map { Part(index: $0) }, workers: workers))
  }

  /// Takes the next part; `nil` if none waits, and the worker ends.
  func next() -> Part? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.workers -= 1
      return nil
    }
  }

  /// Notes that a part has been fetched.
  func succeeded() { state.withLock { $0.refusals = 0 } }

  /// Waits until a part may be asked for.
  ///
  /// - Throws: Its refusal if that would take too long.
  func wait(for part: Part, on clock: any TimeSource) async throws {
    guard let (end, error) = part.refusal, end > clock.now else { return }
    guard end - clock.now <= Self.longestWait else { throw error }
    try await clock.sleep(until: end)
  }

  /// Puts back a part that the server refused.
  ///
  /// - Parameters:
  ///   - error: The refusal; thrown by the last worker when it has tried often enough.
  ///   - wait: The time that the server asks to wait.
  /// - Returns: Whether the worker goes on: it is the last one.
  func refused(_ index: Int, _ error: ExchangeError, wait: Duration, now: ContinuousClock.Instant) throws
    -> Bool
  {
    try state.withLock { state in
      var wait = wait
      let isLast = state.workers == 1
      if isLast {
        guard error.isTransient, state.refusals < Self.mostRefusals else { throw error }
        wait = max(wait, Self.pause * (1 << state.refusals))
        state.refusals += 1
      } else {
        state.workers -= 1
      }
      state.waiting.append(Part(index: index, refusal: (now + wait, error)))
      return isLast
    }
  }
}
