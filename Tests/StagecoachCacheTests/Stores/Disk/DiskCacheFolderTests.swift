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

    @Test func manyOpenAnEmptyFolderAtOnce() async throws {
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
