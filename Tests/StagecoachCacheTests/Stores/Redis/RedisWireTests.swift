#if Redis
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Servers that do not behave like Redis. All calls end, with an error.
  @Suite(.timeLimit(.minutes(2))) struct RedisWireTests {
    private let key = CacheKey(url: "http://h/")

    private func expectErrors(_ store: RedisCacheStore) async {
      let entry = (try? CacheStoreCheck.sample("1")).map { CacheEntry(id: 1, response: $0, length: 1) }
      for _ in 0..<3 {
        await #expect(throws: CacheStoreError.self) { try await store.salt() }
        await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
        await #expect(throws: CacheStoreError.self) { try await store.invalidate(url: key.url) }
        guard let entry else { continue }
        await #expect(throws: CacheStoreError.self) { try await store.content(of: entry) }
        await #expect(throws: CacheStoreError.self) {
          try await store.update(entry, of: key, to: entry.response)
        }
        await #expect(throws: CacheStoreError.self) { try await store.remove(entry, of: key) }
      }
    }

    @Test(arguments: [true, false]) func aServerThatNeverAnswersIsAnError(_ hasRoom: Bool) async throws {
      let listener = try DeafListener(hasRoom: hasRoom)
      defer { listener.stop() }
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: listener.port))
    }

    @Test func aMissingServerIsAnError() async throws {
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: try freePort()))
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: .max))
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: -1))
      await expectErrors(RedisCacheStore(host: "name.invalid"))
      await expectErrors(RedisCacheStore(host: ""))
      await expectErrors(RedisCacheStore(unixSocket: "/nonexistent/socket"))
      await expectErrors(RedisCacheStore(unixSocket: "/" + String(repeating: "x", count: 200)))
    }

    @Test(arguments: [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0", "$5\r\nab", "$-5\r\n", "$99999999999999999999\r\n",
      "$9223372036854775807\r\nab", "*2147483647\r\n", "*1025\r\n", "*-7\r\n", ":abc\r\n",
      "+PONG\r\n+PONG\r\n",
      "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "\r\n", "-", "-NOAUTH\r\n",
    ])
    func aMalformedReplyIsAnError(_ answer: String) async throws {
      let first = try FakeRedis { _ in answer }
      defer { first.stop() }
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: first.port))
      // The same after the probe.
      let second = try FakeRedis { $0.contains("PING") ? "+PONG\r\n" : answer }
      defer { second.stop() }
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: second.port))
    }

    @Test func aReplyThatIsTooLargeIsAnError() async throws {
      let answer = "$9000000\r\n" + String(repeating: "x", count: 9_000_000)
      let server = try FakeRedis { $0.contains("PING") ? "+PONG\r\n" : answer }
      defer { server.stop() }
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: server.port))
    }

    @Test(arguments: ["", "$", "*3\r\n$1\r\n1\r\n", "+", "$10\r\nabc"])
    func aConnectionClosedInTheMiddleIsAnError(_ start: String) async throws {
      let server = try FakeRedis { request in
        if request.contains("PING") { return "+PONG\r\n" }
        // The rest of the command, or a second one.
        return start.isEmpty || !request.contains("EVAL") ? nil : start
      }
      defer { server.stop() }
      await expectErrors(RedisCacheStore(host: "127.0.0.1", port: server.port))
    }

    @Test func repliesOfOtherTypesAreErrorsOrMisses() async throws {
      for answer in ["*0\r\n", "*1\r\n*0\r\n", "$-1\r\n", "*-1\r\n", ":1\r\n", "*1\r\n$1\r\nx\r\n"] {
        let server = try FakeRedis { $0.contains("PING") ? "+PONG\r\n" : answer }
        defer { server.stop() }
        let address = RedisServer.Address.host("127.0.0.1", port: server.port)
        let target = RedisServer(address: address, password: nil, database: 0)
        let store = RedisCacheStore(target, prefix: "p", timeouts: .patient)
        await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
        await #expect(throws: CacheStoreError.self) { try await store.salt() }
        let entry = CacheEntry(id: 1, response: try CacheStoreCheck.sample("1"), length: 1)
        #expect(try await store.content(of: entry) == nil)
      }
    }

    @Test func aFailedServerIsNotAskedForAWhile() async throws {
      let requests = Counter()
      let server = try FakeRedis { request in
        if request.contains("PING") { return "+PONG\r\n" }
        requests.add()
        return nil
      }
      defer { server.stop() }
      let address = RedisServer.Address.host("127.0.0.1", port: server.port)
      let target = RedisServer(address: address, password: nil, database: 0)
      var timeouts = RedisTimeouts.patient
      timeouts.backOff = .seconds(3600)...(.seconds(3600))
      let store = RedisCacheStore(target, prefix: "p", timeouts: timeouts)
      for _ in 0..<100 {
        await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
      }
      #expect(requests.value == 1)
    }

    @Test func errorsDoNotRepeatThePassword() async throws {
      let server = try FakeRedis {
        "-ERR unknown command, with args beginning with: \($0.debugDescription)\r\n"
      }
      defer { server.stop() }
      let store = RedisCacheStore(host: "127.0.0.1", port: server.port, password: "hunter2")
      let error = await #expect(throws: CacheStoreError.self) { try await store.lookUp(key) }
      #expect("\(error as Any) \(String(reflecting: error))".contains("hunter2") == false)
    }
  }
#endif
