import Synchronization

/// Holds a transfer back until the queue has started its operation, also if the transfer itself is started or resumed.
///
/// It is separate from the operation, because a transfer refers to its gate, and an operation to its transfer.
final class OperationGate: TransferGate {
  private struct State {
    var isOpen = false
    var begin: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether the operation has been started.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets the transfer execute.
  func open() {
    let begin = state.withLock { state in
      state.isOpen = true
      return Self.take(&state)
    }
    begin?()
  }

  /// Forgets a transfer that waits, because its operation was released.
  func abandon() {
    _ = state.withLock { Self.take(&$0) }
  }

  func enter(_ transfer: any TransferHandle, begin: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.begin = begin }
      return state.isOpen
    }
    if isOpen { begin() }
  }

  func withdraw(_ transfer: any TransferHandle) { abandon() }

  /// Does nothing: the slot belongs to the operation, until that is finished.
  func leave(_ transfer: any TransferHandle) {}

  private static func take(_ state: inout State) -> (@Sendable () -> Void)? {
    defer { state.begin = nil }
    return state.begin
  }
}
