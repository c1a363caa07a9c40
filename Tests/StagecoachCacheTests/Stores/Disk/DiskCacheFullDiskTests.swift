#if SQLite && os(Linux)
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Disks that take nothing more.
  @Suite struct DiskCacheFullDiskTests {
    /// Stores entries until the disk is full, and then checks that the store still keeps its promises.
    private static func fill(_ path: String, size: Int) async throws {
      let store = try DiskCacheStore(folder: "\(path)/cache", capacity: 1 << 30)
      let first = CacheKey(url: "http://h/first")
      try await store.put(first, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(20_000, 1))
      var kept = 0
      var failures = 0
      for number in 0..<400 where failures < 10 {
        let response = try CacheStoreCheck.sample("\(number)")
        let body = [UInt8](repeating: UInt8(number & 255), count: size)
        let key = CacheKey(url: "http://h/\(number)")
        let writer = try await store.makeWriter(for: key, response, generation: 0)
        do {
          try await writer.append(Bytes(body))
          if try await writer.commit(response) { kept += 1 }
        } catch is DiskCacheError {
          failures += 1
          #expect((try? await store.lookUp(key))?.entries.isEmpty != false)
        }
      }
      #expect(failures == 10 && kept < 400)
      #expect(try await store.bodies(first) == [CacheStoreCheck.octets(20_000, 1)])
      for number in 0..<400 {
        for body in try await store.bodies(CacheKey(url: "http://h/\(number)")) {
          #expect(body == [UInt8](repeating: UInt8(number & 255), count: size))
        }
      }
    }

    /// Mounts a file system of two megabytes, which only this process sees, and which ends with it.
    private static func mountSmallDisk(_ path: String) -> Bool {
      // Not declared without a macro of the C library.
      typealias Unshare = @convention(c) (Int32) -> Int32
      guard let address = dlsym(nil, "unshare") else { return false }
      let newMounts: Int32 = 0x20000
      return unsafeBitCast(address, to: Unshare.self)(newMounts) == 0
        && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
        && mount("tmpfs", path, "tmpfs", 0, "size=2m") == 0
    }

    @Test func aLimitOnTheSizeOfFilesIsAnErrorOfTheWriter() async throws {
      for size in [10_000, 900_000] {
        let scratch = try ScratchDirectory()
        await #expect(processExitsWith: .success) { [path = scratch.path as String, size = size as Int] in
          signal(SIGXFSZ, SIG_IGN)
          var limit = rlimit(rlim_cur: 800_000, rlim_max: .max)
          #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
          try await Self.fill(path, size: size)
          limit.rlim_cur = .max
          #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
          let store = try DiskCacheStore(folder: "\(path)/cache")
          try await store.put(
            CacheKey(url: "u"),
            CacheStoreCheck.sample("1"),
            CacheStoreCheck.octets(20_000, 1)
          )
        }
      }
    }

    /// Only root may mount: otherwise the limit on the size of files has to do.
    @Test func aFullDiskIsAnErrorOfTheWriter() async throws {
      for size in [10_000, 100_000] {
        let scratch = try ScratchDirectory()
        await #expect(processExitsWith: .success) { [path = scratch.path as String, size = size as Int] in
          guard Self.mountSmallDisk(path) else { return }
          try await Self.fill(path, size: size)
          let store = try DiskCacheStore(folder: "\(path)/cache")
          // Space for the log of the removal comes from bodies, which are files.
          if size > 50_000 { for number in 0..<5 { try? await store.invalidate(url: "http://h/\(number)") } }
        }
      }
    }

    @Test func aFolderThatCannotBeWrittenIsRefused() async throws {
      let scratch = try ScratchDirectory()
      do { _ = try DiskCacheStore(folder: "\(scratch.path)/store") }
      chmod(scratch.path, 0o555)
      defer { chmod(scratch.path, 0o755) }
      await #expect(processExitsWith: .success) { [path = scratch.path as String] in
        // Root may write anywhere.
        if geteuid() == 0 { #expect(setuid(65_534) == 0) }
        #expect(throws: DiskCacheError.self) { try DiskCacheStore(folder: "\(path)/new") }
        if geteuid() == 65_534 {
          #expect(throws: DiskCacheError.self) { try DiskCacheStore(folder: "\(path)/store") }
        }
      }
    }
  }
#endif
