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
}
