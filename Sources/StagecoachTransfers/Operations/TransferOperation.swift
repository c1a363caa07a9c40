public import Foundation
import Synchronization

/// A transfer as an operation of an `OperationQueue`, with its dependencies, priorities and limits.
///
/// ```swift
/// import Foundation
///
/// let queue = OperationQueue()
/// queue.maxConcurrentOperationCount = 4
/// let list = TransferOperation(client.transfer(.get("list"), as: .data))
/// let film = TransferOperation(client.download(.get("film.mp4"), to: .file("/tmp/film.mp4")))
/// film.addDependency(list)
/// queue.addOperation(list)
/// queue.addOperation(film)
/// ```
///
/// The transfer executes when the queue starts the operation, and not before, also if it is started or resumed itself.
/// The operation is finished when the transfer is, however that ended; its completion handlers may run a little later
/// (``batch(_:on:progress:completion:)`` waits for them). Cancelling either cancels both: the operation then does not
/// wait for its dependencies any more, and the transfer fails with `CancellationError` at once.
///
/// A transfer that is paused before its turn is not ready, so that others go first. One that is paused later keeps its
/// slot of the queue, and the operation stays executing, because a slot of an `OperationQueue` cannot be given back.
///
/// A queue keeps a reference to an operation until it is finished. If you start an operation without a queue, keep a
/// reference yourself.
public final class TransferOperation: Operation, @unchecked Sendable {
  // Safe: what is added to the superclass, which may be used from any thread, is constant or behind a lock.
  private enum Phase {
    case waiting, executing, finished
  }

  /// The transfer.
  public let transfer: any TransferHandle
  /// Calls a closure when the completion handlers of the transfer have returned.
  let follow: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let gate = OperationGate()
  private let phase = Mutex(Phase.waiting)

  /// Creates an operation over a transfer. Create only one for each transfer.
  ///
  /// If the transfer was started before, or waits in another queue, then the operation only follows it.
  public init<Output>(_ transfer: Transfer<Output>) {
    self.transfer = transfer
    follow = { transfer.callbacks.follow($0) }
    super.init()
    _ = transfer.pass(through: gate)
    transfer.stateChanges.observe { [weak self] in self?.follow($0) }
  }

  deinit {
    // A transfer that was started itself does not wait for an operation that is gone.
    gate.open()
  }

  /// Returns true: the operation goes on when `start()` has returned.
  public override var isAsynchronous: Bool { true }

  /// Whether the operation may be started: its dependencies are finished and the transfer is not paused, or it was
  /// cancelled.
  public override var isReady: Bool {
    super.isReady && (isCancelled || gate.isOpen || transfer.state != .paused)
  }

  /// Whether the operation was started and the transfer has not ended.
  public override var isExecuting: Bool { phase.withLock { $0 == .executing } }

  /// Whether the operation was started and the transfer has ended.
  public override var isFinished: Bool { phase.withLock { $0 == .finished } }

  /// Starts the transfer, unless it is paused; called by the queue.
  public override func start() {
    guard change(from: .waiting, to: .executing, announcing: ["isExecuting"]) else { return }
    gate.open()
    transfer.start()
    // It may have ended before.
    if transfer.state == .finished { finish() }
  }

  /// Cancels the transfer and the operation. The bytes of an unfinished download are kept.
  public override func cancel() {
    transfer.cancel()
    // One whose transfer has ended before is about to finish.
    guard transfer.isCancelled || phase.withLock({ $0 == .waiting }) else { return }
    super.cancel()
  }

  private func follow(_ state: TransferState) {
    switch state {
    case .finished: finish()
    case .ready, .paused:
      guard !gate.isOpen else { return }
      willChangeValue(forKey: "isReady")
      didChangeValue(forKey: "isReady")
    case .executing: break
    }
  }

  private func finish() {
    // Before its turn too, so that the queue does not wait for its dependencies.
    if transfer.isCancelled { super.cancel() }
    // Foundation on Linux calls the operations that depend on one that finishes, also a cancelled one that was released
    // long before.
    if isCancelled {
      for dependency in dependencies where !dependency.isFinished { removeDependency(dependency) }
    }
    change(from: .executing, to: .finished, announcing: ["isExecuting", "isFinished"])
  }

  @discardableResult
  private func change(from phase: Phase, to next: Phase, announcing keys: [String]) -> Bool {
    for key in keys { willChangeValue(forKey: key) }
    let isChanged = self.phase.withLock { current in
      guard current == phase else { return false }
      current = next
      return true
    }
    for key in keys.reversed() { didChangeValue(forKey: key) }
    return isChanged
  }
}
