import Synchronization

/// A progress handler, of which at most one call waits on its queue, for the newest progress.
final class ProgressHandler: Sendable {
  private struct State {
    var newest = TransferProgress()
    /// The progress of the last call.
    var delivered = TransferProgress()
    var isScheduled = false
    var isFinished = false
    var handler: (@Sendable (TransferProgress) -> Void)?
  }

  private let queue: CallbackQueue
  private let state: Mutex<State>

  init(_ queue: CallbackQueue, _ handler: @escaping @Sendable (TransferProgress) -> Void) {
    self.queue = queue
    state = Mutex(State(handler: handler))
  }

  /// Takes the newest progress.
  func note(_ progress: TransferProgress) {
    let isDue = state.withLock { state in
      state.newest = progress
      return Self.schedule(&state)
    }
    if isDue { queue.async { [self] in call() } }
  }

  /// Takes the last progress. The handler is released on its queue after the last call.
  func finish(_ progress: TransferProgress) {
    state.withLock { state in
      state.newest = progress
      state.isFinished = true
    }
    queue.async { [self] in
      callIfNew()
      release()
    }
  }

  private func call() {
    callIfNew()
    let isDue = state.withLock { state in
      state.isScheduled = false
      return Self.schedule(&state)
    }
    if isDue { queue.async { [self] in call() } }
  }

  private func callIfNew() {
    let call = state.withLock { state -> (@Sendable (TransferProgress) -> Void, TransferProgress)? in
      guard let handler = state.handler, state.newest != state.delivered else { return nil }
      state.delivered = state.newest
      return (handler, state.newest)
    }
    if let (handler, progress) = call { handler(progress) }
  }

  private func release() {
    _ = state.withLock { state in
      defer { state.handler = nil }
      return state.handler
    }
  }

  private static func schedule(_ state: inout State) -> Bool {
    guard !state.isFinished, !state.isScheduled, state.newest != state.delivered else { return false }
    state.isScheduled = true
    return true
  }
}
