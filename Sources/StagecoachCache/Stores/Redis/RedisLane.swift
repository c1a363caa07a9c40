#if Redis
  import StagecoachCore
  import Synchronization

  /// A connection on a queue of its own, because calls of hiredis block. It is opened when it is needed.
  final class RedisLane: Sendable {
    private let queue = BlockingQueue(label: "stagecoach.redis")
    // Locked on the queue only, so it is never contended.
    private let connection = Mutex<RedisConnection?>(nil)
    private let timeout: Duration

    init(timeout: Duration) {
      self.timeout = timeout
    }

    /// Runs a command.
    ///
    /// - Throws: ``RedisCacheError/busy(server:)`` if the commands before it take half of the timeout: the rest
    ///   might be too short even for a healthy server.
    func run(_ command: RedisCommand, on server: RedisServer) async throws -> RedisReply {
      let deadline = ContinuousClock.now + timeout
      return try await queue.run { [self] in
        guard ContinuousClock.now.duration(to: deadline) >= timeout / 2 else {
          throw RedisCacheError.busy(server: server.description)
        }
        return try connection.withLock { connection in
          let usable = connection.flatMap { $0.isUsable ? $0 : nil }
          connection = nil
          let current = try usable ?? RedisConnection(to: server, until: deadline)
          let reply = try current.run(command, until: deadline)
          connection = current
          return reply
        }
      }
    }
  }
#endif
