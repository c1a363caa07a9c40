import StagecoachCache
import StagecoachCore
import Testing

@Suite struct MemoryCacheStoreTests {
  @Test(arguments: CacheStoreCheck.all + CacheStoreCheck.bounded)
  func keepsThePromisesOfAStore(_ check: CacheStoreCheck) async throws {
    try await check.run(MemoryCacheStore(capacity: Int(CacheStoreCheck.capacity)))
  }

  @Test func bodiesBeingReadCountTowardsTheCapacity() async throws {
    let store = MemoryCacheStore(capacity: 1 << 20)
    let key = CacheKey(url: "http://h/read")
    try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, 1))
    let entry = try #require(await store.lookUp(key).entries.first)
    var content = try await store.content(of: entry)
    for number in 0..<30 {
      let other = CacheKey(url: "http://h/\(number)")
      try await store.put(other, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, number))
      #expect(store.size <= 1 << 20)
    }
    // It was not evicted, as that would free nothing; removed, it is still there for its reader.
    #expect(try await store.lookUp(key).entries.count == 1)
    try await store.remove(entry, of: key)
    let read = try await CacheStoreCheck.read(try #require(content), 100_000, 7_000)
    #expect(read == CacheStoreCheck.octets(100_000, 1))
    let before = store.size
    content = nil
    #expect(before - store.size >= 100_000)
  }

  /// They hold what they read, be it an entry or not yet one, and nothing has to go for more of it.
  @Test(arguments: [true, false]) func stalledReadersDoNotEmptyTheStore(areEntries: Bool) async throws {
    let store = MemoryCacheStore(capacity: 1 << 20)
    let keys = (0..<100).map { CacheKey(url: "http://h/small/\($0)") }
    for key in keys {
      try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(1_000, 1))
    }
    let body = CacheStoreCheck.octets(120_000, 1)
    var held: [any CacheContent] = []
    for number in 0..<9 {
      let key = CacheKey(url: "http://h/\(number)")
      if areEntries {
        try? await store.put(key, CacheStoreCheck.sample("1"), body)
        guard let entry = try await store.lookUp(key).entries.first else { continue }
        held.append(try #require(await store.content(of: entry)))
      } else {
        guard let writer = try? await store.makeWriter(for: key, CacheStoreCheck.sample("1"), generation: 0)
        else {
          continue
        }
        held.append(writer)
        try? await writer.append(Bytes(body))
      }
    }
    #expect(held.count > 4)
    for key in keys { #expect(try await store.lookUp(key).entries.count == 1) }
    #expect(store.size <= store.capacity)
    for content in held.prefix(4) {
      #expect(try await CacheStoreCheck.read(content, body.count, 7_000) == body)
    }
    held = []
    let later = CacheKey(url: "http://h/later")
    try await store.put(later, CacheStoreCheck.sample("1"), body)
    #expect(try await store.bodies(later) == [body])
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
