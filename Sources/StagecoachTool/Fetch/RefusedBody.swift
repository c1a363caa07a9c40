#if Tool
  import Stagecoach
  import Synchronization

  /// Passes the body of a response with an unexpected status on to a sink, as it comes.
  final class RefusedBody: Sendable {
    private let sink: any Sink
    private let limit: Int?
    private let state = Mutex<(count: Int64, hasEnded: Bool)>((0, false))

    /// - Parameter limit: The most bytes to pass on; nil for any number.
    init(to sink: any Sink, limit: Int?) {
      self.sink = sink
      self.limit = limit
    }

    /// Whether there was a body, and all of it has been passed on.
    var isWhole: Bool { state.withLock { $0.count > 0 && $0.hasEnded } }

    /// Takes the next bytes, or nil at the end.
    func take(_ bytes: Bytes?) async throws {
      guard let bytes else { return state.withLock { $0.hasEnded = true } }
      try ExchangeError.check(state.withLock { $0.count } + Int64(bytes.count), limit)
      try await sink.write(bytes)
      state.withLock { $0.count += Int64(bytes.count) }
    }
  }
#endif
