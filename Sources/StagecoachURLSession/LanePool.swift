#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import StagecoachCore
  import Synchronization

  /// The sessions of a transport, and the transfers that wait for one.
  ///
  /// A session serves one transfer at a time and keeps its connection for the next one. So the number of sessions is
  /// the number of connections, the queue is here and not in the engine, and a cancelled transfer is ended together
  /// with all resources that the engine holds for it.
  final class LanePool: Sendable {
    typealias Origin = TargetURI.Origin?

    fileprivate struct Idle {
      let lane: Lane
      let watch: Watchdog.Watch
    }

    fileprivate struct State {
      var slots: SlotQueue
      var waiting: [SlotQueue.Ticket: Transfer] = [:]
      var tickets: [ObjectIdentifier: SlotQueue.Ticket] = [:]
      /// The idle lanes, the most recently used last. Together with those in use they are no more than the slots: a
      /// lane is made only where none is idle.
      var idle: [Origin: [Idle]] = [:]
      /// The transfers that have a lane.
      var running: [ObjectIdentifier: Transfer] = [:]
      var isShutDown = false
    }

    private let idleTimeout: Duration
    private let watchdog: Watchdog
    private let state: Mutex<State>

    init(_ options: ConnectionOptions, watchdog: Watchdog) {
      state = Mutex(State(slots: SlotQueue(perOrigin: options.connectionsPerOrigin)))
      idleTimeout = options.idleTimeout
      self.watchdog = watchdog
    }

    /// Returns a lane for a transfer; `nil` if it has to wait, and begins when another transfer leaves.
    ///
    /// - Throws: `ExchangeError` of kind `shutdown`.
    func enter(_ transfer: Transfer) throws -> Lane? {
      let (idle, hasRoom) = try state.withLock { state -> (Idle?, Bool) in
        guard !state.isShutDown else { throw URLSessionTransport.wasShutDown }
        guard state.slots.acquire(transfer.origin) else {
          if let ticket = state.slots.enqueue(transfer.origin) {
            state.tickets[ObjectIdentifier(transfer)] = ticket
            state.waiting[ticket] = transfer
          }
          transfer.didQueue()
          return (nil, false)
        }
        state.running[ObjectIdentifier(transfer)] = transfer
        return (state.takeIdle(to: transfer.origin), true)
      }
      guard let idle else { return hasRoom ? makeLane(to: transfer.origin) : nil }
      watchdog.remove(idle.watch)
      return lane(for: transfer, in: idle.lane)
    }

    /// Returns a used lane, or a new one in its place for a transfer that needs a new connection.
    private func lane(for transfer: Transfer, in lane: Lane) -> Lane {
      guard transfer.needsNewConnection else { return lane }
      close(lane)
      return makeLane(to: lane.origin)
    }

    private func close(_ lane: Lane) {
      DispatchQueue.global().async { lane.session.invalidateAndCancel() }
    }

    private func makeLane(to origin: Origin) -> Lane {
      let configuration = Lane.configuration()
      configuration.httpMaximumConnectionsPerHost = 1
      let delegate = SessionDelegate()
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: InlineQueue())
      return Lane(to: origin, delegate, session)
    }

    /// Passes the lane of a successful transfer to the next waiting one, or keeps it.
    func release(_ lane: Lane, from transfer: Transfer) {
      let watch = watchdog.watch(for: idleTimeout) { [weak self, weak lane] in
        if let lane { self?.expire(lane) }
      }
      let (next, isKept) = state.withLock { state -> (Transfer?, Bool) in
        let next = Self.next(&state, after: transfer)
        if next == nil, !state.isShutDown {
          state.idle[lane.origin, default: []].append(Idle(lane: lane, watch: watch))
          return (nil, true)
        }
        return (next, false)
      }
      if !isKept { watchdog.remove(watch) }
      if let next { begin(next, on: self.lane(for: next, in: lane)) }
    }

    /// Closes the lane and the task of a failed transfer, which makes room for another.
    func discard(_ lane: Lane, _ task: URLSessionTask, from transfer: Transfer) {
      let next = state.withLock { Self.next(&$0, after: transfer) }
      if let next { begin(next, on: makeLane(to: lane.origin)) }
      close(lane)
    }

    /// Deferred, because this may be the thread of the engine, on which no task can begin.
    private func begin(_ transfer: Transfer, on lane: Lane) {
      DispatchQueue.global().async { transfer.begin(on: lane) }
    }

    private static func next(_ state: inout State, after transfer: Transfer) -> Transfer? {
      state.running[ObjectIdentifier(transfer)] = nil
      state.slots.release(transfer.origin)
      guard let next = state.slots.grant().flatMap({ state.waiting.removeValue(forKey: $0) }) else {
        return nil
      }
      state.tickets[ObjectIdentifier(next)] = nil
      state.running[ObjectIdentifier(next)] = next
      return next
    }

    private func expire(_ lane: Lane) {
      let expired = state.withLock { state -> Idle? in
        guard let index = state.idle[lane.origin]?.firstIndex(where: { $0.lane === lane }) else { return nil }
        let expired = state.idle[lane.origin]?.remove(at: index)
        if state.idle[lane.origin]?.isEmpty == true { state.idle[lane.origin] = nil }
        return expired
      }
      if let expired { watchdog.remove(expired.watch) }
    }

    /// Removes a transfer from the queue that was cancelled before it had a lane.
    func withdraw(_ transfer: Transfer) {
      state.withLock { state in
        guard let ticket = state.tickets.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
        state.slots.remove(ticket)
        state.waiting[ticket] = nil
      }
    }

    /// Closes idle lanes, prevents new transfers, and returns the current ones.
    func shutDown() -> [Transfer] {
      let (transfers, idle) = state.withLock { state in
        state.isShutDown = true
        let waiting = Array(state.waiting.values)
        for ticket in state.waiting.keys { state.slots.remove(ticket) }
        defer { (state.idle, state.tickets, state.waiting) = ([:], [:], [:]) }
        return (waiting + state.running.values, state.idle.values.flatMap(\.self))
      }
      for idle in idle { watchdog.remove(idle.watch) }
      return transfers
    }
  }

  extension LanePool.State {
    /// Takes the idle lane that was used last.
    fileprivate mutating func takeIdle(to origin: LanePool.Origin) -> LanePool.Idle? {
      let lane = idle[origin]?.popLast()
      if idle[origin]?.isEmpty == true { idle[origin] = nil }
      return lane
    }
  }
#endif
