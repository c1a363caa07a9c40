import StagecoachCache
import StagecoachCore
import Testing

@Suite struct MemoryCacheStoreTests {
  @Test(arguments: CacheStoreCheck.all + CacheStoreCheck.bounded)
  func keepsThePromisesOfAStore(_ check: CacheStoreCheck) async throws {
    try await check.run(MemoryCacheStore(capacity: Int(CacheStoreCheck.capacity)))
  }

  @Test func whatIsStillReadCounts() async throws {
    let store = MemoryCacheStore(capacity: 1 << 20)
    let key = CacheKey(url: "http://h/read")
    try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, 1))
    var content = try await store.content(of: try #require(store.lookUp(key).entries.first))
    for number in 0..<30 {
      let other = CacheKey(url: "http://h/\(number)")
      try await store.put(other, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, number))
      #expect(store.size <= 1 << 20)
    }
    // It was evicted, and is still there for whoever reads it.
    #expect(try await store.lookUp(key).entries.isEmpty)
    let read = try await CacheStoreCheck.read(try #require(content), 100_000, 7_000)
    #expect(read == CacheStoreCheck.octets(100_000, 1))
    let before = store.size
    content = nil
    #expect(before - store.size >= 100_000)
  }

  @Test func everythingThatIsRemovedIsGivenBack() async throws {
    let store = MemoryCacheStore()
    for number in 0..<100 {
      let key = CacheKey(url: "http://h/\(number)")
      try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(1_000, number))
    }
    #expect(store.count == 100)
    for number in 0..<100 { try await store.invalidate(url: "http://h/\(number)") }
    #expect(store.count == 0)
    #expect(store.size == 0)
  }

  @Test func removingAllReachesWhatIsBeingWritten() async throws {
    let store = MemoryCacheStore()
    let key = CacheKey(url: "http://h/a")
    try await store.put(CacheKey(url: "http://h/b"), CacheStoreCheck.sample("1"), [1, 2, 3])
    let (response, generation) = (try CacheStoreCheck.sample("1"), try await store.lookUp(key).generation)
    let writer = try await store.makeWriter(for: key, response, generation: generation)
    try await writer.append("abc")
    store.removeAll()
    #expect(store.count == 0)
    #expect(try await writer.commit(response) == false)
    #expect(store.count == 0)
    // What is asked for later is kept.
    try await store.put(key, response, [1, 2, 3])
    #expect(store.count == 1)
  }

  /// Their blocks are used again, but not while somebody holds bytes of them.
  @Test func bytesOfRemovedEntriesStayWhatTheyWere() async throws {
    let store = MemoryCacheStore(capacity: 8 << 20)
    let size = 1_000_000 - 50_000
    var held: [(Bytes, [UInt8])] = []
    for number in 0..<40 {
      let key = CacheKey(url: "http://h/\(number)")
      let octets = CacheStoreCheck.octets(size, number)
      try await store.put(key, CacheStoreCheck.sample("1"), octets)
      let entry = try #require(await store.lookUp(key).entries.first)
      let content = try #require(await store.content(of: entry))
      let offset = number * 20_000
      let bytes = try await content.read(at: Int64(offset), upTo: 1 << 20)
      #expect(bytes.count <= 64 << 10)
      held.append((bytes, Array(octets[offset..<(offset + bytes.count)])))
      #expect(store.size <= store.capacity)
    }
    #expect(store.count == 8)
    for (bytes, octets) in held { #expect([UInt8](bytes) == octets) }
  }
}
