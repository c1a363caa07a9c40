#if Images
  import StagecoachCore
  import Synchronization

  /// A limited number of slots, and the queue of those that wait for one.
  final class DownloadSlots: Sendable {
    /// A place in the queue. It is taken at once, so that the order is that of the calls and not that of their tasks.
    struct Place: Sendable {
      fileprivate let waiter = Waiter<Void>()
      /// `nil` if it has got a slot at once.
      fileprivate var ticket: SlotQueue.Ticket?
    }

    private struct State {
      var slots: SlotQueue
      var waiters: [SlotQueue.Ticket: Waiter<Void>] = [:]
    }

    private let state: Mutex<State>

    init(limit: Int, order: ImageDownloader.Order) {
      state = Mutex(State(slots: SlotQueue(perClient: limit, isLastInFirstOut: order == .lastInFirstOut)))
    }

    /// Takes a place, which must be passed to ``run(in:_:)``.
    func enter() -> Place {
      state.withLock { state in
        var place = Place()
        if state.slots.acquire(nil) {
          place.waiter.end()
        } else if let ticket = state.slots.enqueue(nil) {
          place.ticket = ticket
          state.waiters[ticket] = place.waiter
        }
        return place
      }
    }

    /// Waits for a slot and does the work in it.
    ///
    /// - Throws: The error of the work; `CancellationError` if the task is cancelled before it has a slot.
    func run<Value: Sendable>(in place: Place, _ work: @Sendable () async throws -> Value) async throws
      -> Value
    {
      try await place.waiter.value { leave(place) }
      defer { release() }
      try Task.checkCancellation()
      return try await work()
    }

    private func leave(_ place: Place) {
      let wasWaiting = state.withLock { state in
        guard let ticket = place.ticket else { return false }
        state.waiters[ticket] = nil
        return state.slots.remove(ticket)
      }
      // It has got a slot meanwhile.
      if !wasWaiting { release() }
    }

    private func release() {
      let next = state.withLock { state in
        state.slots.release(nil)
        return state.slots.grant().flatMap { state.waiters.removeValue(forKey: $0) }
      }
      next?.end()
    }
  }
#endif
