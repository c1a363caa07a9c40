import StagecoachCore

extension TransferQueue {
  /// Ends the queue: members that execute may finish within a period, the others are cancelled at once.
  ///
  /// No transfer is added or begins any more. If members still execute at the end of the period, the handler is called,
  /// then they are cancelled. The call returns when all members have finished. The bytes of unfinished downloads are
  /// kept.
  ///
  /// ```swift
  /// let queue = TransferQueue(limit: 8)
  /// await queue.shutdown(gracePeriod: .seconds(20)) {
  ///   print("cancelling \(queue.transfers.count) transfers")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - gracePeriod: The time that members have to finish. Cancelling the calling task ends it early.
  ///   - expiration: Called once, if the period ends before all members have finished. Of several calls of this
  ///     method, only the first has a period and a handler; all wait.
  public func shutdown(
    gracePeriod: Duration,
    expiration: @escaping @Sendable () async -> Void = {}
  ) async {
    let isFirst = close()
    if isFirst {
      for transfer in transfers where transfer.state != .executing { transfer.cancel() }
      if await !isIdle(within: gracePeriod) {
        await expiration()
        cancelAll()
      }
    }
    // In a task of its own, because members are awaited also if the caller is cancelled.
    await Task { [activity] in try? await activity.waitUntilZero() }.value
  }

  private func isIdle(within period: Duration) async -> Bool {
    let idle: Void? = try? await withDeadline(clock.now.advanced(by: period), on: clock) { [activity] in
      try await activity.waitUntilZero()
    } orThrow: {
      CancellationError()
    }
    return idle != nil
  }
}
