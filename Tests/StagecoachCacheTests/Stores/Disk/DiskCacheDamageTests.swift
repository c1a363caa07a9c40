#if SQLite
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Rows and files that were changed behind the store's back.
  @Suite struct DiskCacheDamageTests {
    private let scratch: ScratchDirectory
    private let path: String
    private let key = CacheKey(url: "http://h/a")

    init() throws {
      scratch = try ScratchDirectory()
      path = "\(scratch.path)/cache"
    }

    private func change(_ sql: String) throws {
      try SQLiteConnection("\(path)/index.sqlite", folder: path, cache: 100).execute(sql)
    }

    private func bodyPath() throws -> String {
      let name = try #require(bodyFiles(path).first)
      return "\(path)/bodies/\(name.prefix(2))/\(name)"
    }

    @Test(arguments: [
      "UPDATE entries SET url = 'http://h/b'", "UPDATE entries SET partition = 'p'",
      "UPDATE entries SET length = length - 1", "UPDATE entries SET length = 9223372036854775807",
      "UPDATE entries SET length = -1", "UPDATE entries SET length = 'x'",
      "UPDATE entries SET response = x'00'",
      "UPDATE entries SET response = zeroblob(1000000)", "UPDATE entries SET checksums = x''",
      "UPDATE entries SET seal = 1", "UPDATE entries SET seal = -1", "UPDATE entries SET file = 5",
      "UPDATE entries SET file = '../../../../etc/passwd'",
    ])
    func aChangedRowIsAMiss(_ sql: String) async throws {
      for size in [100, 100_000] {
        let store = try DiskCacheStore(folder: path)
        try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(size, 1))
        let entry = try #require(await store.lookUp(key).entries.first)
        // A look-up may have read the body already.
        _ = try await store.content(of: entry)
        try change(sql)
        #expect(try await store.lookUp(key).entries.isEmpty)
        #expect(try await store.content(of: entry) == nil)
        try await store.put(key, CacheStoreCheck.sample("2"), CacheStoreCheck.octets(size, 2))
        #expect(try await store.bodies(key) == [CacheStoreCheck.octets(size, 2)])
        try await store.removeAll()
      }
    }

    @Test func aChangedBodyInTheIndexIsNotUsed() async throws {
      let store = try DiskCacheStore(folder: path)
      for sql in [
        "UPDATE bodies SET data = zeroblob(100)", "UPDATE bodies SET data = x''", "DELETE FROM bodies",
      ] {
        try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100, 1))
        try change(sql)
        let entry = try #require(await store.lookUp(key).entries.first)
        #expect(try await store.content(of: entry) == nil)
        // The removal was given to the queue of this call.
        try await store.invalidate(url: "http://other/")
        #expect(try await store.lookUp(key).entries.isEmpty)
      }
    }

    @Test func exchangedBodiesAreNotUsed() async throws {
      let store = try DiskCacheStore(folder: path)
      for size in [100, 100_000] {
        let keys = (0..<2).map { CacheKey(url: "http://h/\($0)") }
        for (mark, key) in keys.enumerated() {
          try await store.put(key, CacheStoreCheck.sample("\(mark)"), CacheStoreCheck.octets(size, mark))
        }
        try change(
          """
          CREATE TEMP TABLE old AS SELECT id, file FROM entries;
          UPDATE entries SET file = -id WHERE file IS NOT NULL;
          UPDATE entries SET file = (SELECT file FROM old WHERE old.id != entries.id AND file IS NOT NULL)
            WHERE file IS NOT NULL;
          UPDATE bodies SET id = -id; UPDATE bodies SET id = (SELECT sum(id) FROM old) + id;
          """
        )
        for key in keys {
          guard let entry = try await store.lookUp(key).entries.first else { continue }
          #expect(try await store.content(of: entry) == nil)
        }
        try await store.removeAll()
      }
    }

    @Test func aChangedFileEndsInAnErrorBeforeAnyWrongByte() async throws {
      let store = try DiskCacheStore(folder: path)
      let body = CacheStoreCheck.octets(200_000, 1)
      try await store.put(key, CacheStoreCheck.sample("1"), body)
      var changed = body
      changed[150_000] ^= 1
      let file = try bodyPath()
      try Data(changed).write(to: URL(filePath: file))
      let entry = try #require(await store.lookUp(key).entries.first)
      let content = try #require(await store.content(of: entry))
      let intact = 2 * BlockChecksums.block
      #expect(try await CacheStoreCheck.read(content, intact, 50_000) == Array(body[..<intact]))
      await #expect(throws: CacheStoreError.damaged("a body is not what was written")) {
        try await content.read(at: Int64(intact), upTo: 1)
      }
      try await store.invalidate(url: "http://other/")
      #expect(try await store.lookUp(key).entries.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func aMissingLinkedOrResizedFileIsAMiss() async throws {
      let store = try DiskCacheStore(folder: path)
      let secret = try scratch.file("secret", CacheStoreCheck.octets(100_000, 1))
      let changes: [(String) throws -> Void] = [
        { truncate($0, 99_999) },
        { _ = try FileManager.default.removeItem(atPath: $0) },
        {
          try FileManager.default.removeItem(atPath: $0)
          try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: secret)
        },
        {
          try FileManager.default.removeItem(atPath: $0)
          mkfifo($0, 0o600)
        },
        {
          let folder = String($0.dropLast(17))
          try FileManager.default.moveItem(atPath: folder, toPath: secret + "-folder")
          try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: secret + "-folder")
        },
      ]
      for change in changes {
        try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, 1))
        try change(bodyPath())
        let entry = try #require(await store.lookUp(key).entries.first)
        let content = try? await store.content(of: entry)
        #expect(content == nil)
        try await store.removeAll()
      }
      #expect(FileManager.default.contents(atPath: secret)?.count == 100_000)
    }

    @Test(arguments: [
      // Nothing that SQLite knows, an empty file, a missing table, a missing row.
      "garbage", "", "DROP TABLE bodies", "DELETE FROM store",
    ])
    func aDamagedIndexIsReplacedWhenItIsUnused(_ damage: String) async throws {
      do {
        let store = try DiskCacheStore(folder: path)
        try await store.put(key, CacheStoreCheck.sample("1"), CacheStoreCheck.octets(100_000, 1))
      }
      let index = "\(path)/index.sqlite"
      if damage.isEmpty || damage == "garbage" {
        try Data(String(repeating: damage, count: 1000).utf8).write(to: URL(filePath: index))
      } else {
        try change(damage)
      }
      let store = try DiskCacheStore(folder: path)
      #expect(try await store.lookUp(key).entries.isEmpty)
      #expect(try await store.statistics().count == 0)
      try await store.put(key, CacheStoreCheck.sample("2"), CacheStoreCheck.octets(100_000, 2))
      #expect(try await store.bodies(key) == [CacheStoreCheck.octets(100_000, 2)])
      // Bodies of the old index are removed in the background.
      while try bodyFiles(path).count > 1
        || FileManager.default.contentsOfDirectory(atPath: path).contains(where: {
          $0.hasPrefix("discarded-")
        })
      { await Task.yield() }
    }

    @Test func damageFoundWhileInUseIsRepairedAtTheNextOpening() async throws {
      do {
        let store = try DiskCacheStore(folder: path)
        try await store.put(key, CacheStoreCheck.sample("1"), [1])
        try change("DROP TABLE invalidations")
        await #expect(throws: DiskCacheError.corruptIndex(folder: path)) {
          try await store.invalidate(url: "u")
        }
        // The first user still has its files open.
        #expect(throws: DiskCacheError.corruptIndex(folder: path)) { try DiskCacheStore(folder: path) }
      }
      let store = try DiskCacheStore(folder: path)
      try await store.invalidate(url: "u")
      try await store.put(key, CacheStoreCheck.sample("2"), [2])
      #expect(try await store.bodies(key) == [[2]])
    }

    @Test func randomDamageIsAMissOrAnError() async throws {
      var random = SplitMix(state: 7)
      for _ in 0..<12 {
        do {
          let store = try DiskCacheStore(folder: path)
          for number in 0..<20 {
            try await store.put(
              CacheKey(url: "http://h/\(number)"),
              CacheStoreCheck.sample("\(number)"),
              CacheStoreCheck.octets(number * 1000, number)
            )
          }
        } catch DiskCacheError.corruptIndex {}
        var bytes = try Array(Data(contentsOf: URL(filePath: "\(path)/index.sqlite")))
        for _ in 0..<20 {
          let position = Int.random(in: 100..<bytes.count, using: &random)
          for index in position..<min(position + 16, bytes.count) {
            bytes[index] = .random(in: 0...255, using: &random)
          }
        }
        try Data(bytes).write(to: URL(filePath: "\(path)/index.sqlite"))
        do {
          let store = try DiskCacheStore(folder: path)
          for number in 0..<20 {
            for entry in (try? await store.entries("http://h/\(number)")) ?? [] {
              #expect(entry.response == (try CacheStoreCheck.sample("\(number)")))
              guard let content = try? await store.content(of: entry) else { continue }
              let body = try await CacheStoreCheck.read(content, Int(entry.length), 65_536)
              #expect(body == CacheStoreCheck.octets(number * 1000, number))
            }
            try? await store.invalidate(url: "http://h/\(number)")
          }
        } catch is DiskCacheError {}
      }
    }
  }
#endif
