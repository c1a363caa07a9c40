#if Redis
  import HTTPTypes
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  @Suite(.timeLimit(.minutes(15))) struct RedisCacheStoreTests {
    private let key = CacheKey(url: "http://h/", partition: CachePartition.everybody)

    @Test(arguments: CacheStoreCheck.all) func keepsThePromisesOfStores(_ check: CacheStoreCheck) async throws
    {
      let server = try await RedisProcess()
      defer { server.stop() }
      try await check.run(server.store())
    }

    @Test func twoProcessesShareEntriesAndInvalidations() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let (one, two) = (server.store(), server.store())
      #expect(try await one.salt() == two.salt())
      try await one.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(9, 1))
      #expect(try await two.body(key) == CacheStoreCheck.octets(9, 1))
      try await two.put(key, CacheStoreCheck.sample("2"), CacheStoreCheck.octets(9, 2))
      #expect(try await one.body(key) == CacheStoreCheck.octets(9, 2))
      let generation = try await one.lookUp(key).generation
      let writer = try await one.makeWriter(for: key, CacheStoreCheck.sample("3"), generation: generation)
      try await two.invalidate(url: key.url)
      #expect(try await one.lookUp(key).entries.isEmpty)
      #expect(try await writer.commit(CacheStoreCheck.sample("3")) == false)
    }

    @Test func prefixesAndDatabasesAreApart() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let one = server.store()
      try await one.put(key, CacheStoreCheck.sample("1"), [])
      for other in [server.store(prefix: "other"), server.store(database: 3)] {
        #expect(try await other.salt() != one.salt())
        #expect(try await other.lookUp(key).entries.isEmpty)
        try await other.invalidate(url: key.url)
      }
      #expect(try await one.body(key) == [])
    }

    @Test func sixteenTasksOfTwoStoresNeverSeeMixedEntries() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let stores = [server.store(), server.store()]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<16 {
          group.addTask {
            let store = stores[task % 2]
            for round in 0..<20 {
              let key = CacheKey(url: "http://h/\(round % 4)")
              let found = try await store.lookUp(key)
              for entry in found.entries {
                guard let content = try await store.content(of: entry) else { continue }
                let tag = try #require(entry.response.head.headerFields[.eTag].flatMap { Int($0) })
                let expected = CacheStoreCheck.octets(10_000 + tag, tag)
                #expect(try await CacheStoreCheck.read(content, Int(entry.length), 8192) == expected)
              }
              if round % 7 == 6 { try await store.invalidate(url: key.url) }
              let mark = task * 20 + round
              let head = try CacheStoreCheck.sample("\(mark)")
              let writer = try await store.makeWriter(for: key, head, generation: found.generation)
              try await writer.append(Bytes(CacheStoreCheck.octets(10_000 + mark, mark)))
              _ = try await writer.commit(head)
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test func anInvalidationIsNeverOvertakenByACommit() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let (one, two) = (server.store(), server.store())
      for round in 0..<200 {
        let key = CacheKey(
          url: "http://h/\(round)",
          partition: round % 2 == 0 ? CachePartition.everybody : "p"
        )
        let head = try CacheStoreCheck.sample("1")
        let generation = try await one.lookUp(key).generation
        let writer = try await one.makeWriter(for: key, head, generation: generation)
        async let isKept = writer.commit(head)
        try await two.invalidate(url: key.url)
        _ = try await isKept
        #expect(try await one.lookUp(key).entries.isEmpty)
      }
    }

    @Test func everythingButTheSaltExpires() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      _ = try await store.salt()
      _ = try await store.lookUp(CacheKey(url: "http://h/unknown"))
      try await store.put(key, CacheStoreCheck.sample("1"), [1])
      try await store.put(CacheKey(url: "http://h/", partition: "p"), CacheStoreCheck.sample("1"), [1])
      let entry = try #require(await store.lookUp(key).entries.first)
      try await store.update(entry, of: key, to: CacheStoreCheck.sample("2"))
      #expect(try server.keys("*").count == 7)
      for key in try server.keys("*") where key != "stagecoach:salt" {
        guard case .integer(let seconds) = try server.command("TTL", key) else {
          Issue.record("no answer")
          continue
        }
        #expect((3000...604_800).contains(seconds))
      }
    }

    @Test func contentsDoNotOutliveTheirEntries() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      let other = CacheKey(url: key.url, partition: "p")
      for number in 0..<70 {
        let vary = [CachedResponse.Nominated(name: "x", value: "\(number % 66)")]
        for key in [key, other] { try await store.put(key, CacheStoreCheck.sample("1", vary: vary), [1]) }
      }
      #expect(try server.keys("*:b:*").count == 128)
      try await store.invalidate(url: key.url)
      #expect(try server.keys("*:b:*").count == 64)
      try await store.put(other, CacheStoreCheck.sample("1"), [1])
      #expect(try server.keys("*:b:*").count == 1)
      #expect(try server.command("HLEN", #require(server.keys("*:i:*").first)) == .integer(3))
    }

    @Test func urlsAreNotReadable() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let key = CacheKey(url: "http://h/?secret", partition: "secret")
      try await server.store().put(key, CacheStoreCheck.sample("1"), [1])
      #expect(try server.keys("*secret*").isEmpty)
    }

    @Test func tooMuchIsRefused() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      #expect(store.isSharedOnly)
      let generation = try await store.lookUp(key).generation
      func refuses(_ response: CachedResponse, limit: Int64) async {
        await #expect(throws: CacheStoreError.tooLarge(limit: limit)) {
          try await store.makeWriter(for: key, response, generation: generation)
        }
      }
      var response = try CacheStoreCheck.sample("1")
      response.head.headerFields[.contentLength] = "\(RedisCacheStore.maxContentSize + 1)"
      await refuses(response, limit: 1 << 20)
      response.head.headerFields[.contentLength] = nil
      let writer = try await store.makeWriter(for: key, response, generation: generation)
      let largest = CacheStoreCheck.octets(RedisCacheStore.maxContentSize, 1)
      try await writer.append(Bytes(largest))
      await #expect(throws: CacheStoreError.tooLarge(limit: 1 << 20)) { try await writer.append(Bytes([1])) }
      #expect(try await writer.commit(response))
      #expect(try await store.body(key) == largest)
      response.head.headerFields[.server] = String(repeating: "x", count: RedisEntry.maxHeadSize)
      await refuses(response, limit: Int64(RedisEntry.maxHeadSize))
    }

    @Test func theMemoryOfAllWritersIsBounded() async throws {
      let server = try await RedisProcess()
      defer { server.stop() }
      let store = server.store()
      let generation = try await store.lookUp(key).generation
      let chunk = Bytes([UInt8](repeating: 1, count: RedisCacheStore.maxContentSize))
      var writers: [any CacheWriter] = []
      for _ in 0..<65 {
        let response = try CacheStoreCheck.sample("1")
        writers.append(try await store.makeWriter(for: key, response, generation: generation))
      }
      for writer in writers.dropLast() { try await writer.append(chunk) }
      await #expect(throws: CacheStoreError.full) {
        try await writers.last?.append(chunk)
      }
      writers.removeFirst()
      try await writers.last?.append(chunk)
    }

    @Test func logsInOverTCP() async throws {
      let port = try freePort()
      let server = try await RedisProcess(port: port, password: "hunter2")
      defer { server.stop() }
      let address = RedisServer.Address.host("localhost", port: port)
      func store(_ password: String?, _ database: Int) -> RedisCacheStore {
        let server = RedisServer(address: address, password: password, database: database)
        return RedisCacheStore(server, prefix: "p", timeouts: .patient)
      }
      try await store("hunter2", 3).put(key, CacheStoreCheck.sample("1"), [1])
      #expect(try await store("hunter2", 3).body(key) == [1])
      for (password, database) in [("hunter3", 0), (nil, 0), ("hunter2", 99)] {
        let error = await #expect(throws: CacheStoreError.self) {
          try await store(password, database).lookUp(key)
        }
        #expect(error?.description.contains("hunter") == false)
      }
    }
  }
#endif
