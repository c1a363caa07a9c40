#if CURL
  import StagecoachCore

  /// The number of transfers to each origin, and the queue of waiting ones.
  struct Origins {
    /// The number of remembered origins with multiplexed connections.
    private static let spare = 256

    private var slots: SlotQueue
    private var waiting: [SlotQueue.Ticket: Transfer] = [:]
    private var tickets: [ObjectIdentifier: SlotQueue.Ticket] = [:]
    /// Origins with multiplexed connections.
    private var multiplexed: Set<SlotQueue.Key> = []

    /// - Parameter limit: The maximum number of transfers to one origin, if each needs a connection.
    init(limit: Int) {
      slots = SlotQueue(perOrigin: limit)
    }

    /// Whether requests to an origin share a connection with other transfers.
    func isShared(_ origin: SlotQueue.Key) -> Bool {
      multiplexed.contains(origin) && slots.use(of: origin).inFlight > 1
    }

    /// Counts a transfer, or queues it.
    ///
    /// - Returns: Whether it may begin.
    mutating func enter(_ transfer: Transfer) -> Bool {
      guard slots.acquire(transfer.origin) else {
        if let ticket = slots.enqueue(transfer.origin) {
          waiting[ticket] = transfer
          tickets[ObjectIdentifier(transfer)] = ticket
        }
        return false
      }
      if multiplexed.contains(transfer.origin) { slots.setLimit(.max, of: transfer.origin) }
      return true
    }

    /// Releases the slot of a transfer.
    ///
    /// - Returns: The transfer that takes its slot.
    mutating func leave(_ origin: SlotQueue.Key) -> Transfer? {
      slots.release(origin)
      return slots.waiting > 0 ? next() : nil
    }

    private mutating func next() -> Transfer? {
      guard let ticket = slots.grant(), let next = waiting.removeValue(forKey: ticket) else { return nil }
      tickets[ObjectIdentifier(next)] = nil
      return next
    }

    /// Marks the connections to an origin as multiplexed, so that no transfer has to wait.
    ///
    /// - Returns: The waiting transfers, which may begin now.
    mutating func multiplex(_ origin: SlotQueue.Key) -> [Transfer] {
      if multiplexed.count >= Self.spare, !multiplexed.contains(origin) { multiplexed = [] }
      guard multiplexed.insert(origin).inserted else { return [] }
      slots.setLimit(.max, of: origin)
      var freed: [Transfer] = []
      while let next = next() { freed.append(next) }
      return freed
    }

    /// Removes a transfer from the queue.
    mutating func withdraw(_ transfer: Transfer) {
      guard let ticket = tickets.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
      slots.remove(ticket)
      waiting[ticket] = nil
    }

    /// Empties the queue.
    ///
    /// - Returns: The transfers that waited.
    mutating func removeAll() -> [Transfer] {
      let transfers = Array(waiting.values)
      for transfer in transfers { withdraw(transfer) }
      return transfers
    }
  }
#endif
