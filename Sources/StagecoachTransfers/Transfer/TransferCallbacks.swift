import StagecoachCore
import Synchronization

/// The handlers of a transfer.
///
/// At its end they are put on their queues in this order: the last progress, the completion handlers in the order of
/// their registration, and, once all of these have returned, the followers. They are enqueued under the lock, so that the
/// order also holds for handlers that are registered at the same moment.
final class TransferCallbacks<Output: Sendable>: Sendable {
  typealias Outcome = Result<Output, any Error>

  private struct State {
    var progress = TransferProgress()
    var progressHandlers: [ProgressHandler] = []
    var completionHandlers: [CompletionHandler<Outcome>] = []
    var outcome: Outcome?
    /// The number of completion handlers that are on their queues and have not returned.
    var running = 0
    var followers: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Creates the handlers of a transfer, none yet.
  init(of outcomes: Broadcast<Outcome?>, _ progress: Broadcast<TransferProgress>) {
    progress.observe { [self] in note($0) }
    outcomes.observe { [self] outcome in
      // The last progress may still be on its way to its observers.
      if let outcome { finish(outcome, progress.value) }
    }
  }

  /// Adds a progress handler.
  func add(_ handler: ProgressHandler) {
    state.withLock { state in
      guard state.outcome == nil else { return handler.finish(state.progress) }
      state.progressHandlers.append(handler)
      handler.note(state.progress)
    }
  }

  /// Adds a completion handler, which is called if the transfer has already ended.
  func add(_ handler: CompletionHandler<Outcome>) {
    state.withLock { state in
      state.completionHandlers.append(handler)
      callCompletionHandlers(&state)
    }
  }

  /// Calls a closure once the transfer has ended and its completion handlers have returned, on the queue of the last.
  func follow(_ follower: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      guard state.outcome == nil || state.running > 0 else { return true }
      state.followers.append(follower)
      return false
    }
    if isDue { follower() }
  }

  private func note(_ progress: TransferProgress) {
    state.withLock { state in
      guard state.outcome == nil else { return }
      state.progress = progress
      for handler in state.progressHandlers { handler.note(progress) }
    }
  }

  private func finish(_ outcome: Outcome, _ progress: TransferProgress) {
    let followers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      state.progress = progress
      for handler in state.progressHandlers { handler.finish(progress) }
      state.progressHandlers = []
      callCompletionHandlers(&state)
      return Self.dueFollowers(&state)
    }
    for follower in followers { follower() }
  }

  private func callCompletionHandlers(_ state: inout State) {
    guard let outcome = state.outcome else { return }
    state.running += state.completionHandlers.count
    for handler in state.completionHandlers {
      handler.call(outcome) { [self] in returned() }
    }
    state.completionHandlers = []
  }

  private func returned() {
    let followers = state.withLock { state in
      state.running -= 1
      return Self.dueFollowers(&state)
    }
    for follower in followers { follower() }
  }

  private static func dueFollowers(_ state: inout State) -> [@Sendable () -> Void] {
    guard state.running == 0 else { return [] }
    defer { state.followers = [] }
    return state.followers
  }
}
