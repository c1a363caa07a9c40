#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import StagecoachCore
  import Synchronization

  /// A server and its transfers: those that the engine has, and those that wait for a connection.
  ///
  /// The engine would queue too, at the cost of a timer and several changes of thread per request. Here a free
  /// connection goes to the next request on its own event loop.
  final class Origin: Sendable {
    /// A waiting transfer. A reference, because engine requests are large.
    final class Waiting: Sendable {
      let transfer: Transfer
      let request: HTTPClient.Request

      init(_ transfer: Transfer, _ request: HTTPClient.Request) {
        self.transfer = transfer
        self.request = request
      }
    }

    private struct State {
      var running = 0
      var waiting = CircularBuffer<Waiting>()
      /// The last instant with several transfers, or with a transfer that was cancelled without a connection.
      var crowded: ContinuousClock.Instant?
    }

    private let limit: Int
    private let state = Mutex(State())
    private let connected = Atomic(0)
    private let multiplexes = Atomic(false)

    /// - Parameter limit: The maximum number of connections. After an HTTP/2 response the limit is lifted, because the
    ///   engine limits the streams of its connection.
    init(limit: Int) {
      self.limit = limit
    }

    var isIdle: Bool { state.withLock { $0.running == 0 && $0.waiting.isEmpty } }

    /// Whether any transfer has a connection. If so, a transfer that waits for the engine may be waiting for a free
    /// connection instead of a new one.
    var hasConnections: Bool { connected.load(ordering: .relaxed) > 0 }

    func addConnections(_ change: Int) {
      connected.add(change, ordering: .relaxed)
    }

    var isMultiplexed: Bool { multiplexes.load(ordering: .relaxed) }

    /// Whether a transfer may begin now. Counts it if so.
    func enter(now: ContinuousClock.Instant) -> Bool {
      state.withLock { state in
        if state.running > 0 { state.crowded = now }
        return enter(&state)
      }
    }

    /// Whether the transfer may begin after all. If not, it is queued and begins when another transfer leaves.
    func enterOrWait(_ transfer: Transfer, _ request: HTTPClient.Request) -> Bool {
      state.withLock { state in
        if enter(&state) { return true }
        state.waiting.append(Waiting(transfer, request))
        return false
      }
    }

    private func enter(_ state: inout State) -> Bool {
      guard state.running < limit || isMultiplexed else { return false }
      state.running += 1
      return true
    }

    /// Records that a connection in progress may serve another transfer than the one it is made for.
    func crowd(now: ContinuousClock.Instant) {
      state.withLock { $0.crowded = now }
    }

    /// Whether a new connection was made for the transfer that it serves. That needs the transfer to have been the only
    /// one all the time, without a connection left from another, since the engine gives up after a minute.
    func wasAlone(since begun: ContinuousClock.Instant) -> Bool {
      state.withLock { state in
        state.crowded.map { $0.advanced(by: .seconds(60)) < begun } ?? true
      }
    }

    /// Releases the place of a transfer and returns the next waiting one, if any.
    func leave() -> Waiting? {
      state.withLock { state in
        guard let next = state.waiting.popFirst() else {
          state.running -= 1
          return nil
        }
        return next
      }
    }

    /// Removes a cancelled transfer from the queue.
    func withdraw(_ transfer: Transfer) {
      state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.transfer === transfer }) else { return }
        state.waiting.remove(at: index)
      }
    }

    /// Lifts the limit, and returns the waiting transfers.
    func multiplex() -> [Waiting] {
      state.withLock { state in
        multiplexes.store(true, ordering: .relaxed)
        state.running += state.waiting.count
        defer { state.waiting.removeAll() }
        return Array(state.waiting)
      }
    }

    /// Empties the queue, and returns its transfers.
    func removeWaiting() -> [Transfer] {
      state.withLock { state in
        defer { state.waiting.removeAll() }
        return state.waiting.map(\.transfer)
      }
    }
  }

  /// The servers of a transport; a single one without a name for a Unix socket.
  final class Origins: Sendable {
    private let limit: Int
    private let all = Mutex<[TargetURI.Origin?: Origin]>([:])
    /// The number of remembered servers above which those without transfers are removed.
    private static let capacity = 1024

    init(limit: Int) {
      self.limit = limit
    }

    subscript(name: TargetURI.Origin?) -> Origin {
      all.withLock { all in
        if let origin = all[name] { return origin }
        if all.count >= Self.capacity { all = all.filter { !$0.value.isIdle } }
        let origin = Origin(limit: limit)
        all[name] = origin
        return origin
      }
    }

    func removeWaiting() -> [Transfer] {
      all.withLock { $0.values.flatMap { $0.removeWaiting() } }
    }
  }
#endif
