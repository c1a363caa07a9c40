#if Images
  import Synchronization

  /// A gate that tasks wait at until it is opened, or until they are cancelled.
  final class Gate: Sendable {
    private struct State {
      var isOpen = false
      var count = 0
      var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Mutex(State())

    func open() {
      let waiting = state.withLock { state in
        defer { state.waiting = [:] }
        state.isOpen = true
        return state.waiting
      }
      for continuation in waiting.values { continuation.resume() }
    }

    func wait() async throws {
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting[number] = continuation }
            return state.isOpen
          }
          if isOpen { return continuation.resume() }
          if Task.isCancelled { cancel(number) }
        }
      } onCancel: {
        cancel(number)
      }
    }

    private func cancel(_ number: Int) {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
    }
  }
#endif
