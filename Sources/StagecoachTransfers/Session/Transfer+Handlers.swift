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
    if let progress { onProgress(on: queue, progress) }
    // A transfer that never ends must not keep itself in memory: only from its end on, until the handler has it.
    let kept = Kept<Transfer<Output>>()
    outcomes.observe { [weak self] outcome in
      if outcome != nil { kept.object.withLock { $0 = self } }
    }
    onCompletion(on: queue) { [weak self] outcome in
      // If it is not kept yet, it is just ending, and still there.
      guard let transfer = kept.take() ?? self else { return }
      switch outcome {
      case .success(let value): success(transfer, value)
      case .failure(let error): failure(transfer, error)
      }
    }
  }

  /// Returns the same transfer, ended before it began.
  func ended(with outcome: Outcome) -> Transfer<Output> {
    Transfer(request, clock: clock, work: work, ended: outcome)
  }
}

/// Keeps an object until it is taken.
private final class Kept<Object: AnyObject & Sendable>: Sendable {
  let object = Mutex<Object?>(nil)

  func take() -> Object? {
    object.withLock { object in
      defer { object = nil }
      return object
    }
  }
}
