import Synchronization

/// Reports the end of an exchange to the observers, once: when the call has returned and the body has ended, whichever
/// is later, with the first error of the two.
final class ExchangeEnd: Sendable {
  private struct State {
    var callHasEnded = false
    var bodyHasEnded = false
    var failure: (any Error)?
    var wasDropped = false
    var isReported = false
  }

  private let request: Request
  private let state = Mutex(State())

  init(_ request: Request) {
    self.request = request
  }

  /// Records that the call has returned or thrown. If it threw, there is no body to wait for.
  func callEnded(_ error: (any Error)?) {
    update { state in
      state.callHasEnded = true
      if let error {
        state.failure = state.failure ?? error
        state.bodyHasEnded = true
      }
    }
  }

  func bodyEnded(_ end: BodyEnd) {
    update { state in
      state.bodyHasEnded = true
      if case .failed(let error) = end { state.failure = state.failure ?? error }
      if case .dropped = end { state.wasDropped = true }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let kind = state.withLock { state -> Event.Kind? in
      change(&state)
      guard state.callHasEnded, state.bodyHasEnded, !state.isReported else { return nil }
      state.isReported = true
      switch state.failure {
      case nil: return state.wasDropped ? .exchangeCancelled : .exchangeFinished
      case is CancellationError: return .exchangeCancelled
      case let error?: return .exchangeFailed(error)
      }
    }
    if let kind { request.emit(kind) }
  }
}
