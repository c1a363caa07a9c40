#if Redis
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// A real server that fails. The time limits are those of users; no test depends on their being kept.
  @Suite(.timeLimit(.minutes(15))) struct RedisFaultTests {
    private let key = CacheKey(url: "http://h/")
    private let body = CacheStoreCheck.octets(10_000, 1)

    @Test func aStoppedServerFailsCallsUntilItGoesOn() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      try await server.store().put(key, CacheStoreCheck.sample("1"), body)
      let store = RedisCacheStore(unixSocket: server.path)
      let entry = try #require(await store.lookUpWhenAvailable(key).entries.first)
      server.process.pause()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
            await #expect(throws: CacheStoreError.self) { try await store.content(of: entry) }
            await #expect(throws: CacheStoreError.self) {
              try await store.update(entry, of: key, to: entry.response)
            }
          }
        }
      }
      server.process.resume()
      #expect(try await store.lookUpWhenAvailable(key).entries.first?.id == entry.id)
    }

    @Test func aKilledServerFailsCallsUntilThereIsAnother() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), body)
      let before = try await store.lookUp(key)
      let writer = try await store.makeWriter(
        for: key,
        CacheStoreCheck.sample("2"),
        generation: before.generation
      )
      server.stop()
      await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
      await #expect(throws: CacheStoreError.self) { try await writer.commit(CacheStoreCheck.sample("2")) }
      let late = try await store.makeWriter(
        for: key,
        CacheStoreCheck.sample("3"),
        generation: before.generation
      )
      try await server.restart()
      let after = try await store.lookUpWhenAvailable(key)
      #expect(after.entries.isEmpty)
      #expect(after.generation != before.generation)
      #expect(try await late.commit(CacheStoreCheck.sample("3")) == false)
    }

    @Test func closedConnectionsAreReplacedUnnoticed() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), body)
      for _ in 0..<10 {
        try server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        #expect(try await store.body(key) == body)
      }
    }

    @Test func aFailedInvalidationIsMadeUpForBeforeAnythingIsRead() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let patient = server.store()
      let keys = ["", "p"].map { CacheKey(url: "http://h/", partition: $0) }
      for key in keys { try await patient.put(key, CacheStoreCheck.sample("1"), body) }
      let store = RedisCacheStore(unixSocket: server.path)
      _ = try await store.lookUpWhenAvailable(key)
      server.process.pause()
      await #expect(throws: CacheStoreError.self) { try await store.invalidate(url: "http://h/") }
      await #expect(throws: CacheStoreError.self) { try await store.invalidate(url: "http://h/other") }
      server.process.resume()
      for key in keys { #expect(try await store.lookUpWhenAvailable(key).entries.isEmpty) }
    }

    @Test func aReplicaThatTakesNoInvalidationIsNotRead() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), body)
      try server.command("REPLICAOF", "127.0.0.1", "1")
      #expect(try await store.body(key) == body)
      await #expect(throws: CacheStoreError.self) { try await store.invalidate(url: key.url) }
      await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
      try server.command("REPLICAOF", "NO", "ONE")
      #expect(try await store.lookUpWhenAvailable(key).entries.isEmpty)
    }

    @Test func withoutMemoryNothingIsStoredButAllIsRead() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), body)
      let found = try await store.lookUp(key)
      let entry = try #require(found.entries.first)
      let writer = try await store.makeWriter(
        for: key,
        CacheStoreCheck.sample("2"),
        generation: found.generation
      )
      try server.command("CONFIG", "SET", "maxmemory", "1")
      let refusal = { (error: any Error) in
        error is CacheStoreError && "\(error)".contains("OOM")
      }
      await #expect(performing: { try await writer.commit(CacheStoreCheck.sample("2")) }, throws: refusal)
      await #expect(
        performing: { try await store.update(entry, of: key, to: CacheStoreCheck.sample("2")) },
        throws: refusal
      )
      #expect(try await store.body(key) == body)
      #expect(try await store.lookUp(key).entries.first?.response == CacheStoreCheck.sample("1"))
      let unknown = CacheKey(url: "http://h/unknown")
      let lookup = try await store.lookUp(unknown)
      #expect(lookup.entries.isEmpty)
      await #expect(throws: CacheStoreError.full) {
        try await store.makeWriter(for: unknown, CacheStoreCheck.sample("1"), generation: lookup.generation)
      }
      try await store.invalidate(url: key.url)
      #expect(try await store.lookUp(key).entries.isEmpty)
    }

    @Test func whatIsEvictedIsAMiss() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
      try server.command("CONFIG", "SET", "maxmemory", "5mb")
      var (hits, misses) = (0, 0)
      for number in 0..<300 {
        let key = CacheKey(url: "http://h/\(number)")
        let generation = try await store.lookUp(key).generation
        let head = try CacheStoreCheck.sample("\(number)")
        let writer = try await store.makeWriter(for: key, head, generation: generation)
        try await writer.append(Bytes(CacheStoreCheck.octets(40_000, number)))
        _ = try? await writer.commit(head)
      }
      for number in (0..<300).reversed() {
        let body = try await store.body(CacheKey(url: "http://h/\(number)"))
        if body == nil { misses += 1 } else { hits += 1 }
        #expect(body == nil || body == CacheStoreCheck.octets(40_000, number))
      }
      #expect(hits > 0)
      #expect(misses > 0)
    }

    @Test(arguments: ["*:b:*", "*:i:*", "*:g:*", "*:1:*"])
    func aPartThatIsGoneIsAMissAndNeverComesBack(_ pattern: String) async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), body)
      let entry = try #require(await store.lookUp(key).entries.first)
      for name in try server.keys(pattern) { try server.command("DEL", name) }
      #expect(try await store.body(key) == nil)
      try await store.update(entry, of: key, to: CacheStoreCheck.sample("2"))
      #expect(try await store.body(key) == nil)
      try await store.remove(entry, of: key)
      try await store.put(key, CacheStoreCheck.sample("3"), [3])
      #expect(try await store.body(key) == [3])
      #expect(try await store.lookUp(key).entries.count == 1)
    }

    @Test func aGenerationThatIsGoneRefusesEarlierResponses() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      let generation = try await store.lookUp(key).generation
      let writer = try await store.makeWriter(for: key, CacheStoreCheck.sample("1"), generation: generation)
      try server.command("FLUSHALL")
      #expect(try await store.lookUp(key).generation != generation)
      #expect(try await writer.commit(CacheStoreCheck.sample("1")) == false)
    }
  }
#endif
