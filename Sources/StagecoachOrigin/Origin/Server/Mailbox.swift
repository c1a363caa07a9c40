#if Tool
  import Synchronization

  /// A queue of values with waiting readers. Each value is taken once, by the first caller whose condition it meets.
  final class Mailbox<Value: Sendable>: Sendable {
    private struct Waiter {
      let id: Int
      let accepts: @Sendable (Value) -> Bool
      let continuation: CheckedContinuation<Value, any Error>
      let timer: Task<Void, Never>
    }

    private struct State {
      var values: [Value] = []
      var waiters: [Waiter] = []
      var nextID = 0
      var isClosed = false
    }

    private enum Arrival {
      case waiting
      case value(Value)
      case closed
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: How many values may lie here untaken; the oldest go first.
    init(limit: Int) { self.limit = limit }

    func post(_ value: Value) {
      let waiter = state.withLock { state -> Waiter? in
        if let index = state.waiters.firstIndex(where: { $0.accepts(value) }) {
          return state.waiters.remove(at: index)
        }
        guard !state.isClosed, limit > 0 else { return nil }
        if state.values.count >= limit { state.values.removeFirst() }
        state.values.append(value)
        return nil
      }
      waiter?.timer.cancel()
      waiter?.continuation.resume(returning: value)
    }

    /// The oldest untaken value that is accepted, or the next one that comes.
    func take(
      within timeout: Duration,
      waitingFor purpose: String,
      where accepts: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let arrival = state.withLock { state -> Arrival in
            if let index = state.values.firstIndex(where: accepts) {
              return .value(state.values.remove(at: index))
            }
            if state.isClosed { return .closed }
            // The timer needs this lock before it can fail the waiter, so it cannot be too early.
            let timer = Task {
              guard (try? await Task.sleep(for: timeout)) != nil else { return }
              self.fail(id, with: OriginError.timedOut(waitingFor: purpose))
            }
            state.waiters.append(
              Waiter(id: id, accepts: accepts, continuation: continuation, timer: timer)
            )
            return .waiting
          }
          switch arrival {
          case .value(let value): continuation.resume(returning: value)
          case .closed: continuation.resume(throwing: OriginError.stopped)
          case .waiting:
            // A cancellation before the waiter was registered had no effect.
            if Task.isCancelled { fail(id, with: CancellationError()) }
          }
        }
      } onCancel: {
        fail(id, with: CancellationError())
      }
    }

    /// Removes untaken values.
    func discard(where condition: (Value) -> Bool) {
      state.withLock { $0.values.removeAll(where: condition) }
    }

    /// Fails all waiting callers, and later callers that find no value.
    func close() {
      let waiters = state.withLock { state in
        state.isClosed = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters {
        waiter.timer.cancel()
        waiter.continuation.resume(throwing: OriginError.stopped)
      }
    }

    private func fail(_ id: Int, with error: any Error) {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index)
      }
      waiter?.timer.cancel()
      waiter?.continuation.resume(throwing: error)
    }
  }
#endif
