extension Transfer {
  /// Calls handlers on a queue: the progress as it changes, and at the end, after the last progress, one of the others,
  /// once.
  func report(
    on queue: CallbackQueue,
    success: @escaping @Sendable (Transfer<Output>, Output) -> Void,
    failure: @escaping @Sendable (Transfer<Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)?
  ) {
    if let progress { onProgress(on: queue, progress) }
    // Weak, because a transfer that never ends would otherwise keep itself in memory. While it ends, it exists.
    outcomes.observe { [weak self] outcome in
      guard let self, outcome != nil else { return }
      onCompletion(on: queue) {
        success(self, $0)
      } failure: {
        failure(self, $0)
      }
    }
  }

  /// Returns the same transfer, ended before it began.
  func ended(with outcome: Outcome) -> Transfer<Output> {
    Transfer(request, clock: clock, work: work, ended: outcome)
  }
}
