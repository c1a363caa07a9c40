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
    /// - Throws: ``RedisFailure/busy(server:)`` if the commands before it take half of the timeout: the rest
    ///   might be too short even for a healthy server.
    func run(_ command: RedisCommand, on server: RedisServer) async throws(RedisFailure) -> RedisReply {
      let deadline = ContinuousClock.now + timeout
      return try await queue.run { [self] () throws(RedisFailure) in
        try run(command, on: server, until: deadline)
      }
    }

    private func run(
      _ command: RedisCommand,
      on server: RedisServer,
      until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisReply {
      guard ContinuousClock.now.duration(to: deadline) >= timeout / 2 else {
        throw .busy(server: server.description)
      }
      return try connection.withLock { (connection) throws(RedisFailure) in
        let kept = connection
        connection = nil
        let current: RedisConnection
        if let kept, kept.isUsable {
          current = kept
        } else {
          current = try RedisConnection(to: server, until: deadline)
        }
        let reply = try current.run(command, until: deadline)
        // After an error it is not kept.
        connection = current
        return reply
      }
    }
  }
#endif
