#if SQLite
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  @Suite struct DiskCacheFolderTests {
    private let scratch: ScratchDirectory
    private let path: String

    init() throws {
      scratch = try ScratchDirectory()
      path = "\(scratch.path)/cache"
    }

    private func mode(_ path: String) throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func everythingIsForItsOwnerOnly() async throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      chmod(path, 0o755)
      let store = try DiskCacheStore(folder: path)
      try await store.put(
        CacheKey(url: "http://h/"),
        CacheStoreCheck.sample("1"),
        CacheStoreCheck.octets(100_000, 1)
      )
      let writer = try await store.makeWriter(
        for: CacheKey(url: "http://h/1"),
        CacheStoreCheck.sample("1"),
        generation: 0
      )
      try await writer.append(Bytes(CacheStoreCheck.octets(100_000, 1)))
      #expect(try mode(path) == 0o700)
      var count = 0
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        let item = "\(path)/\(name)"
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: item, isDirectory: &isFolder))
        #expect(try mode(item) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
        count += isFolder.boolValue ? 0 : 1
      }
      // The marker, the index with its log and its shared memory, and two bodies.
      #expect(count == 6)
      writer.abandon()
    }

    /// In a process of its own, as the umask is of all of it.
    @Test(arguments: [0, 0o77, 0o277, 0o777] as [mode_t]) func theUmaskDoesNotMatter(mask: mode_t)
      async throws
    {
      await #expect(processExitsWith: .success) { [path = path as String, mask = mask as mode_t] in
        umask(mask)
        let store = try DiskCacheStore(folder: path)
        let body = CacheStoreCheck.octets(100_000, 1)
        try await store.put(CacheKey(url: "http://h/"), CacheStoreCheck.sample("1"), body)
        guard try await store.bodies(CacheKey(url: "http://h/")) == [body] else { exit(1) }
        let manager = FileManager.default
        for name in try [""] + manager.subpathsOfDirectory(atPath: path) {
          var status = stat()
          let isWanted = lstat("\(path)/\(name)", &status) == 0
          let mode: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 0o700 : 0o600
          guard isWanted, status.st_mode & 0o7777 == mode else { exit(2) }
        }
      }
    }

    /// Whoever can put entries into a folder decides what is served from it.
    @Test(arguments: [0o777, 0o1777, 0o702, 0o722] as [mode_t]) func aFolderOfAllIsRefused(mode: mode_t)
      throws
    {
      do { _ = try DiskCacheStore(folder: path) }
      chmod(path, mode)
      let error = try #require(throws: DiskCacheError.self) { try DiskCacheStore(folder: path) }
      #expect(error == .writableByAll(folder: path))
      #expect("\(error)".contains("chmod 700 '\(path)'"))
      #expect(try self.mode(path) == Int(mode))
      chmod(path, 0o700)
      _ = try DiskCacheStore(folder: path)
    }

    @Test(arguments: ["", "/index.sqlite", "/stagecoach-cache", "/partial", "/bodies"])
    func whatBelongsToAnotherUserIsRefused(name: String) throws {
      do { _ = try DiskCacheStore(folder: path) }
      guard geteuid() == 0 else {
        #expect(throws: DiskCacheError.otherOwner("/", user: 0)) { try DiskCacheStore(folder: "/") }
        return
      }
      chown(path + name, 12345, 12345)
      let error = try #require(throws: DiskCacheError.self) { try DiskCacheStore(folder: path) }
      if name == "/stagecoach-cache" {
        #expect(error == .foreignFolder(path))
      } else {
        #expect(error == .otherOwner(path + name, user: 12345))
        #expect("\(error)".contains("chown -R 0 '\(path)\(name)'"))
      }
    }

    /// A body in the place of one that the index names.
    @Test func aBodyOfAnotherUserIsNotUsed() async throws {
      guard geteuid() == 0 else { return }
      let key = CacheKey(url: "http://h/")
      let store = try DiskCacheStore(folder: path)
      try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, 1))
      let name = try #require(bodyFiles(path).first)
      chown("\(path)/bodies/\(name.prefix(2))/\(name)", 12345, 12345)
      let entry = try #require(await store.lookUp(key).entries.first)
      #expect(try await store.content(of: entry) == nil)
    }

    @Test(arguments: [0o770, 0o720, 0o775] as [mode_t]) func aFolderOfAGroupIsMadePrivate(mode: mode_t)
      async throws
    {
      do { _ = try DiskCacheStore(folder: path) }
      chmod(path, mode)
      let bench = try CacheBench(DiskCacheStore(folder: path)) { _ in
        .of("a", 200, ["Cache-Control": "max-age=60"])
      }
      #expect(try self.mode(path) == 0o700)
      for _ in 0..<2 { _ = try await bench.get() }
      let repairs = bench.events.all.compactMap { event in
        if case .storeRepaired(let what) = event { what } else { nil }
      }
      #expect(repairs.count == 1)
      #expect(
        repairs.first?.contains("\(path) could write to it: its mode was \(String(mode, radix: 8))") == true
      )
      // One that others could only read is made private without a word.
      chmod(path, 0o755)
      #expect(try DiskCacheStore(folder: path).folder.repair == nil)
      #expect(try self.mode(path) == 0o700)
    }

    @Test func theModeOfAnotherFolderIsNotChanged() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      chmod(path, 0o775)
      _ = try Data().write(to: URL(filePath: "\(path)/notes.txt"))
      for creates in [true, false] {
        #expect(throws: DiskCacheError.self) { try DiskCacheStore(folder: path, creates: creates) }
      }
      #expect(try mode(path) == 0o775)
    }

    /// Whoever removes them while the store is open, they are made again.
    @Test(arguments: [["partial"], ["bodies"], ["partial", "bodies"]]) func aMissingFolderIsMadeAgain(
      names: [String]
    )
      async throws
    {
      let store = try DiskCacheStore(folder: path)
      let body = CacheStoreCheck.octets(100_000, 1)
      for number in 0..<2 {
        for name in names { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
        let key = CacheKey(url: "http://h/\(number)")
        try await store.put(key, CacheStoreCheck.sample("1"), body)
        #expect(try await store.bodies(key) == [body])
        for name in names { #expect(try mode("\(path)/\(name)") == 0o700) }
      }
      #expect(try bodyFiles(path).count == (names.contains("bodies") ? 1 : 2))
    }

    /// Requests go on without the store.
    @Test func aMissingStoreFailsNoRequest() async throws {
      let bench = try CacheBench(DiskCacheStore(folder: path)) { _ in
        .of(String(repeating: "a", count: 100_000), 200, ["Cache-Control": "max-age=60"])
      }
      _ = try await bench.get("before")
      try FileManager.default.removeItem(atPath: path)
      for number in 0..<3 { #expect(try await bench.get("\(number)").body.count == 100_000) }
      let failures = bench.events.all.compactMap { event in
        if case .storeFailed(let reason) = event { reason } else { nil }
      }
      #expect(failures.contains { $0.contains("No such file") })
    }

    @Test func aFolderWithOtherContentIsRefused() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      _ = try Data().write(to: URL(filePath: "\(path)/notes.txt"))
      #expect(throws: DiskCacheError.foreignFolder(path)) { try DiskCacheStore(folder: path) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["notes.txt"])
    }

    @Test func anotherDatabaseIsRefused() throws {
      do { _ = try DiskCacheStore(folder: path) }
      try change("PRAGMA application_id = 1")
      #expect(throws: DiskCacheError.foreignFolder(path)) { try DiskCacheStore(folder: path) }
    }

    @Test func aFileInPlaceOfTheFolderIsRefused() throws {
      let file = try scratch.file("file", [1])
      #expect(throws: DiskCacheError.self) { try DiskCacheStore(folder: file) }
      #expect(throws: DiskCacheError.self) { try DiskCacheStore(folder: "\(path)/below/nothing") }
    }

    @Test func aStoreIsOnlyCreatedWhereAsked() throws {
      #expect(throws: DiskCacheError.missingStore(path)) { try DiskCacheStore(folder: path, creates: false) }
      #expect(!FileManager.default.fileExists(atPath: path))
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: DiskCacheError.missingStore(path)) { try DiskCacheStore(folder: path, creates: false) }
      do { _ = try DiskCacheStore(folder: path) }
      _ = try DiskCacheStore(folder: path, creates: false)
    }

    @Test func aLaterVersionIsRefused() throws {
      do { _ = try DiskCacheStore(folder: path) }
      try change("PRAGMA user_version = 7")
      #expect(throws: DiskCacheError.newerVersion(folder: path, 7)) { try DiskCacheStore(folder: path) }
    }

    @Test func anEarlierVersionIsMigrated() async throws {
      let key = CacheKey(url: "http://h/")
      do {
        let store = try DiskCacheStore(folder: path)
        try await store.put(key, CacheStoreCheck.sample("1"), [1, 2, 3])
      }
      var later = DiskSchema.current
      later.steps.append("CREATE TABLE extra (id INTEGER PRIMARY KEY); INSERT INTO extra VALUES (5)")
      for _ in 0..<2 {
        let store = try DiskCacheStore(path, 1 << 20, creates: false, later) { Date() }
        #expect(try await store.bodies(key) == [[1, 2, 3]])
        #expect(try await store.reading { try $0.integer("SELECT sum(id) FROM extra") } == 5)
      }
      #expect(throws: DiskCacheError.newerVersion(folder: path, DiskSchema.current.steps.count + 1)) {
        try DiskCacheStore(folder: path)
      }
    }

    @Test func theFirstVersionIsMigrated() async throws {
      let key = CacheKey(url: "http://h/")
      do {
        let store = try DiskCacheStore(folder: path)
        try await store.put(key, CacheStoreCheck.sample("1"), [1, 2, 3])
      }
      try change(
        """
        DROP INDEX entries_ends; ALTER TABLE entries DROP COLUMN ends;
        ALTER TABLE store DROP COLUMN capacity; PRAGMA user_version = 1
        """
      )
      let store = try DiskCacheStore(folder: path)
      #expect(try await store.bodies(key) == [[1, 2, 3]])
      try await store.put(key, CacheStoreCheck.sample("2"), [4])
      #expect(try await store.bodies(key) == [[4]])
    }

    @Test func aFailedMigrationChangesNothing() async throws {
      do { _ = try DiskCacheStore(folder: path) }
      var later = DiskSchema.current
      later.steps.append("CREATE TABLE extra (id INTEGER PRIMARY KEY); INSERT INTO extra VALUES (1), (1)")
      #expect(throws: DiskCacheError.self) {
        try DiskCacheStore(path, 1 << 20, creates: false, later) { Date() }
      }
      let store = try DiskCacheStore(folder: path)
      let count = try await store.reading {
        try $0.integer("SELECT count(*) FROM sqlite_master WHERE name = 'extra'")
      }
      #expect(count == 0)
    }

    @Test func concurrentOpeningsOfAnEmptyFolderAgree() async throws {
      let path = path
      let salts = try await withThrowingTaskGroup(of: Bytes.self) { group in
        for _ in 0..<8 { group.addTask { try await DiskCacheStore(folder: path).salt() } }
        return try await group.reduce(into: Set<Bytes>()) { $0.insert($1) }
      }
      #expect(salts.count == 1)
    }

    @Test func anOpeningKeepsWhatOthersAreWritingAndRemovesWhatTheyLeft() async throws {
      let key = CacheKey(url: "http://h/")
      let store = try DiskCacheStore(folder: path)
      let body = CacheStoreCheck.octets(100_000, 1)
      let writer = try await store.makeWriter(for: key, CacheStoreCheck.sample("1"), generation: 0)
      try await writer.append(Bytes(body))
      try await store.put(CacheKey(url: "http://h/moved"), CacheStoreCheck.sample("1"), body)
      // As if a process had been killed before it moved a body, and another one while it wrote.
      let name = try #require(bodyFiles(path).first)
      let manager = FileManager.default
      try manager.moveItem(
        atPath: "\(path)/bodies/\(name.prefix(2))/\(name)",
        toPath: "\(path)/partial/\(name)"
      )
      try Data([1]).write(to: URL(filePath: "\(path)/partial/0123456789abcdef"))
      #expect(try await store.bodies(CacheKey(url: "http://h/moved")) == [body])

      let other = try DiskCacheStore(folder: path)
      try await other.invalidate(url: "http://other/")
      #expect(try manager.contentsOfDirectory(atPath: "\(path)/partial").count == 1)
      #expect(try bodyFiles(path) == [name])
      #expect(try await other.bodies(CacheKey(url: "http://h/moved")) == [body])
      let generation = try await store.lookUp(key).generation
      #expect(generation == 1)
      #expect(try await writer.commit(CacheStoreCheck.sample("1")))
      #expect(try await other.bodies(key) == [body])
    }

    @Test func symbolicLinksAreNotFollowed() throws {
      do { _ = try DiskCacheStore(folder: path) }
      let manager = FileManager.default
      try manager.moveItem(atPath: "\(path)/index.sqlite", toPath: "\(scratch.path)/elsewhere")
      try manager.createSymbolicLink(
        atPath: "\(path)/index.sqlite",
        withDestinationPath: "\(scratch.path)/elsewhere"
      )
      #expect(throws: DiskCacheError.self) { try DiskCacheStore(folder: path) }
    }

    private func change(_ sql: String) throws {
      try SQLiteConnection("\(path)/index.sqlite", folder: path, cache: 100).execute(sql)
    }
  }
#endif
