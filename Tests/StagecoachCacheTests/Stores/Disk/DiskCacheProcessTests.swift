#if SQLite && !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Two processes with one folder.
  ///
  /// `STAGECOACH_SOAK_CACHE_SECONDS=600` is the long form.
  @Suite struct DiskCacheProcessTests {
    private static let seconds =
      ProcessInfo.processInfo.environment["STAGECOACH_SOAK_CACHE_SECONDS"].flatMap(Int.init) ?? 2

    @Test func whatOneProcessInvalidatesTheOtherNoLongerServes() async throws {
      let scratch = try ScratchDirectory()
      let path = "\(scratch.path)/cache"
      let store = try DiskCacheStore(folder: path)
      let keys = (0..<3).map { CacheKey(url: "http://h/\($0)") }
      let size = 100_000
      for (number, key) in keys.enumerated() {
        try await store.put(key, CacheStoreCheck.sample("\(number)"), CacheStoreCheck.octets(size, number))
      }
      let before = try await store.lookUp(keys[0])
      let salt = try await Array(store.salt())
      let writer = try await store.makeWriter(
        for: keys[0],
        CacheStoreCheck.sample("3"),
        generation: before.generation
      )
      try await writer.append(Bytes(CacheStoreCheck.octets(size, 3)))

      await #expect(processExitsWith: .success) { [path = path as String, salt = salt as [UInt8]] in
        let store = try DiskCacheStore(folder: path)
        #expect(try await Array(store.salt()) == salt)
        for number in 0..<3 {
          let key = CacheKey(url: "http://h/\(number)")
          #expect(try await store.bodies(key) == [CacheStoreCheck.octets(100_000, number)])
        }
        try await store.invalidate(url: "http://h/0")
        let entry = try #require(await store.entries("http://h/1").first)
        try await store.remove(entry, of: CacheKey(url: "http://h/1"))
        let key = CacheKey(url: "http://h/2")
        try await store.put(key, CacheStoreCheck.sample("5"), CacheStoreCheck.octets(9, 5))
      }

      let content = try #require(before.entries.first)
      #expect(try await store.content(of: content) == nil)
      for key in keys.prefix(2) { #expect(try await store.lookUp(key).entries.isEmpty) }
      #expect(try await store.bodies(keys[2]) == [CacheStoreCheck.octets(9, 5)])
      #expect(try await writer.commit(CacheStoreCheck.sample("3")) == false)
    }

    @Test func twoProcessesShareAFolderWithoutAWrongByte() async throws {
      let scratch = try ScratchDirectory()
      let (path, seconds) = (scratch.path, Self.seconds)
      // A tenth of what all URLs would take.
      let origin = try SharedOrigin(path, number: 0, capacity: 470_000)
      let isOver = Counter()
      async let other: Void = {
        // This process may get little time; the other one goes on until this one has used an entry of it.
        let isShared = {
          let isSeen = origin.foreignHits.value > 0
          if isSeen { _ = FileManager.default.createFile(atPath: "\(path)/seen", contents: nil) }
          return isSeen
        }
        try await origin.run(until: { (isShared() || origin.hits.value > 2000) && isOver.value > 0 }, seed: 1)
      }()
      await #expect(processExitsWith: .success) { [path = path as String, seconds = seconds as Int] in
        let origin = try SharedOrigin(path, number: 1, capacity: 470_000)
        let end = ContinuousClock.now + .seconds(seconds)
        let isOver = {
          ContinuousClock.now > end && origin.foreignHits.value > 0 && origin.changes.value > 0
            && FileManager.default.fileExists(atPath: "\(path)/seen")
        }
        try await origin.run(until: isOver, seed: 2)
      }
      isOver.add()
      try await other
      let (hits, foreign) = (origin.hits.value, origin.foreignHits.value)
      print("\(hits) hits, \(foreign) on entries of the other process, \(origin.changes.value) changes")
      #expect(foreign > 0 && (seconds < 60 || foreign * 3 >= hits))
    }
  }
#endif
