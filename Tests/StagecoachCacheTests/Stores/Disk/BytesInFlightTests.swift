#if SQLite
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Bodies that other processes are writing, or were writing when they were killed.
  @Suite struct BytesInFlightTests {
    private static let size = 400_000
    private let scratch: ScratchDirectory
    private let path: String

    init() throws {
      scratch = try ScratchDirectory()
      path = "\(scratch.path)/cache"
    }

    private func fill(_ store: DiskCacheStore) async throws {
      let body = [UInt8](repeating: 7, count: Self.size)
      for number in 0..<12 {
        try await store.put(CacheKey(url: "http://h/\(number)"), CacheStoreCheck.sample("1"), body)
      }
    }

    private var partialFiles: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: "\(path)/partial") }
    }

    /// Locks of files tell two stores of one process apart as they do those of two.
    @Test func theBodiesOfOthersCountUntilTheyAreAbandoned() async throws {
      let store = try DiskCacheStore(folder: path, capacity: CacheStoreCheck.capacity)
      let other = try DiskCacheStore(folder: path, capacity: CacheStoreCheck.capacity)
      var writers: [any CacheWriter] = []
      for number in 0..<4 {
        let key = CacheKey(url: "http://other/\(number)")
        let writer = try await other.makeWriter(for: key, CacheStoreCheck.sample("1"), generation: 0)
        try await writer.append(Bytes([UInt8](repeating: 8, count: Self.size)))
        writers.append(writer)
      }
      try await fill(store)
      let size = try await store.statistics().size
      #expect(size + Int64(4 * Self.size) <= CacheStoreCheck.capacity && size > CacheStoreCheck.capacity / 3)

      for writer in writers { writer.abandon() }
      // Files are removed in the background.
      while try !partialFiles.isEmpty { await Task.yield() }
      try await fill(store)
      #expect(try await store.statistics().size > CacheStoreCheck.capacity * 7 / 8)
    }

    @Test func theBodiesOfAKilledProcessDoNotCount() async throws {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let store = try DiskCacheStore(folder: path, capacity: 1 << 30)
        let key = CacheKey(url: "http://other/")
        let writer = try await store.makeWriter(for: key, CacheStoreCheck.sample("1"), generation: 0)
        try await writer.append(Bytes([UInt8](repeating: 8, count: 3 << 20)))
        kill(getpid(), SIGKILL)
      }
      #expect(try partialFiles.count == 1)
      let store = try DiskCacheStore(folder: path, capacity: CacheStoreCheck.capacity)
      try await fill(store)
      #expect(try await store.statistics().size > CacheStoreCheck.capacity * 7 / 8)
      #expect(try partialFiles.isEmpty)
    }
  }
#endif
