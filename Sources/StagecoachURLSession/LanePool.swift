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

    private struct Idle {
      let lane: Lane
      let watch: Watchdog.Watch
    }

    private struct Line {
      /// The idle lanes, the most recently used last.
      var idle: [Idle] = []
      /// The number of lanes, idle or not.
      var count = 0
      var waiting = Queue<Transfer>()
    }

    private struct State {
      var lines: [Origin: Line] = [:]
      /// The transfers that have a lane.
      var running: [ObjectIdentifier: Transfer] = [:]
      var isShutDown = false
    }

    private let limit: Int
    private let idleTimeout: Duration
    private let watchdog: Watchdog
    private let state = Mutex(State())

    init(_ options: ConnectionOptions, watchdog: Watchdog) {
      limit = max(1, options.connectionsPerOrigin)
      idleTimeout = options.idleTimeout
      self.watchdog = watchdog
    }

    /// Returns a lane for a transfer; `nil` if it has to wait, and begins when another transfer leaves.
    ///
    /// - Throws: `ExchangeError` of kind `shutdown`.
    func enter(_ transfer: Transfer) throws -> Lane? {
      let (idle, hasRoom) = try state.withLock { state -> (Idle?, Bool) in
        guard !state.isShutDown else { throw URLSessionTransport.wasShutDown }
        var line = state.lines.removeValue(forKey: transfer.origin) ?? Line()
        defer { state.lines[transfer.origin] = line }
        let idle = line.idle.popLast()
        guard idle != nil || line.count < limit else {
          line.waiting.append(transfer)
          transfer.didQueue()
          return (nil, false)
        }
        if idle == nil { line.count += 1 }
        state.running[ObjectIdentifier(transfer)] = transfer
        return (idle, true)
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
          state.lines[lane.origin, default: Line()].idle.append(Idle(lane: lane, watch: watch))
          return (nil, true)
        }
        return (next, false)
      }
      if !isKept { watchdog.remove(watch) }
      if let next { begin(next, on: self.lane(for: next, in: lane)) }
    }

    /// Closes the lane and the task of a failed transfer, which makes room for another.
    func discard(_ lane: Lane, _ task: URLSessionTask, from transfer: Transfer) {
      let next = state.withLock { state in
        let next = Self.next(&state, after: transfer)
        if next == nil { Self.forget(&state, lane.origin) }
        return next
      }
      if let next { begin(next, on: makeLane(to: lane.origin)) }
      close(lane)
    }

    /// Deferred, because this may be the thread of the engine, on which no task can begin.
    private func begin(_ transfer: Transfer, on lane: Lane) {
      DispatchQueue.global().async { transfer.begin(on: lane) }
    }

    private static func next(_ state: inout State, after transfer: Transfer) -> Transfer? {
      state.running[ObjectIdentifier(transfer)] = nil
      guard let next = state.lines[transfer.origin]?.waiting.popFirst() else { return nil }
      state.running[ObjectIdentifier(next)] = next
      return next
    }

    private static func forget(_ state: inout State, _ origin: Origin) {
      state.lines[origin]?.count -= 1
      if let line = state.lines[origin], line.count <= 0, line.waiting.isEmpty { state.lines[origin] = nil }
    }

    private func expire(_ lane: Lane) {
      let expired = state.withLock { state -> Idle? in
        guard let index = state.lines[lane.origin]?.idle.firstIndex(where: { $0.lane === lane }) else {
          return nil
        }
        let expired = state.lines[lane.origin]?.idle.remove(at: index)
        Self.forget(&state, lane.origin)
        return expired
      }
      if let expired { watchdog.remove(expired.watch) }
    }

    /// Removes a transfer from the queue that was cancelled before it had a lane.
    func withdraw(_ transfer: Transfer) {
      state.withLock { state in
        state.lines[transfer.origin]?.waiting.removeFirst { $0 === transfer }
      }
    }

    /// Closes idle lanes, prevents new transfers, and returns the current ones.
    func shutDown() -> [Transfer] {
      let (transfers, idle) = state.withLock { state in
        state.isShutDown = true
        var waiting: [Transfer] = []
        var idle: [Idle] = []
        for origin in state.lines.keys {
          waiting += state.lines[origin]?.waiting.popAll() ?? []
          idle += state.lines[origin]?.idle ?? []
          state.lines[origin]?.idle = []
        }
        return (waiting + state.running.values, idle)
      }
      for idle in idle { watchdog.remove(idle.watch) }
      return transfers
    }
  }
#endif
