public import Foundation

extension Transfer {
  /// Returns a Foundation `Progress` that follows the transfer and controls it.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let transfer = client.download(.get("film.mp4"), to: .file("/tmp/film.mp4"))
  /// let all = Progress.discreteProgress(totalUnitCount: 100)
  /// all.addChild(transfer.foundationProgress(), withPendingUnitCount: 80)
  /// ```
  ///
  /// The units are bytes, and the total is -1 while it is not known. It is finished only when the transfer has
  /// succeeded: until then at least one unit is missing, and a transfer of no bytes counts as one unit.
  ///
  /// Cancelling, pausing and resuming it, or a parent, does the same to the transfer; it is cancelled and paused if the
  /// transfer is. It refers to the transfer weakly and has no parent yet.
  ///
  /// - Parameters:
  ///   - count: The direction: `\.received`, or `\.sent` for uploads.
  ///   - queue: Where the progress is changed. Foundation's class has no lock on Linux, so read it there.
  public func foundationProgress(
    of count: any KeyPath<TransferProgress, TransferProgress.Count> & Sendable = \.received,
    on queue: CallbackQueue = .standard
  ) -> Progress {
    let progress = ControllingProgress(self)
    onProgress(on: queue) { [weak progress] in progress?.show($0[keyPath: count]) }
    onCompletion(on: queue) { [weak progress] outcome in
      if case .success = outcome { progress?.finish() }
    }
    return progress
  }
}

/// The progress of a transfer.
private final class ControllingProgress: Progress, @unchecked Sendable {
  // Safe: the reference is set once, and everything else is changed on one queue only.
  private weak let transfer: (any TransferHandle)?
  private var bytes: Int64 = 0

  init(_ transfer: any TransferHandle) {
    self.transfer = transfer
    super.init(parent: nil, userInfo: nil)
    totalUnitCount = -1
    isCancellable = true
    isPausable = true
    #if canImport(Darwin)
      cancellationHandler = { [weak transfer] in transfer?.cancel() }
      pausingHandler = { [weak transfer] in transfer?.pause() }
      resumingHandler = { [weak transfer] in transfer?.resume() }
    #endif
  }

  func show(_ count: TransferProgress.Count) {
    bytes = count.bytes
    guard let total = count.total else {
      totalUnitCount = -1
      completedUnitCount = count.bytes
      return
    }
    // A child that has been complete leaves its parent, and may come neither back nor again.
    completedUnitCount = max(min(count.bytes, total - 1), 0)
    totalUnitCount = max(total, 1)
  }

  func finish() {
    totalUnitCount = max(bytes, 1)
    completedUnitCount = totalUnitCount
  }

  #if canImport(Darwin)
    override var isCancelled: Bool { transfer?.isCancelled ?? super.isCancelled }
    override var isPaused: Bool { transfer.map { $0.state == .paused } ?? super.isPaused }
  #else
    // Foundation calls the handlers on threads of a concurrent queue here, so that a pause could come after the
    // resumption that followed it. A parent calls these methods of its children.
    override var isCancelled: Bool {
      get { transfer?.isCancelled ?? super.isCancelled }
      set { super.isCancelled = newValue }
    }

    override var isPaused: Bool {
      get { transfer.map { $0.state == .paused } ?? super.isPaused }
      set { super.isPaused = newValue }
    }

    override func cancel() {
      transfer?.cancel()
      super.cancel()
    }

    override func pause() {
      transfer?.pause()
      super.pause()
    }

    override func resume() {
      transfer?.resume()
      super.resume()
    }
  #endif
}
