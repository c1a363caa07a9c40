#if Images
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
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Load {
      let number: Int
      let task: Task<Void, Never>
      /// In the order of arrival.
      var waiters: [(id: Int, waiter: Waiter)] = []
    }

    private struct State {
      var loads: [Key: Load] = [:]
      var count = 0

      mutating func next() -> Int {
        count += 1
        return count
      }
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
      let id = state.withLock { $0.next() }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiter in
          join(key, id, waiter, prepare)
          // A task that was cancelled before it waited could not remove itself.
          if Task.isCancelled { leave(key, id) }
        }
      } onCancel: {
        leave(key, id)
      }
    }

    private func join(_ key: Key, _ id: Int, _ waiter: Waiter, _ prepare: () -> Work) {
      state.withLock { state in
        if state.loads[key] == nil {
          let number = state.next()
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
        state.loads[key]?.waiters.append((id, waiter))
      }
    }

    private func leave(_ key: Key, _ id: Int) {
      let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
        guard let index = state.loads[key]?.waiters.firstIndex(where: { $0.id == id }) else {
          return (nil, nil)
        }
        let waiter = state.loads[key]?.waiters.remove(at: index).waiter
        guard state.loads[key]?.waiters.isEmpty == true else { return (waiter, nil) }
        // Whoever asks from now on gets a load of its own.
        return (waiter, state.loads.removeValue(forKey: key)?.task)
      }
      waiter?.resume(throwing: CancellationError())
      task?.cancel()
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
      let waiters = state.withLock { state in
        // Another load may have taken the place of one that was cancelled.
        state.loads[key]?.number == number ? state.loads.removeValue(forKey: key)?.waiters : nil
      }
      for (_, waiter) in waiters ?? [] { waiter.resume(with: result) }
    }
  }
#endif
