#if SQLite
  import HTTPTypes
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  @Suite struct DiskCacheStoreTests {
    private let scratch: ScratchDirectory
    private let path: String

    init() throws {
      scratch = try ScratchDirectory()
      path = "\(scratch.path)/cache"
    }

    @Test(arguments: CacheStoreCheck.all + CacheStoreCheck.bounded)
    func keepsThePromisesOfAStore(_ check: CacheStoreCheck) async throws {
      try await check.run(DiskCacheStore(folder: path, capacity: CacheStoreCheck.capacity))
    }

    @Test func entriesAndSaltSurviveTheProcess() async throws {
      let keys = (0..<3).map { CacheKey(url: "http://h/\($0)", partition: "p") }
      var salt = Bytes()
      do {
        let store = try DiskCacheStore(folder: path)
        salt = try await store.salt()
        for key in keys {
          try await store.put(key, CacheStoreCheck.sample(key.url), CacheStoreCheck.octets(30_000, 1))
        }
      }
      let store = try DiskCacheStore(folder: path)
      #expect(try await store.salt() == salt)
      for key in keys {
        #expect(try await store.lookUp(key).entries.map(\.response) == [CacheStoreCheck.sample(key.url)])
        #expect(try await store.bodies(key) == [CacheStoreCheck.octets(30_000, 1)])
      }
    }

    @Test func twoStoresOfOneFolderSeeEachOther() async throws {
      let (one, other) = (try DiskCacheStore(folder: path), try DiskCacheStore(folder: path))
      let key = CacheKey(url: "http://h/")
      let before = try await other.lookUp(key).generation
      try await one.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(9, 1))
      #expect(try await other.bodies(key) == [CacheStoreCheck.octets(9, 1)])
      try await one.invalidate(url: key.url)
      #expect(try await other.lookUp(key).entries.isEmpty)
      let late = try await other.makeWriter(for: key, CacheStoreCheck.sample("2"), generation: before)
      #expect(try await late.commit(CacheStoreCheck.sample("2")) == false)
    }

    @Test func forgottenInvalidationsStillHold() async throws {
      let time = Counter()
      let store = try DiskCacheStore(folder: path, creates: true) {
        Date(timeIntervalSince1970: 1_790_000_000 + Double(time.value) * 86_400)
      }
      let key = CacheKey(url: "http://h/0")
      let before = try await store.lookUp(key).generation
      for number in 0..<255 { try await store.invalidate(url: "http://h/\(number)") }
      let middle = try await store.lookUp(key).generation
      time.add(2)
      try await store.invalidate(url: "http://h/255")
      let count = try await store.reading { try $0.integer("SELECT count(*) FROM invalidations") }
      #expect(count == 1)
      let response = try CacheStoreCheck.sample("1")
      let early = try await store.makeWriter(for: key, response, generation: before)
      #expect(try await early.commit(response) == false)
      let late = try await store.makeWriter(for: key, response, generation: middle)
      #expect(try await late.commit(response))
    }

    @Test func entriesAreListedCountedAndPruned() async throws {
      let time = Counter()
      let store = try DiskCacheStore(folder: path, creates: true) {
        Date(timeIntervalSince1970: 1_790_000_000 + Double(time.value))
      }
      for number in 0..<10 {
        let key = CacheKey(url: "http://h/\(number / 2)", partition: "\(number % 2)")
        try await store.put(key, CacheStoreCheck.sample("\(number)"), CacheStoreCheck.octets(20_000, number))
        time.add(1)
      }
      var listed: [DiskCacheStore.Listed] = []
      var start: UInt64? = 0
      while let position = start {
        let page = try await store.entries(after: position, limit: 3)
        listed += page.entries
        start = page.next
      }
      #expect(listed.map(\.key.url) == (0..<10).map { "http://h/\($0 / 2)" })
      #expect(listed.map(\.entry.length) == Array(repeating: 20_000, count: 10))
      #expect(listed[3].lastUse == Date(timeIntervalSince1970: 1_790_000_003))
      #expect(try await store.entries(url: "http://h/3").map(\.key.partition) == ["0", "1"])
      let size = listed.reduce(0) { $0 + $1.size }
      #expect(try await store.statistics() == .init(count: 10, size: size, capacity: 256 << 20))

      try await store.prune(toSize: 0, unusedSince: Date(timeIntervalSince1970: 1_790_000_004))
      #expect(try await store.statistics().count == 6)
      try await store.prune(toSize: size / 2)
      #expect(try await store.statistics().count == 5)
      #expect(try await store.entries().entries.first?.key.url == "http://h/2")
      try await store.removeAll()
      #expect(try await store.statistics() == .init(count: 0, size: 0, capacity: 256 << 20))
      #expect(try bodyFiles(path).isEmpty)
    }

    @Test func removingAllReachesWhatIsBeingWritten() async throws {
      let store = try DiskCacheStore(folder: path)
      let key = CacheKey(url: "http://h/a")
      try await store.put(CacheKey(url: "http://h/b"), CacheStoreCheck.sample("1"), [1, 2, 3])
      let (response, generation) = (try CacheStoreCheck.sample("1"), try await store.lookUp(key).generation)
      let writer = try await store.makeWriter(for: key, response, generation: generation)
      try await writer.append("abc")
      try await DiskCacheStore(folder: path).removeAll()
      #expect(try await writer.commit(response) == false)
      #expect(try await store.statistics().count == 0)
      // What is asked for later is kept.
      try await store.put(key, response, [1, 2, 3])
      #expect(try await store.statistics().count == 1)
    }

    @Test func aSmallerCapacityRemovesWhatIsTooMuch() async throws {
      do {
        let store = try DiskCacheStore(folder: path)
        for number in 0..<600 {
          try await store.put(CacheKey(url: "http://h/\(number)"), CacheStoreCheck.sample("1"), [1, 2, 3])
        }
      }
      let store = try DiskCacheStore(folder: path, capacity: 10_000)
      try await store.put(CacheKey(url: "http://h/"), CacheStoreCheck.sample("1"), [1])
      let statistics = try await store.statistics()
      #expect((1...10_000).contains(statistics.size) && statistics.count < 100)
      #expect(try await store.entries("http://h/").count == 1)
      #expect(try await store.entries("http://h/599").count == 1)
    }

    @Test func storesOfOneFolderShareItsCapacity() async throws {
      let large = try DiskCacheStore(folder: path, capacity: 4 << 20)
      // Who names none, keeps what others store.
      let other = try DiskCacheStore(folder: path)
      let body = CacheStoreCheck.octets(200_000, 1)
      for (number, store) in [large, other, large, other].enumerated() {
        try await store.put(CacheKey(url: "http://h/\(number)"), CacheStoreCheck.sample("1"), body)
      }
      #expect(try await other.statistics().count == 4)
      #expect(try await other.statistics().capacity == 4 << 20)

      _ = try DiskCacheStore(folder: path, capacity: 1 << 20)
      for number in 0..<9 {
        try await large.put(
          CacheKey(url: "http://h/\(number)"),
          CacheStoreCheck.sample("2"),
          Array(body[..<100_000])
        )
      }
      #expect(try await other.statistics().size <= 1 << 20)
      // The change was noticed with the first entry.
      var declared = try CacheStoreCheck.sample("1")
      declared.head.headerFields[.contentLength] = "200000"
      let response = declared
      await #expect(throws: CacheStoreError.tooLarge(limit: 1 << 17)) {
        try await large.put(CacheKey(url: "http://h/"), response, body)
      }
    }

    @Test func roomThatWasMadeInALargerCapacityIsGivenUp() async throws {
      let store = try DiskCacheStore(folder: path)
      let response = try CacheStoreCheck.sample("1")
      // The first entry makes room for a 64th of 256 MiB.
      try await store.put(CacheKey(url: "http://h/"), response, [1])
      _ = try DiskCacheStore(folder: path, capacity: 1 << 20)
      for number in 0..<60 {
        try await store.put(
          CacheKey(url: "http://h/\(number)"),
          response,
          CacheStoreCheck.octets(100_000, number)
        )
      }
      #expect(try await store.statistics().size <= 1 << 20)
    }

    @Test func usesCountForEvictionAfterAReopening() async throws {
      do {
        let store = try DiskCacheStore(folder: path, capacity: 1 << 20)
        for number in 0..<8 {
          try await store.put(
            CacheKey(url: "http://h/\(number)"),
            CacheStoreCheck.sample("1"),
            Array(repeating: 1, count: 120_000)
          )
        }
        #expect(try await store.bodies(CacheKey(url: "http://h/0")).count == 1)
        try await store.writing { try $0.flushUses() }
      }
      let store = try DiskCacheStore(folder: path, capacity: 1 << 20)
      try await store.put(
        CacheKey(url: "http://h/8"),
        CacheStoreCheck.sample("1"),
        Array(repeating: 1, count: 120_000)
      )
      #expect(try await store.entries("http://h/0").count == 1)
      #expect(try await store.entries("http://h/1").isEmpty)
    }
  }

  /// The files of bodies in a store, without their folders.
  func bodyFiles(_ path: String) throws -> [String] {
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: "\(path)/bodies").flatMap { folder in
      try manager.contentsOfDirectory(atPath: "\(path)/bodies/\(folder)")
    }
  }
#endif
