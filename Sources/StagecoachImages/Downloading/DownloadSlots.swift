#if Images
  import StagecoachCore
  import Synchronization

  /// A limited number of slots, and the queue of those that wait for one.
  final class DownloadSlots: Sendable {
    fileprivate typealias Queue = SlotQueue<TargetURI.Origin?, Waiter<Void>>

    /// A place in the queue. It is taken at once, so that the order is that of the calls and not that of their tasks.
    struct Place: Sendable {
      fileprivate let waiter: Waiter<Void>
      fileprivate let ticket: Queue.Ticket?
    }

    private let queue: Mutex<Queue>

    init(limit: Int, order: ImageDownloader.Order) {
      queue = Mutex(
        Queue(
          perClient: limit,
          perOrigin: limit,
          queueLimit: .max,
          isLastInFirstOut: order == .lastInFirstOut
        )
      )
    }

    /// Takes a place, which must be passed to ``run(in:_:)``.
    func enter() -> Place {
      queue.withLock { queue in
        let waiter = Waiter<Void>()
        guard queue.acquire(nil) else { return Place(waiter: waiter, ticket: queue.enqueue(waiter, nil)) }
        waiter.end()
        return Place(waiter: waiter, ticket: nil)
      }
    }

    /// Waits for a slot and does the work in it.
    ///
    /// - Throws: The error of the work; `CancellationError` if the task is cancelled before it has a slot.
    func run<Value: Sendable>(in place: Place, _ work: @Sendable () async throws -> Value) async throws
      -> Value
    {
      try await place.waiter.value {
        // Without a place in the queue it has got a slot meanwhile.
        if place.ticket.flatMap({ ticket in queue.withLock { $0.remove(ticket) } }) == nil { release() }
      }
      defer { release() }
      try Task.checkCancellation()
      return try await work()
    }

    private func release() {
      let next = queue.withLock { queue in
        queue.release(nil)
        return queue.grant()
      }
      next?.end()
    }
  }
#endif
