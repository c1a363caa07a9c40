#if CURL
  import StagecoachCore

  /// How many transfers are under way to each origin, and who waits, in order.
  struct Origins {
    private struct Origin {
      var active = 0
      /// Whether its connections carry many requests at a time.
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
          // Who has left must not be kept: it refers to the engine.
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

    /// How many origins without a transfer are remembered.
    private static let spare = 256

    private var origins: [Place: Origin] = [:]
    private let limit: Int

    /// - Parameter limit: How many transfers there may be to one origin, where each needs a connection.
    init(limit: Int) {
      self.limit = max(1, limit)
    }

    /// Whether requests to a place share connections with others that are under way.
    func isShared(_ place: Place) -> Bool {
      origins[place].map { $0.isMultiplexed && $0.active > 1 } ?? false
    }

    /// Counts a transfer, or lets it wait.
    ///
    /// - Returns: Whether it may begin.
    mutating func enter(_ transfer: Transfer) -> Bool {
      if origins.count > Self.spare { origins = origins.filter { !$0.value.isIdle } }
      return origins[transfer.place, default: Origin()].enter(transfer, limit: limit)
    }

    /// A transfer ended.
    ///
    /// - Returns: The one that has its place now.
    mutating func leave(_ place: Place) -> Transfer? {
      origins[place]?.leave()
    }

    /// The connections to a place carry many requests at a time: nobody has to wait for another.
    ///
    /// - Returns: Who waited, and may begin now.
    mutating func multiplex(_ place: Place) -> [Transfer] {
      guard origins[place]?.isMultiplexed == false else { return [] }
      origins[place]?.isMultiplexed = true
      var freed: [Transfer] = []
      while let next = origins[place]?.popFirst() { freed.append(next) }
      origins[place]?.active += freed.count
      return freed
    }

    /// A transfer no longer waits.
    mutating func withdraw(_ transfer: Transfer) {
      guard let origin = origins[transfer.place],
        let index = origin.waiting[origin.firstWaiting...].firstIndex(where: { $0 === transfer })
      else { return }
      origins[transfer.place]?.waiting.remove(at: index)
    }

    /// Forgets all, and returns who waited.
    mutating func removeAll() -> [Transfer] {
      defer { origins = [:] }
      return origins.values.flatMap { $0.waiting[$0.firstWaiting...].compactMap(\.self) }
    }
  }
#endif
