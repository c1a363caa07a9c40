import Synchronization

extension Transfer {
  /// Calls handlers on a queue: the progress as it changes, and at the end, after the last progress, one of the others,
  /// once.
  func report(
    on queue: CallbackQueue,
    success: @escaping @Sendable (Transfer<Output>, Output) -> Void,
    failure: @escaping @Sendable (Transfer<Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)?
  ) {
    let relay = progress.map { ProgressRelay($0) }
    if let relay {
      report.meter.updates.observe { progress in queue.async { relay.deliver(progress) } }
    }
    // Weak, because a transfer that never ends would otherwise keep itself in memory. While it ends, it exists.
    outcomes.observe { [weak self] outcome in
      guard let self, let outcome else { return }
      queue.async {
        relay?.end(with: self.progress)
        switch outcome {
        case .success(let value): success(self, value)
        case .failure(let error): failure(self, error)
        }
      }
    }
  }
}

/// Calls a handler with each progress once, and with none after the end.
private final class ProgressRelay: Sendable {
  private let handler: @Sendable (TransferProgress) -> Void
  private let state = Mutex<(last: TransferProgress?, isEnded: Bool)>((nil, false))

  init(_ handler: @escaping @Sendable (TransferProgress) -> Void) {
    self.handler = handler
  }

  func deliver(_ progress: TransferProgress) {
    let isNew = state.withLock { state in
      guard !state.isEnded, state.last != progress else { return false }
      state.last = progress
      return true
    }
    if isNew { handler(progress) }
  }

  /// Delivers the last progress, which may be on its way on another thread.
  func end(with progress: TransferProgress) {
    deliver(progress)
    state.withLock { $0.isEnded = true }
  }
}
