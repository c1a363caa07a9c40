#if CURL
  import StagecoachCore

  /// The number of transfers to each origin, and the queue of waiting ones.
  struct Origins {
    private typealias Queue = SlotQueue<Place, Transfer>

    /// The number of remembered origins with multiplexed connections.
    private static let spare = 256

    private let limit: Int
    private var queue: Queue
    private var tickets: [ObjectIdentifier: Queue.Ticket] = [:]
    /// Those with multiplexed connections.
    private var multiplexed: Set<Place> = []

    /// - Parameter limit: The maximum number of transfers to one origin, if each needs a connection.
    init(limit: Int) {
      self.limit = limit
      queue = Queue(perClient: .max, perOrigin: limit, queueLimit: .max)
    }

    /// Whether requests to a place share a connection with other transfers.
    func isShared(_ place: Place) -> Bool {
      multiplexed.contains(place) && queue.use(of: place).inFlight > 1
    }

    /// Counts a transfer, or queues it.
    ///
    /// - Returns: Whether it may begin.
    mutating func enter(_ transfer: Transfer) -> Bool {
      guard queue.acquire(transfer.place) else {
        tickets[ObjectIdentifier(transfer)] = queue.enqueue(transfer, transfer.place)
        return false
      }
      if multiplexed.contains(transfer.place) { queue.setLimit(.max, of: transfer.place) }
      return true
    }

    /// Releases the place of a transfer.
    ///
    /// - Returns: The transfer that takes its place.
    mutating func leave(_ place: Place) -> Transfer? {
      queue.release(place)
      return queue.waiting > 0 ? next() : nil
    }

    private mutating func next() -> Transfer? {
      let next = queue.grant()
      if let next { tickets[ObjectIdentifier(next)] = nil }
      return next
    }

    /// Marks the connections to a place as multiplexed, so that no transfer has to wait.
    ///
    /// - Returns: The waiting transfers, which may begin now.
    mutating func multiplex(_ place: Place) -> [Transfer] {
      if multiplexed.count >= Self.spare, !multiplexed.contains(place) { multiplexed = [] }
      guard multiplexed.insert(place).inserted else { return [] }
      queue.setLimit(.max, of: place)
      var freed: [Transfer] = []
      while let next = next() { freed.append(next) }
      return freed
    }

    /// Removes a transfer from the queue.
    mutating func withdraw(_ transfer: Transfer) {
      if let ticket = tickets.removeValue(forKey: ObjectIdentifier(transfer)) { _ = queue.remove(ticket) }
    }

    /// Removes all origins, and returns the waiting transfers.
    mutating func removeAll() -> [Transfer] {
      defer { self = Origins(limit: limit) }
      return queue.removeAll()
    }
  }
#endif
