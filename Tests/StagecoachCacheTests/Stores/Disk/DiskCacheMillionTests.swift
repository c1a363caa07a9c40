#if SQLite
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Many entries: 3000, or as many as `STAGECOACH_SOAK_CACHE_ENTRIES` says.
  @Suite struct DiskCacheMillionTests {
    private static let count =
      ProcessInfo.processInfo.environment["STAGECOACH_SOAK_CACHE_ENTRIES"].flatMap(Int.init) ?? 3000

    @Test func manyEntriesOpenAtOnceAndAreEvictedInPieces() async throws {
      let scratch = try ScratchDirectory()
      let path = "\(scratch.path)/cache"
      let body = [UInt8](repeating: 1, count: 200)
      var size: Int64 = 0
      do {
        let store = try DiskCacheStore(folder: path, capacity: 1 << 40)
        for number in 0..<Self.count {
          try await store.put(CacheKey(url: "http://h/\(number)"), CacheStoreCheck.sample("1"), body)
        }
        size = try await store.statistics().size
      }
      let clock = ContinuousClock()
      var opened: DiskCacheStore?
      let opening = try clock.measure { opened = try DiskCacheStore(folder: path, capacity: size) }
      let store = try #require(opened)
      #expect(try await store.statistics().count == Self.count)
      let eviction = try await clock.measure {
        for number in 0..<1000 {
          try await store.put(CacheKey(url: "http://new/\(number)"), CacheStoreCheck.sample("1"), body)
        }
      }
      let statistics = try await store.statistics()
      #expect(statistics.size <= size && statistics.count >= Self.count - 100)
      #expect(try await store.entries("http://h/0").isEmpty)
      print(
        "\(Self.count) entries open in \(opening); an entry that evicts another one takes \(eviction / 1000)"
      )
    }
  }
#endif
