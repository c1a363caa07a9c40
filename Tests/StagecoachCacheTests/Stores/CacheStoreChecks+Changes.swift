import StagecoachCore
import Testing

@testable import StagecoachCache

extension CacheStoreCheck {
  /// The response that a change itself brings.
  static let changed = [
    CacheStoreCheck(testDescription: "the response of a change is kept, in place of what was there") {
      store in
      let key = CacheKey(url: "http://h/a", partition: "1")
      for size in [9, 100_000] {
        try await store.put(key, sample("1"), octets(size, 1))
        let before = try await store.lookUp(key).generation
        let early = try await store.makeWriter(for: key, sample("1"), generation: before)
        let after = try #require(await store.invalidate(url: "http://h/a", since: before))
        #expect(try await store.lookUp(key).entries.isEmpty)
        try await store.put(key, sample("2"), octets(size, 2), generation: after)
        try await early.append(Bytes(octets(size, 1)))
        #expect(try await early.commit(sample("1")) == false)
        #expect(try await store.bodies(key) == [octets(size, 2)])
      }
    },
    CacheStoreCheck(testDescription: "of two changes at the same time neither response is kept") { store in
      let key = CacheKey(url: "http://h/a")
      let before = try await store.lookUp(key).generation
      let first = try #require(await store.invalidate(url: "http://h/a", since: before))
      #expect(try await store.invalidate(url: "http://h/a", since: before) == nil)
      let writer = try await store.makeWriter(for: key, sample("1"), generation: first)
      try await writer.append(Bytes(octets(9, 1)))
      #expect(try await writer.commit(sample("1")) == false)
      #expect(try await store.lookUp(key).entries.isEmpty)
    },
  ]
}
