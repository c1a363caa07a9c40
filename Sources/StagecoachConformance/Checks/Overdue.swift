import StagecoachCore
import Synchronization

/// The time at which a timeout is overdue: twice its limit after the start.
///
/// It is counted in steps, each of which needs a turn on the threads that run tasks. If the machine is blocked, so is
/// the count: a busy machine makes a peer wait longer, but no check fail.
final class Overdue: Sendable {
  private enum State {
    case idle
    case counting
    case due
  }

  /// The limit of the timeout.
  let limit: Duration
  private let state = Mutex(State.idle)

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// Begins to count. Further calls do nothing.
  func start() {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .counting
      return true
    }
    guard isFirst else { return }
    Task {
      for _ in 0..<8 { try await Task.sleep(for: limit / 4) }
      state.withLock { $0 = .due }
    }
  }

  /// Begins to count, and reads and forgets until the timeout is overdue.
  ///
  /// - Throws: ``WireError/closed`` or ``WireError/reset`` if the peer ends the connection before.
  func hold(_ wire: WireConnection) throws {
    start()
    try holdOnceStarted(wire)
  }

  /// Reads and forgets until the timeout is overdue, which may have to be started elsewhere.
  ///
  /// - Throws: ``WireError/closed`` or ``WireError/reset`` if the peer ends the connection before.
  func holdOnceStarted(_ wire: WireConnection) throws {
    while true {
      if case .due = state.withLock({ $0 }) { return }
      _ = try wire.readSome(within: .milliseconds(20))
    }
  }

  /// Checks that a call failed because of the timeout, and not before the limit.
  ///
  /// - Parameters:
  ///   - error: The failure of the call; `nil` if it did not fail.
  ///   - phase: The phase that is limited.
  ///   - start: When the call began.
  /// - Throws: ``CheckFailure``
  func requireTimeout(
    _ error: ExchangeError?,
    of phase: ExchangeError.Phase,
    since start: ContinuousClock.Instant,
    _ observation: @autoclosure () -> String
  ) throws {
    let elapsed = ContinuousClock.now - start
    guard let error, error.kind == .timeout(phase) else { throw CheckFailure(observation()) }
    try require(
      error.limit?.option == "\(phase.rawValue)Timeout",
      "the limit that the failure names is \(error.limit.map { "\($0)" } ?? "missing")"
    )
    // Engines may round to milliseconds.
    try require(elapsed >= limit * 0.9, "it failed \(elapsed) after its start, the limit is \(limit)")
  }
}
