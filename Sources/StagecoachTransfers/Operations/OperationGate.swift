import Synchronization

/// Holds a transfer back until the queue has started its operation, also if the transfer itself is started or resumed.
///
/// It is separate from the operation, because a transfer refers to its gate, and an operation to its transfer.
final class OperationGate: TransferGate {
  private struct State {
    var isOpen = false
    /// The newest place, and what gives it its turn.
    var place = 0
    var begin: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether the transfer may execute.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets the transfer execute, now if it was started, and from now on.
  func open() {
    let begin = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state.begin
    }
    begin?()
  }

  func enter(_ place: Int, begin: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      // Threads that resume and pause may enter in another order than they got their places.
      if !state.isOpen, place > state.place { (state.place, state.begin) = (place, begin) }
      return state.isOpen
    }
    if isOpen { begin() }
  }

  /// Does nothing: a place that was given up ignores its turn.
  func withdraw(_ place: Int) {}

  /// Does nothing: the slot belongs to the operation until it is finished.
  func leave() {}
}
