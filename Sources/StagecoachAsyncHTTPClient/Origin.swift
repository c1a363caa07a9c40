#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import Synchronization

  /// A server as a transport sees it: who was handed to the engine, and who waits for a connection.
  ///
  /// The engine would queue too, at the price of a timer and of several changes of thread for each
  /// request. Here a connection that becomes free goes to the next request on its own event loop.
  final class Origin: Sendable {
    /// A reference, since requests of the engine are large.
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
      /// When there were last several transfers, or one that was given up without a connection.
      var crowded: ContinuousClock.Instant?
    }

    private let limit: Int
    private let state = Mutex(State())
    private let connected = Atomic(0)
    private let multiplexes = Atomic(false)

    /// - Parameter limit: How many connections there may be. A server of which a response came in HTTP/2
    ///   has no limit here: the engine minds the streams of its connection.
    init(limit: Int) {
      self.limit = limit
    }

    var isIdle: Bool { state.withLock { $0.running == 0 && $0.waiting.isEmpty } }

    /// Whether a transfer has a connection: one that waits for the engine may then be waiting for a
    /// free connection and not for a new one.
    var hasConnections: Bool { connected.load(ordering: .relaxed) > 0 }

    func addConnections(_ change: Int) {
      connected.add(change, ordering: .relaxed)
    }

    var isMultiplexed: Bool { multiplexes.load(ordering: .relaxed) }

    /// Whether a transfer may begin now.
    func enter(now: ContinuousClock.Instant) -> Bool {
      state.withLock { state in
        if state.running > 0 { state.crowded = now }
        return enter(&state)
      }
    }

    /// Whether the transfer may begin after all; if not it is begun later by who makes room for it.
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

    /// A connection that is being made may from now on serve another transfer than the one it is made for.
    func crowd(now: ContinuousClock.Instant) {
      state.withLock { $0.crowded = now }
    }

    /// Whether a new connection that serves a transfer was made for it: it was alone all the time, and no
    /// connection that was begun for another can have been left, since the engine gives up after a minute.
    func wasAlone(since begun: ContinuousClock.Instant) -> Bool {
      state.withLock { state in
        state.crowded.map { $0.advanced(by: .seconds(60)) < begun } ?? true
      }
    }

    /// Gives the place of a transfer to the next that waits, if one does.
    func leave() -> Waiting? {
      state.withLock { state in
        guard let next = state.waiting.popFirst() else {
          state.running -= 1
          return nil
        }
        return next
      }
    }

    /// Takes a transfer that was given up out of the queue.
    func withdraw(_ transfer: Transfer) {
      state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.transfer === transfer }) else { return }
        state.waiting.remove(at: index)
      }
    }

    /// Lifts the limit, and returns who may begin.
    func multiplex() -> [Waiting] {
      state.withLock { state in
        multiplexes.store(true, ordering: .relaxed)
        state.running += state.waiting.count
        defer { state.waiting.removeAll() }
        return Array(state.waiting)
      }
    }

    /// Those who will not begin any more.
    func removeWaiting() -> [Transfer] {
      state.withLock { state in
        defer { state.waiting.removeAll() }
        return state.waiting.map(\.transfer)
      }
    }
  }

  /// The servers of a transport, by scheme and authority.
  final class Origins: Sendable {
    struct Name: Hashable {
      let isSecure: Bool
      let authority: String
    }

    private let limit: Int
    private let all = Mutex<[Name: Origin]>([:])
    /// How many servers are remembered before those without transfers are forgotten.
    private static let capacity = 1024

    init(limit: Int) {
      self.limit = limit
    }

    subscript(name: Name) -> Origin {
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
