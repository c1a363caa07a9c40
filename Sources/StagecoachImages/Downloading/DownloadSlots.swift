#if Images
  import Synchronization

  /// A limited number of slots, and the queue of those that wait for one.
  final class DownloadSlots: Sendable {
    /// A place in the queue. It is taken at once, so that the order is that of the calls and not that of their tasks.
    struct Place: Sendable {
      fileprivate let number: Int
    }

    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
      var free: Int
      var count = 0
      /// Places without a slot in the order of arrival; the waiter is `nil` until it waits.
      var queue: [(number: Int, waiter: Waiter?)] = []
      /// Places that have got a slot before they waited for it.
      var granted: Set<Int> = []
    }

    private let order: ImageDownloader.Order
    private let state: Mutex<State>

    init(limit: Int, order: ImageDownloader.Order) {
      self.order = order
      state = Mutex(State(free: max(1, limit)))
    }

    /// Takes a place, which must be passed to ``run(in:_:)``.
    func enter() -> Place {
      state.withLock { state in
        state.count += 1
        if state.free > 0 {
          state.free -= 1
          state.granted.insert(state.count)
        } else {
          state.queue.append((state.count, nil))
        }
        return Place(number: state.count)
      }
    }

    /// Waits for a slot and does the work in it.
    ///
    /// - Throws: The error of the work; `CancellationError` if the task is cancelled before it has a slot.
    func run<Value: Sendable>(in place: Place, _ work: @Sendable () async throws -> Value) async throws
      -> Value
    {
      try await wait(in: place)
      defer { release() }
      try Task.checkCancellation()
      return try await work()
    }

    private func wait(in place: Place) async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiter in
          let outcome = state.withLock { state -> Result<Void, any Error>? in
            if state.granted.remove(place.number) != nil { return .success(()) }
            guard let index = state.queue.firstIndex(where: { $0.number == place.number }) else {
              return .failure(CancellationError())
            }
            state.queue[index].waiter = waiter
            return nil
          }
          if let outcome { waiter.resume(with: outcome) }
        }
      } onCancel: {
        leave(place)
      }
    }

    /// Gives up a place that has no slot yet.
    private func leave(_ place: Place) {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.queue.firstIndex(where: { $0.number == place.number }) else { return nil }
        return state.queue.remove(at: index).waiter
      }
      waiter?.resume(throwing: CancellationError())
    }

    private func release() {
      let waiter = state.withLock { state -> Waiter? in
        guard !state.queue.isEmpty else {
          state.free += 1
          return nil
        }
        let next =
          switch order {
          case .firstInFirstOut: state.queue.removeFirst()
          case .lastInFirstOut: state.queue.removeLast()
          }
        if next.waiter == nil { state.granted.insert(next.number) }
        return next.waiter
      }
      waiter?.resume()
    }
  }
#endif
