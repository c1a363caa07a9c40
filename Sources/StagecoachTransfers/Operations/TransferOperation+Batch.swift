public import Foundation
import Synchronization

extension TransferOperation {
  /// Returns the operations followed by another, which depends on all of them, so that the end of all can be seen. The
  /// caller adds them to a queue.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let queue = OperationQueue()
  /// let operations = ["a", "b"].map { TransferOperation(client.transfer(.get("\($0)"), as: .text)) }
  /// let batch = TransferOperation.batch(operations) { finished, total in
  ///   print("\(finished) of \(total)")
  /// } completion: { operations in
  ///   print("failed: \(operations.filter { $0.transfer.failure != nil }.count)")
  /// }
  /// for operation in batch { queue.addOperation(operation) }
  /// ```
  ///
  /// Cancelling all operations of the queue cancels the members. The last operation cannot be cancelled, so that the
  /// completion is called then too.
  ///
  /// - Parameters:
  ///   - operations: The operations; there may be none.
  ///   - queue: Where the closures are called.
  ///   - progress: Called once for each operation, when the completion handlers of its transfer have returned, however
  ///     it ended. Takes how many have ended, from 1 to their number, and their number.
  ///   - completion: Called last, with the operations.
  public static func batch(
    _ operations: [TransferOperation],
    on queue: CallbackQueue = .standard,
    progress: @escaping @Sendable (_ finished: Int, _ total: Int) -> Void = { _, _ in },
    completion: @escaping @Sendable ([TransferOperation]) -> Void
  ) -> [Operation] {
    let count = BatchCount(operations.count, queue, progress)
    for operation in operations {
      operation.follow { count.memberEnded() }
    }
    // The count does not refer to the operations, so that a batch that never runs is released.
    let last = BatchEnd { count.whenAllEnded { completion(operations) } }
    for operation in operations { last.addDependency(operation) }
    return operations + [last]
  }
}

/// The last operation of a batch.
private final class BatchEnd: Operation, @unchecked Sendable {
  // Safe: what is added to the superclass is constant.
  private let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
    super.init()
  }

  override func main() { run() }

  /// Does nothing. A cancelled operation would not wait for the members any more.
  override func cancel() {}
}

/// Counts the members of a batch that have ended.
private final class BatchCount: Sendable {
  private struct State {
    var ended = 0
    var completion: (@Sendable () -> Void)?
  }

  private let total: Int
  private let queue: CallbackQueue
  private let progress: @Sendable (Int, Int) -> Void
  private let state = Mutex(State())

  init(_ total: Int, _ queue: CallbackQueue, _ progress: @escaping @Sendable (Int, Int) -> Void) {
    self.total = total
    self.queue = queue
    self.progress = progress
  }

  /// Enqueued under the lock, so that the numbers are in order.
  func memberEnded() {
    state.withLock { state in
      state.ended += 1
      queue.async { [progress, total, ended = state.ended] in progress(ended, total) }
      complete(&state)
    }
  }

  func whenAllEnded(_ completion: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.completion = completion
      complete(&state)
    }
  }

  private func complete(_ state: inout State) {
    guard state.ended == total, let completion = state.completion else { return }
    state.completion = nil
    queue.async(completion)
  }
}
