#if Redis
  import StagecoachCore

  /// Sends commands to the server, within the time limits.
  final class RedisClient: Sendable {
    private let server: RedisServer
    private let availability: RedisAvailability
    // Apart, so that a look-up does not wait for large contents.
    private let readers: RedisLanes
    private let writers: RedisLanes

    /// - Parameter invalidation: Returns the command that invalidates a URL, given by its hash.
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
    func read(_ command: RedisCommand) async throws(CacheStoreError) -> RedisReply {
      do { return try await run(command, on: readers) } catch { throw .unavailable("\(error)") }
    }

    /// Runs a command that changes something, and returns whether it did.
    @discardableResult func change(_ command: RedisCommand) async throws(CacheStoreError) -> Bool {
      do { return try await run(command, on: writers) == .integer(1) } catch {
        throw .unavailable("\(error)")
      }
    }

    /// Invalidates a URL, given by its hash. If that fails, it is repeated before any other command is sent.
    @discardableResult
    func invalidate(_ hash: String, with command: RedisCommand) async throws(CacheStoreError) -> RedisReply {
      do {
        return try await run(command, on: writers)
      } catch {
        availability.fail(error, toInvalidate: hash)
        throw .unavailable("\(error)")
      }
    }

    private func run(
      _ command: RedisCommand,
      on lanes: RedisLanes
    ) async throws(RedisFailure) -> RedisReply {
      let target = try await availability.available()
      let reply: RedisReply
      do {
        reply = try await lanes.run(command, on: target)
      } catch {
        if case .unreachable = error { availability.fail(error) }
        throw error
      }
      guard case .failure(let code) = reply else { return reply }
      throw .refused(server: server.description, code: code)
    }
  }
#endif
