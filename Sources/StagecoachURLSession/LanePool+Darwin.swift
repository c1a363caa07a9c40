#if canImport(Darwin)
  import Foundation
  import Security
  import StagecoachCore
  import Synchronization

  /// The sessions of a transport, one per trust policy, because the tasks of a session share its connections.
  final class LanePool: Sendable {
    struct Origin: Hashable {
      let trust: Trust
    }

    /// A shared session and its use.
    private struct Shared {
      let lane: Lane
      /// The number of its transfers.
      var transfers = 0
      /// The sequence number of its last use.
      var lastUse = 0
    }

    private struct State {
      var lanes: [Origin: Shared] = [:]
      /// The number of session uses so far.
      var uses = 0
      /// The transfers that have a lane.
      var running: [ObjectIdentifier: Transfer] = [:]
      var isShutDown = false
    }

    /// The maximum number of idle sessions: each request may have a new trust policy.
    private static let limit = 16

    private let options: ConnectionOptions
    private let state = Mutex(State())

    init(_ options: ConnectionOptions, watchdog: Watchdog) {
      self.options = options
    }

    /// Returns the lane for a transfer. The engine itself queues requests beyond the capacity of its connections.
    ///
    /// - Throws: `ExchangeError` of kind `shutdown`.
    func enter(_ transfer: Transfer) throws -> Lane? {
      try state.withLock { state in
        guard !state.isShutDown else { throw URLSessionTransport.wasShutDown }
        state.running[ObjectIdentifier(transfer)] = transfer
        // A separate session has new connections, and closes them with the last reference to it.
        if transfer.asksForNewConnection { return makeLane(to: transfer.origin) }
        var shared = state.lanes[transfer.origin] ?? Shared(lane: makeLane(to: transfer.origin))
        state.uses += 1
        shared.lastUse = state.uses
        shared.transfers += 1
        state.lanes[transfer.origin] = shared
        Self.trim(&state)
        return shared.lane
      }
    }

    /// Removes the least recently used sessions, which close with the last reference to them.
    private static func trim(_ state: inout State) {
      while state.lanes.count > limit {
        let idle = state.lanes.filter { $0.value.transfers == 0 }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        state.lanes[oldest.key] = nil
      }
    }

    private func makeLane(to origin: Origin) -> Lane {
      let configuration = Lane.configuration()
      configuration.httpMaximumConnectionsPerHost = max(1, options.connectionsPerOrigin)
      configuration.connectionProxyDictionary = [:]
      configuration.tlsMinimumSupportedProtocolVersion = origin.trust.minimumVersion.protocolVersion
      if let newest = origin.trust.maximumVersion {
        configuration.tlsMaximumSupportedProtocolVersion = newest.protocolVersion
      }
      let delegate = SessionDelegate(ServerTrust(origin.trust))
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
      return Lane(to: origin, delegate, session)
    }

    /// Called when a transfer has ended successfully.
    func release(_ lane: Lane, from transfer: Transfer) {
      state.withLock { state in
        guard state.running.removeValue(forKey: ObjectIdentifier(transfer)) != nil,
          state.lanes[lane.origin]?.lane === lane
        else { return }
        state.lanes[lane.origin]?.transfers -= 1
        Self.trim(&state)
      }
    }

    /// Called when a transfer has failed: its task is cancelled, and its lane stays in use.
    func discard(_ lane: Lane, _ task: URLSessionTask, from transfer: Transfer) {
      task.cancel()
      release(lane, from: transfer)
    }

    /// Does nothing, because no transfer waits here.
    func withdraw(_ transfer: Transfer) {}

    /// Prevents new transfers, and returns the current ones.
    func shutDown() -> [Transfer] {
      state.withLock { state in
        state.isShutDown = true
        state.lanes = [:]
        return Array(state.running.values)
      }
    }
  }

  extension Trust.Version {
    fileprivate var protocolVersion: tls_protocol_version_t {
      switch self {
      case .tls13: .TLSv13
      default: .TLSv12
      }
    }
  }
#endif
