#if Images
  import StagecoachCore
  import Synchronization

  /// Loads a value once for all callers that ask for it at the same time.
  ///
  /// The stage `Coalescing` shares responses: each request would decode its own copy of an image, and hold its own slot.
  /// Here the callers share the decoded value.
  ///
  /// A load runs in its own task, because it must continue when the first caller is cancelled and others wait. The task
  /// inherits the priority and the task-local values of the first caller. It is cancelled with the last caller.
  final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Work = @Sendable () async throws -> Value

    private struct Load {
      let number: Int
      let task: Task<Void, Never>
      /// In the order of arrival.
      var waiters: [Waiter<Value>] = []
    }

    private struct State {
      var loads: [Key: Load] = [:]
      var count = 0
    }

    private let state = Mutex(State())

    /// The number of callers that wait.
    var waiting: Int { state.withLock { $0.loads.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Waits for the value of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - prepare: Returns the work, and reserves what it needs in the order of calls; called under a lock, only if
    ///     there is no load of this key.
    /// - Throws: The error of the work; `CancellationError` if the task of the caller is cancelled.
    func value(for key: Key, _ prepare: @Sendable () -> Work) async throws -> Value {
      try Task.checkCancellation()
      let waiter = Waiter<Value>()
      state.withLock { state in
        if state.loads[key] == nil {
          state.count += 1
          let number = state.count
          let work = prepare()
          let task = Task {
            do {
              finish(key, number, .success(try await work()))
            } catch {
              finish(key, number, .failure(error))
            }
          }
          state.loads[key] = Load(number: number, task: task)
        }
        state.loads[key]?.waiters.append(waiter)
      }
      return try await waiter.value { leave(key, waiter) }
    }

    private func leave(_ key: Key, _ waiter: Waiter<Value>) {
      let task = state.withLock { state -> Task<Void, Never>? in
        guard let index = state.loads[key]?.waiters.firstIndex(where: { $0 === waiter }) else { return nil }
        state.loads[key]?.waiters.remove(at: index)
        guard state.loads[key]?.waiters.isEmpty == true else { return nil }
        // Whoever asks from now on gets a load of its own.
        return state.loads.removeValue(forKey: key)?.task
      }
      task?.cancel()
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
      let waiters = state.withLock { state in
        // Another load may have taken the place of one that was cancelled.
        state.loads[key]?.number == number ? state.loads.removeValue(forKey: key)?.waiters : nil
      }
      for waiter in waiters ?? [] { waiter.end(with: result) }
    }
  }
#endif
