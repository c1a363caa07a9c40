#if Redis
  import Dispatch
  import StagecoachCore
  import Synchronization

  /// Knows whether the server answers, and fails calls at once while it does not.
  ///
  /// After a failure no call reaches the server for a while. The first call after that starts a probe, which resolves
  /// the name of the host, connects and repeats the invalidations that failed meanwhile; only then are calls sent
  /// again. Calls do not wait for a probe, except at the very beginning, for no longer than a look-up may take.
  final class RedisAvailability: Sendable {
    private typealias Start = Flight<Result<RedisServer, RedisFailure>>

    private enum Phase {
      /// Until the first probe has ended. Calls wait for it until an instant, once there is one.
      case starting(until: ContinuousClock.Instant?)
      case up(RedisServer, since: ContinuousClock.Instant)
      case down(RedisFailure)
    }

    private struct State {
      var phase = Phase.starting(until: nil)
      var isProbing = false
      var backOff: BackOff
      /// Hashes of URLs that could not be invalidated.
      var pending: Set<String> = []
    }

    /// The most URLs whose invalidation is repeated.
    static let maxPending = 10_000

    private let server: RedisServer
    private let timeouts: RedisTimeouts
    private let invalidation: @Sendable (String) -> RedisCommand
    private let state: Mutex<State>
    private let start = Start()
    // Names may take long to resolve: a queue of its own, where no call waits.
    private let queue = DispatchQueue(label: "stagecoach.redis.probe")

    /// - Parameter invalidation: Returns the command that invalidates a URL, given by its hash.
    init(
      _ server: RedisServer,
      _ timeouts: RedisTimeouts,
      invalidation: @escaping @Sendable (String) -> RedisCommand
    ) {
      self.server = server
      self.timeouts = timeouts
      self.invalidation = invalidation
      state = Mutex(State(backOff: BackOff(timeouts.backOff)))
    }

    /// The server by its numeric address.
    ///
    /// - Throws: ``RedisFailure`` at once, if it is not known to answer.
    func available() async throws(RedisFailure) -> RedisServer {
      if let server = try availableNow() { return server }
      let late = server.failure("it did not answer in time")
      let patience = Start.Patience(until: waitsUntil(), on: SystemTime(), then: .failure(late))
      if let result = try? await start.join(within: patience) { return try result.get() }
      // The probe has ended meanwhile, or the task was cancelled.
      guard let server = try availableNow() else { throw late }
      return server
    }

    /// When calls wait no longer for the first probe, which the first of them starts.
    private func waitsUntil() -> ContinuousClock.Instant {
      let limit = ContinuousClock.now + timeouts.read
      let (end, isFirst) = state.withLock { state -> (ContinuousClock.Instant, Bool) in
        guard case .starting(let end) = state.phase else { return (limit, false) }
        if let end { return (end, false) }
        state.phase = .starting(until: limit)
        state.isProbing = true
        return (limit, true)
      }
      if isFirst { queue.async { self.probe() } }
      return end
    }

    /// Stops calls for a while after a failure.
    ///
    /// - Parameter hash: The hash of the URL that could not be invalidated, if an invalidation failed.
    func fail(_ error: RedisFailure, toInvalidate hash: String? = nil) {
      state.withLock { state in
        if let hash, state.pending.count < Self.maxPending { state.pending.insert(hash) }
        guard case .up(_, let since) = state.phase else { return }
        let now = ContinuousClock.now
        if now - since > timeouts.backOff.upperBound { state.backOff.reset() }
        takeDown(&state, error, now)
      }
    }

    /// `nil` at the very beginning, when there is something to wait for.
    private func availableNow() throws(RedisFailure) -> RedisServer? {
      let (server, error, mustProbe) = state.withLock { state -> (RedisServer?, RedisFailure?, Bool) in
        switch state.phase {
        case .starting: return (nil, nil, false)
        case .up(let server, _): return (server, nil, false)
        case .down(let error):
          let mustProbe = !state.isProbing && !state.backOff.rests(at: .now)
          state.isProbing = state.isProbing || mustProbe
          return (nil, error, mustProbe)
        }
      }
      if mustProbe { queue.async { self.probe() } }
      if let error { throw error }
      return server
    }

    private func takeDown(_ state: inout State, _ error: RedisFailure, _ now: ContinuousClock.Instant) {
      state.phase = .down(error)
      state.backOff.fail(at: now)
    }

    private func probe() {
      let result = Result { () throws(RedisFailure) in try reach() }
      state.withLock { state in
        state.isProbing = false
        switch result {
        case .success(let server) where state.pending.isEmpty: state.phase = .up(server, since: .now)
        case .success(let server): takeDown(&state, server.failure("an invalidation failed"), .now)
        case .failure(let error): takeDown(&state, error, .now)
        }
      }
      start.land(with: .success(result))
    }

    /// Connects to the first address that answers, and repeats failed invalidations.
    private func reach() throws(RedisFailure) -> RedisServer {
      var failure = server.failure("its name has no address")
      for server in try server.resolved() {
        do throws(RedisFailure) {
          let connection = try RedisConnection(to: server, until: .now + timeouts.probe)
          if case .failure(let code) = try connection.run(RedisCommand(["PING"]), until: .now + timeouts.read)
          {
            throw .refused(server: self.server.description, code: code)
          }
          try repeatInvalidations(over: connection)
          return server
        } catch {
          failure = error
        }
      }
      throw failure
    }

    private func repeatInvalidations(over connection: RedisConnection) throws(RedisFailure) {
      // Taken out first: an invalidation of the same URL that fails meanwhile is another one.
      while let hash = state.withLock({ $0.pending.popFirst() }) {
        do throws(RedisFailure) {
          let reply = try connection.run(invalidation(hash), until: .now + timeouts.write)
          guard case .failure(let code) = reply else { continue }
          throw .refused(server: server.description, code: code)
        } catch {
          state.withLock { _ = $0.pending.insert(hash) }
          throw error
        }
      }
    }
  }
#endif
