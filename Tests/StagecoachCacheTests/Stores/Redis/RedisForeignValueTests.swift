#if Redis
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Values that something else wrote under the keys of the store.
  @Suite(.timeLimit(.minutes(15))) struct RedisForeignValueTests {
    private let key = CacheKey(url: "http://h/", partition: CachePartition.everybody)
    private let names = RedisKeys(prefix: "stagecoach")

    @Test(arguments: ["", "abc", "-1", "18446744073709551616", "1.5", "\0"])
    func aForeignGenerationIsAnError(_ value: String) async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      let name = names.generation(of: key.url)
      try server.command("SET", Bytes(name), Bytes(value))
      await #expect(throws: RedisKeys.foreignValue(of: name)) { try await store.lookUp(key) }
      try await store.invalidate(url: key.url)
      try await store.put(key, CacheStoreCheck.sample("1"), [1])
    }

    @Test func valuesOfOtherTypesAreErrors() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      for name in [names.generation(of: key.url), names.index(of: key), names.salt] {
        try await store.put(key, CacheStoreCheck.sample("1"), [1])
        try server.command("DEL", Bytes(name))
        try server.command("LPUSH", Bytes(name), "x")
        await #expect(throws: CacheStoreError.self) {
          _ = try await store.salt()
          _ = try await store.lookUp(key)
        }
        try await store.invalidate(url: key.url)
        try server.command("DEL", Bytes(names.salt))
      }
      try await store.put(key, CacheStoreCheck.sample("1"), [1])
      let entry = try #require(await store.lookUp(key).entries.first)
      try server.command("DEL", Bytes(names.content(of: entry.id)))
      try server.command("LPUSH", Bytes(names.content(of: entry.id)), "x")
      await #expect(throws: CacheStoreError.self) { try await store.content(of: entry) }
    }

    @Test func aForeignSaltIsAnError() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      try server.command("SET", Bytes(names.salt), "short")
      await #expect(throws: RedisKeys.foreignValue(of: names.salt)) {
        try await server.store().salt()
      }
    }

    @Test(arguments: [
      "", "x", String(repeating: "z", count: 48), String(repeating: "0123456789", count: 500),
    ])
    func aForeignOrderHasNoEntries(_ order: String) async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), [1])
      let entry = try #require(await store.lookUp(key).entries.first)
      try server.command("HSET", Bytes(names.index(of: key)), "o", Bytes(order))
      #expect(try await store.lookUp(key).entries.isEmpty)
      try await store.update(entry, of: key, to: CacheStoreCheck.sample("2"))
      try await store.put(key, CacheStoreCheck.sample("3"), [3])
      #expect(try await store.body(key) == [3])
      try await store.remove(entry, of: key)
      #expect(try await store.body(key) == [3])
    }

    @Test func aChangedContentIsAMiss() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1"), [1, 2, 3])
      let entry = try #require(await store.lookUp(key).entries.first)
      let right = RedisEntry.content([1, 2, 3])
      let wrong: [Bytes] = [
        "", "x", right.prefix(4), right.prefix(6), Bytes(right.array + [4]),
        Bytes(right.prefix(6).array + [4]),
        Bytes([0] + right.array.dropFirst()), RedisEntry.content([1, 2, 4, 3]),
      ]
      for value in wrong {
        try server.command("SET", Bytes(names.content(of: entry.id)), value)
        #expect(try await store.body(key) == nil)
      }
      try server.command("SET", Bytes(names.content(of: entry.id)), right)
      #expect(try await store.body(key) == [1, 2, 3])
    }

    @Test func mutatedHeadsAreReadOrLeftOut() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      try await store.put(key, CacheStoreCheck.sample("1", vary: [.init(name: "x", value: "y")]), [1])
      let entry = try #require(await store.lookUp(key).entries.first)
      let head = try RedisEntry.head(entry.response, length: 1).array
      var random = SplitMix(state: 24)
      for round in 0..<300 {
        var mutated = head
        for _ in 0...round % 3 {
          mutated[Int.random(in: mutated.indices, using: &random)] = .random(
            in: .min ... .max,
            using: &random
          )
        }
        if round % 4 == 0 { mutated.removeLast(Int.random(in: 0...mutated.count, using: &random)) }
        try server.command(
          "HSET",
          Bytes(names.index(of: key)),
          Bytes(RedisKeys.text(of: entry.id)),
          Bytes(mutated)
        )
        let found = try await store.lookUp(key).entries
        #expect(found.count <= 1)
        for entry in found where entry.length != 1 { #expect(try await store.content(of: entry) == nil) }
      }
    }

    @Test func anEntryThatTheCallerMadeUpIsAMiss() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      for (id, length) in [(UInt64.min, Int64.min), (.max, .max)] {
        let entry = CacheEntry(id: id, response: try CacheStoreCheck.sample("1"), length: length)
        #expect(try await store.content(of: entry) == nil)
        try await store.update(entry, of: key, to: entry.response)
        try await store.remove(entry, of: key)
      }
      try await store.put(key, CacheStoreCheck.sample("1"), [1])
      let entry = try #require(await store.lookUp(key).entries.first)
      let content = try #require(await store.content(of: entry))
      for offset in [-1, 1, Int64.min, .max] {
        await #expect(throws: CacheStoreError.outOfBounds) { try await content.read(at: offset, upTo: 1) }
      }
    }
  }
#endif
