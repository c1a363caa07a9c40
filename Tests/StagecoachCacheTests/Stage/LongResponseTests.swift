import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// Equal requests for a response that is long, slow, or of no known length: none is cut, and none waits for long.
@Suite(.timeLimit(.minutes(15))) struct LongResponseTests {
  private static let size = 2 << 20

  private static func isJoined(_ event: CacheEvent) -> Bool {
    if case .joined = event { true } else { false }
  }

  /// A body of octets that are the number of its request, which is more than an eighth of a mebibyte.
  private static func response(_ number: Int, _ fields: HTTPFields) -> Response {
    let chunk = Bytes([UInt8](repeating: UInt8(number), count: 16 << 10))
    let count = Counter()
    let body = Response.Body(
      AsyncStream<Bytes>(unfolding: { count.add() <= size / (16 << 10) ? chunk : nil })
    )
    return Response(.ok, fields: fields, body: body)
  }

  private static func store(_ name: String, _ scratch: ScratchDirectory) throws -> any CacheStore {
    switch name {
    case "failing": return FailingStoreTests.Store(.append)
    case "disk":
      #if SQLite
        return try DiskCacheStore(folder: "\(scratch.path)/cache", capacity: 1 << 20)
      #else
        break
      #endif
    default: break
    }
    return MemoryCacheStore(capacity: 1 << 20)
  }

  /// No strong validator would show that another response is the same, and here each is another one.
  @Test(
    arguments: ["memory", "disk", "failing"],
    [[:], [.eTag: "W/\"a\""], [.contentLength: "\(size)"]] as [HTTPFields]
  )
  func theSlowerReaderIsNotCut(store: String, fields: HTTPFields) async throws {
    for isFirstSlow in [true, false] {
      let scratch = try ScratchDirectory()
      let count = Counter()
      let bench = try CacheBench(Self.store(store, scratch)) { _ in
        Self.response(count.add(), fields.merging([.cacheControl: "max-age=60"]))
      }
      let first = try await bench.client.send(.get("a"))
      let second = try await bench.client.send(.get("a"))
      // The slow one has got a chunk when the other one has all.
      var slow = (isFirstSlow ? first : second).body.makeAsyncIterator()
      var octets = try #require(await slow.next()).array
      let fast = try await (isFirstSlow ? second : first).body.collect(upTo: 1 << 24).array
      while let chunk = try await slow.next() { octets += chunk.array }
      for octets in [octets, fast] {
        #expect(octets.count == Self.size)
        #expect(Set(octets).count == 1)
      }
    }
  }

  /// A store that has room for it is asked once.
  @Test(arguments: [[:], [.eTag: "W/\"a\""]] as [HTTPFields])
  func whatTheStoreTakesIsSentOnce(fields: HTTPFields) async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      Self.response(count.add(), fields.merging([.cacheControl: "max-age=60"]))
    }
    let first = try await bench.client.send(.get("a"))
    let second = try await bench.client.send(.get("a"))
    #expect(try await second.body.collect(upTo: 1 << 24).count == Self.size)
    #expect(try await first.body.collect(upTo: 1 << 24).count == Self.size)
    #expect(count.value == 1)
  }

  @Test func afterTenSecondsAWaiterSendsItsOwnRequest() async throws {
    let (gate, count) = (Signal(), Counter())
    let bench = try CacheBench { _ in
      let number = count.add()
      if number == 1 { await gate.wait() }
      return .of("\(number)", 200, ["Cache-Control": "max-age=60"])
    }
    let leader = Task { try await bench.get() }
    while count.value == 0 { await Task.yield() }
    let waiter = Task { try await bench.get() }
    while !bench.events.all.contains(where: Self.isJoined) { await Task.yield() }
    await bench.time.sleepers(atLeast: 1)
    bench.time.advance(by: .seconds(9))
    for _ in 0..<100 { await Task.yield() }
    #expect(count.value == 1)
    bench.time.advance(by: .seconds(1))
    #expect(try await waiter.value.body == "2")
    // The next one does not wait for the slow one again.
    #expect(try await bench.get(mode: .default, set: { $0.fields[.accept] = "a/b" }).body == "2")
    gate.set()
    #expect(try await leader.value.body == "1")
  }

  /// A request that waits for one after the other does not wait longer.
  @Test func allWaitsTogetherTakeTenSeconds() async throws {
    let (gate, count) = (Signal(), Counter())
    let bench = try CacheBench { _ in
      let number = count.add()
      if number == 1 { try await sleepUntilCancelled() }
      if number == 2 { await gate.wait() }
      return .of("\(number)", 200, ["Cache-Control": "max-age=60"])
    }
    let leader = Task { try await bench.get() }
    while count.value == 0 { await Task.yield() }
    let waiters = (0..<2).map { _ in Task { try await bench.get().body } }
    while bench.events.all.count(where: Self.isJoined) < 2 { await Task.yield() }
    bench.time.advance(by: .seconds(9))
    leader.cancel()
    // One takes the place of the leader, and the other waits for it.
    while bench.events.all.count(where: Self.isJoined) < 3 { await Task.yield() }
    bench.time.advance(by: .seconds(1))
    while count.value < 3 { await Task.yield() }
    gate.set()
    var bodies: [String] = []
    for waiter in waiters { bodies.append(try await waiter.value) }
    #expect(bodies.sorted() == ["2", "3"])
    await #expect(throws: CancellationError.self) { try await leader.value }
  }

  /// Of a body that stalls a waiter has not got anything yet.
  @Test func afterTenSecondsAWaiterLeavesAStalledBody() async throws {
    let (gate, count) = (Signal(), Counter())
    let bench = try CacheBench { _ in
      let number = count.add()
      let source = AsyncStream<Bytes>(unfolding: { [chunks = Counter()] in
        switch chunks.add() {
        case 1: return "begin"
        case 2:
          if number == 1 { await gate.wait() }
          return "end"
        default: return nil
        }
      })
      return Response(.ok, fields: [.cacheControl: "max-age=60"], body: Response.Body(source))
    }
    let first = try await bench.client.send(.get("a"))
    let second = try await bench.client.send(.get("a"))
    let waiter = Task { try await second.body.collect(upTo: 100) }
    await bench.time.sleepers(atLeast: 1)
    bench.time.advance(by: .seconds(10))
    #expect(try await waiter.value == "beginend")
    #expect(count.value == 2)
    gate.set()
    #expect(try await first.body.collect(upTo: 100) == "beginend")
  }
}

extension HTTPFields {
  fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
    var fields = self
    for field in others { fields.append(field) }
    return fields
  }
}
