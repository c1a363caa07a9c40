/// The state of a transfer.
///
/// There are seven legal transitions: from ready to executing, to paused and, when cancelled, to finished; from
/// executing to paused and to finished; from paused to ready and, when cancelled, to finished. Finished is final.
public enum TransferState: String, Sendable, Hashable, Codable, CaseIterable {
  /// Not started yet; or resumed, and waiting for its turn.
  case ready
  /// Under way.
  case executing
  /// Suspended. What was received is kept.
  case paused
  /// Ended: succeeded, failed or cancelled.
  case finished

  /// Returns whether a transfer in this state may change to another.
  ///
  /// - Parameters:
  ///   - next: The other state.
  ///   - isCancelled: Whether the transfer has been cancelled.
  public func canBecome(_ next: TransferState, isCancelled: Bool) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .paused): true
    case (.executing, .paused), (.executing, .finished): true
    case (.paused, .ready): true
    case (.ready, .finished), (.paused, .finished): isCancelled
    default: false
    }
  }
}
