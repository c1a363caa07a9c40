import StagecoachCore

extension Array {
  /// Starts transfers and waits until all have ended and their completion handlers have returned.
  ///
  /// A failure does not stop the others. Cancelling the task cancels all. A paused transfer is waited for.
  ///
  /// ```swift
  /// let files = ["a", "b"].map { client.download(.get("\($0)"), to: .file("/tmp/\($0)")) }
  /// let outcomes = await files.run(maxConcurrent: 4) { finished, total in
  ///   print("\(finished) of \(total)")
  /// }
  /// print(outcomes)
  /// ```
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of transfers that are started and have not ended; no limit by default, at
  ///     least 1.
  ///   - progress: Called once for each transfer, when its completion handlers have returned, however it ended. Takes
  ///     how many have ended, from 1 to their number, and their number.
  /// - Returns: The outcomes, in the order of the transfers.
  public func run<Output>(
    maxConcurrent: Int = .max,
    progress: (_ finished: Int, _ total: Int) -> Void = { _, _ in }
  ) async -> [Transfer<Output>.Outcome] where Element == Transfer<Output> {
    await withTaskGroup(of: (index: Int, outcome: Transfer<Output>.Outcome).self) { group in
      var outcomes = [Transfer<Output>.Outcome?](repeating: nil, count: count)
      var next = startIndex
      var finished = 0
      func startNext() {
        guard next < endIndex else { return }
        let (index, transfer) = (next, self[next])
        group.addTask { (index, await transfer.settled()) }
        next += 1
      }
      for _ in 0..<Swift.min(count, Swift.max(maxConcurrent, 1)) { startNext() }
      while let (index, outcome) = await group.next() {
        startNext()
        outcomes[index] = outcome
        finished += 1
        progress(finished, count)
      }
      return outcomes.compactMap(\.self)
    }
  }
}

extension Transfer {
  /// Starts the transfer, and waits for its outcome and the return of its completion handlers.
  fileprivate func settled() async -> Outcome {
    let outcome: Outcome
    do { outcome = .success(try await value()) } catch { outcome = .failure(error) }
    let waiter = Waiter<Void>()
    callbacks.follow { waiter.end() }
    _ = await waiter.outcome()
    return outcome
  }
}
