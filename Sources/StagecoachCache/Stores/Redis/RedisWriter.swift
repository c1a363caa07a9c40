#if Redis
  import StagecoachCore
  import Synchronization

  /// Content that is being written: it stays in memory, and is sent as a whole when it is complete.
  final class RedisWriter: CacheWriter {
    private struct State {
      var bytes: [UInt8] = []
      var isEnded = false
    }

    private let commit: @Sendable (CachedResponse, [UInt8]) async throws -> Bool
    private let budget: RedisBudget
    private let state = Mutex(State())

    /// - Parameter commit: Sends the response with its content.
    init(_ budget: RedisBudget, commit: @escaping @Sendable (CachedResponse, [UInt8]) async throws -> Bool) {
      self.budget = budget
      self.commit = commit
    }

    deinit { budget.giveBack(state.withLock { $0.bytes.count }) }

    func append(_ chunk: Bytes) async throws {
      try state.withLock { state in
        guard chunk.count <= RedisCacheStore.maxContentSize - state.bytes.count else {
          throw CacheStoreError.tooLarge(limit: Int64(RedisCacheStore.maxContentSize))
        }
        guard budget.take(chunk.count) else { throw CacheStoreError.full }
        chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0) }
      }
    }

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      try state.withLock { state in
        guard let start = Int(exactly: offset), state.bytes.indices.contains(start) else {
          throw CacheStoreError.outOfBounds
        }
        // A copy: a slice would make the next append copy everything.
        return Bytes(Array(state.bytes[start...].prefix(max(1, count))))
      }
    }

    func commit(_ response: CachedResponse) async throws -> Bool {
      let bytes = state.withLock { state in
        defer { state.isEnded = true }
        return state.isEnded ? nil : state.bytes
      }
      guard let bytes else { return false }
      return try await commit(response, bytes)
    }

    func abandon() {
      state.withLock { $0.isEnded = true }
    }
  }
#endif
