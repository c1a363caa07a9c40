public import Dispatch

extension Transfer {
  /// Calls a handler once, when the transfer has ended: succeeded, failed or been cancelled.
  ///
  /// If it has already ended, the handler is called at once, on its queue. A handler that was registered before the end
  /// is released on its queue as soon as it has returned, so that it may refer to the transfer. On a serial queue it
  /// comes after the last progress. A transfer that is never started and goes away with its last reference calls no
  /// handlers.
  ///
  /// ```swift
  /// let transfer = client.transfer(.get("users/7"), as: .text)
  /// transfer.onCompletion(on: .main) { result in
  ///   print(result)
  /// }
  /// transfer.start()
  /// ```
  ///
  /// A dispatch group shows when the handlers of several transfers have returned:
  ///
  /// ```swift
  /// import Dispatch
  ///
  /// let group = DispatchGroup()
  /// for name in ["a", "b"] {
  ///   let transfer = client.transfer(.get("\(name)"), as: .text)
  ///   transfer.onCompletion(in: group) { print($0) }
  ///   transfer.start()
  /// }
  /// group.notify(queue: .main) { print("all done") }
  /// ```
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called.
  ///   - group: A group that is entered now, and left when the handler has returned.
  ///   - handler: Takes the outcome.
  public func onCompletion(
    on queue: CallbackQueue = .standard,
    in group: DispatchGroup? = nil,
    _ handler: @escaping @Sendable (Outcome) -> Void
  ) {
    callbacks.add(CompletionHandler(queue, group, handler))
  }

  /// Calls exactly one of two handlers once, when the transfer has ended; like the form with one handler.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called.
  ///   - group: A group that is entered now, and left when the handler has returned.
  ///   - success: Takes the value.
  ///   - failure: Takes the error: `ExchangeError`, or `CancellationError` if the transfer was cancelled.
  public func onCompletion(
    on queue: CallbackQueue = .standard,
    in group: DispatchGroup? = nil,
    success: @escaping @Sendable (Output) -> Void,
    failure: @escaping @Sendable (any Error) -> Void
  ) {
    onCompletion(on: queue, in: group) { outcome in
      switch outcome {
      case .success(let value): success(value)
      case .failure(let error): failure(error)
      }
    }
  }

  /// Calls a handler with the current progress, unless nothing was sent or received yet, and then whenever it has
  /// changed, up to and including the last.
  ///
  /// At most ten calls are made per second, at most one waits on the queue, and it gets the newest progress. Counts
  /// never decrease, except as ``TransferProgress`` says. The handler is released after the last call.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called.
  ///   - handler: Takes the progress.
  public func onProgress(
    on queue: CallbackQueue = .standard,
    _ handler: @escaping @Sendable (TransferProgress) -> Void
  ) {
    callbacks.add(ProgressHandler(queue, handler))
  }
}
