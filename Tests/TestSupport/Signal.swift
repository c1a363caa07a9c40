import Synchronization

/// Something that happens once, and can be waited for.
package final class Signal: Sendable {
  private let state = Mutex<(isSet: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  package init() {}

  package func set() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state in
        if !state.isSet { state.waiting.append(continuation) }
        return state.isSet
      }
      if isSet { continuation.resume() }
    }
  }
}
