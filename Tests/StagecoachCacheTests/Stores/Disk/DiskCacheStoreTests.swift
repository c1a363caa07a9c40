#if SQLite
  import StagecoachCache
  import TestSupport
  import Testing

  @Suite struct DiskCacheStoreTests {
    @Test(arguments: CacheStoreCheck.all + CacheStoreCheck.bounded)
    func keepsThePromisesOfAStore(_ check: CacheStoreCheck) async throws {
      let scratch = try ScratchDirectory()
      try await check.run(
        DiskCacheStore(folder: "\(scratch.path)/cache", capacity: CacheStoreCheck.capacity)
      )
    }
  }
#endif
