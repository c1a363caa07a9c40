#if Redis
  import StagecoachCore

  /// Sends commands to the server, within the time limits.
  final class RedisClient: Sendable {
    private let server: RedisServer
    private let availability: RedisAvailability
    // Apart, so that a look-up does not wait for large contents.
    private let readers: RedisLanes
    private let writers: RedisLanes

    /// - Parameter invalidation: Returns the command that invalidates a URL.
    init(
      _ server: RedisServer,
      _ timeouts: RedisTimeouts,
      invalidation: @escaping @Sendable (String) -> RedisCommand
    ) {
      self.server = server
      availability = RedisAvailability(server, timeouts, invalidation: invalidation)
      readers = RedisLanes(count: 4, timeout: timeouts.read)
      writers = RedisLanes(count: 2, timeout: timeouts.write)
    }

    /// Runs a command that a request waits for.
    func read(_ command: RedisCommand) async throws -> RedisReply {
      try await run(command, on: readers)
    }

    /// Runs a command that changes something.
    func write(_ command: RedisCommand) async throws {
      _ = try await run(command, on: writers)
    }

    /// Runs a command that changes something, and returns whether it did.
    func change(_ command: RedisCommand) async throws -> Bool {
      try await run(command, on: writers) == .integer(1)
    }

    /// Runs the command that invalidates a URL. If it fails, it is made up for before anything else is asked.
    func invalidate(_ url: String, _ command: RedisCommand) async throws {
      do {
        _ = try await run(command, on: writers)
      } catch {
        let failure = error as? RedisCacheError ?? server.failure("an invalidation failed")
        availability.fail(failure, url: url)
        throw error
      }
    }

    private func run(_ command: RedisCommand, on lanes: RedisLanes) async throws -> RedisReply {
      let target = try await availability.available()
      do {
        let reply = try await lanes.run(command, on: target)
        guard case .failure(let code) = reply else { return reply }
        throw RedisCacheError.refused(server: server.description, code: code)
      } catch let error as RedisCacheError {
        if case .unavailable = error { availability.fail(error) }
        throw error
      }
    }
  }
#endif
