#if Redis
  import Stagecoach
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Requests through shared caches over one server. Whatever happens to it, no request fails.
  @Suite(.timeLimit(.minutes(15))) struct RedisChainTests {
    private static func bench(_ store: any CacheStore) throws -> CacheBench {
      try CacheBench(store, isShared: true) { request in
        let path = request.head.path ?? ""
        return .of("body of \(path)", 200, ["Cache-Control": "max-age=600", "ETag": "\"1\""])
      }
    }

    /// Sends requests of which each gets its own response, and returns where they came from.
    private static func sources(_ bench: CacheBench, _ count: Int = 20) async throws -> [Response.Source] {
      try await withThrowingTaskGroup(of: Response.Source.self) { group in
        for number in 0..<count {
          group.addTask {
            let answer = try await bench.get("\(number % 10)")
            #expect(answer.body == "body of /\(number % 10)")
            return answer.source
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }

    @Test func aFleetSharesItsHits() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let (one, two) = (try Self.bench(server.store()), try Self.bench(server.store()))
      // On a busy machine the cache may not wait for its store.
      for round in 0... {
        #expect(try await one.get("\(round)").body == "body of /\(round)")
        let seen = two.seen.all.count
        let answer = try await two.get("\(round)", mode: .onlyIfCached)
        if answer.source == .cache, answer.status == 200 {
          #expect(answer.body == "body of /\(round)")
          #expect(two.seen.all.count == seen)
          break
        }
        try await Task.sleep(for: .milliseconds(50))
      }
    }

    @Test func anInvalidationFreesTheMemoryOfSharedEntries() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let bench = try Self.bench(server.store())
      // On a busy machine the cache may not wait for its store.
      while try server.keys("*:b:*").isEmpty { _ = try await bench.get("a", mode: .noCache) }
      while try !server.keys("*:b:*").isEmpty { _ = try await bench.get("a", method: .delete) }
    }

    @Test func noRequestFailsWithTheServer() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let faults: [(CacheBench) async throws -> Void] = [
        { _ in server.process.pause() },
        { _ in server.process.resume() },
        { _ in try server.command("CONFIG", "SET", "maxmemory", "1") },
        { _ in try server.command("FLUSHALL") },
        { _ in try server.command("CONFIG", "SET", "maxmemory", "0") },
        { bench in
          _ = try await Self.sources(bench)
          for key in try server.keys("*:b:*") { try server.command("DEL", key) }
        },
        { _ in server.stop() },
        { _ in try await server.restart() },
      ]
      let bench = try Self.bench(RedisCacheStore(unixSocket: server.path))
      _ = try await Self.sources(bench)
      for fault in faults {
        try await fault(bench)
        _ = try await Self.sources(bench)
      }
    }
  }
#endif
