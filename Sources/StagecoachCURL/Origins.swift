#if CURL
  import StagecoachCore

  /// The number of transfers to each origin, and the queue of waiting ones.
  struct Origins {
    private struct Origin {
      var active = 0
      /// Whether its connections are multiplexed.
      var isMultiplexed = false
      var waiting: [Transfer?] = []
      var firstWaiting = 0

      var isIdle: Bool { active == 0 && firstWaiting == waiting.count }

      mutating func enter(_ transfer: Transfer, limit: Int) -> Bool {
        guard active < limit || isMultiplexed else {
          waiting.append(transfer)
          return false
        }
        active += 1
        return true
      }

      mutating func leave() -> Transfer? {
        if let next = popFirst() { return next }
        active -= 1
        return nil
      }

      mutating func popFirst() -> Transfer? {
        guard firstWaiting < waiting.count else { return nil }
        defer {
          // A transfer that left the queue must not be retained: it refers to the engine.
          waiting[firstWaiting] = nil
          firstWaiting += 1
          if firstWaiting == waiting.count || firstWaiting > 64 && firstWaiting * 2 > waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
          }
        }
        return waiting[firstWaiting]
      }
    }

    /// The number of remembered origins without a transfer.
    private static let spare = 256

    private var origins: [Place: Origin] = [:]
    private let limit: Int

    /// - Parameter limit: The maximum number of transfers to one origin, if each needs a connection.
    init(limit: Int) {
      self.limit = max(1, limit)
    }

    /// Whether requests to a place share a connection with other transfers.
    func isShared(_ place: Place) -> Bool {
      origins[place].map { $0.isMultiplexed && $0.active > 1 } ?? false
    }

    /// Counts a transfer, or queues it.
    ///
    /// - Returns: Whether it may begin.
    mutating func enter(_ transfer: Transfer) -> Bool {
      if origins.count > Self.spare { origins = origins.filter { !$0.value.isIdle } }
      return origins[transfer.place, default: Origin()].enter(transfer, limit: limit)
    }

    /// Releases the place of a transfer.
    ///
    /// - Returns: The transfer that takes its place.
    mutating func leave(_ place: Place) -> Transfer? {
      origins[place]?.leave()
    }

    /// Marks the connections to a place as multiplexed, so that no transfer has to wait.
    ///
    /// - Returns: The waiting transfers, which may begin now.
    mutating func multiplex(_ place: Place) -> [Transfer] {
      guard origins[place]?.isMultiplexed == false else { return [] }
      origins[place]?.isMultiplexed = true
      var freed: [Transfer] = []
      while let next = origins[place]?.popFirst() { freed.append(next) }
      origins[place]?.active += freed.count
      return freed
    }

    /// Removes a transfer from the queue.
    mutating func withdraw(_ transfer: Transfer) {
      guard let origin = origins[transfer.place],
        let index = origin.waiting[origin.firstWaiting...].firstIndex(where: { $0 === transfer })
      else { return }
      origins[transfer.place]?.waiting.remove(at: index)
    }

    /// Removes all origins, and returns the waiting transfers.
    mutating func removeAll() -> [Transfer] {
      defer { origins = [:] }
      return origins.values.flatMap { $0.waiting[$0.firstWaiting...].compactMap(\.self) }
    }
  }
#endif
