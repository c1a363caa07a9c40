#if SQLite
  internal import HTTPTypes
  public import StagecoachCore
  internal import Synchronization

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  /// A store in a folder, which several processes may use at the same time.
  ///
  /// The index is a database of the system's SQLite, which also holds small bodies; larger ones are files. Folder and
  /// files are accessible to their owner only (0700 and 0600, whatever the umask is). A folder of another user, or one
  /// that every user may write to, is refused, because its entries could be planted. A process may be killed at any
  /// time: what it was writing is then absent. After a loss of power the last entries may be absent or damaged.
  /// Checksums keep damaged bytes from being used: the entry is removed, and its content throws
  /// ``CacheStoreError/damaged(_:)``.
  ///
  /// To stay within the capacity, the store first removes entries that cannot be used any more, then the least recently
  /// used ones. Bodies that are being written count, including those of other processes, each of which may exceed the
  /// capacity by a 64th meanwhile. No entry is removed for them if they take more than half of it: writers that find no
  /// room then throw ``CacheStoreError/full``.
  ///
  /// If SQLite reports the index to be damaged, calls throw ``DiskCacheError/corruptIndex(folder:)``. The next opening
  /// replaces the index and removes all bodies, unless another process has the folder open.
  public final class DiskCacheStore: CacheStore {
    let folder: DiskFolder
    let writer: Confined<IndexWriter>
    private let readers: [Confined<SQLiteConnection>]
    private let nextReader = Atomic(0)
    let synchronizer = BodySynchronizer()
    private let uses = LastUses()
    private let foundBodies = FoundBodies()
    let room = WritingRoom()
    private let now: @Sendable () -> Date
    private let storedSalt: Bytes
    /// The capacity of the folder when it was last looked at.
    let knownCapacity: Atomic<Int64>

    /// The number of connections that read at the same time.
    private static let readerCount = 3

    /// Opens a store; creates the folder if it does not exist, but not those above it.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which must be on a local disk.
    ///   - capacity: The most bytes of entries, including heads. An entry of more than an eighth of it is refused. The
    ///     folder keeps it, for all processes that use it; `nil` leaves it as it is, at first 256 MiB.
    /// - Throws: ``DiskCacheError`` if the folder has other content than a store, if it belongs to another user or
    ///   every user may write to it, if it cannot be written to, or if the store is of a later version of the library.
    public convenience init(folder: String, capacity: Int64? = nil) throws {
      try self.init(folder: folder, capacity: capacity, creates: true)
    }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - creates: Whether a folder that does not exist or is empty becomes a store.
    ///   - now: The clock for the times of last use.
    package convenience init(
      folder: String,
      capacity: Int64? = nil,
      creates: Bool,
      now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
      try self.init(folder, capacity, creates: creates, .current, now)
    }

    init(
      _ path: String,
      _ capacity: Int64?,
      creates: Bool,
      _ schema: DiskSchema,
      _ now: @escaping @Sendable () -> Date
    ) throws {
      var connection: SQLiteConnection?
      let folder = try DiskFolder(path, creates: creates) { index in
        connection = nil
        let opened = try SQLiteConnection(index, folder: path, cache: 4096)
        let isNew = try schema.prepare(opened, folder: path)
        connection = opened
        return isNew
      }
      guard let connection else { throw DiskCacheError.corruptIndex(folder: path) }
      connection.owner = folder
      storedSalt = try connection.salt()
      if let capacity {
        try connection.run("UPDATE store SET capacity = ?1 WHERE capacity != ?1", .integer(max(0, capacity)))
      }
      knownCapacity = Atomic(try connection.totals().capacity)
      readers = try (0..<Self.readerCount).map { number in
        let reader = try SQLiteConnection("\(folder.path)/\(DiskFolder.index)", folder: path, cache: 1024)
        reader.owner = folder
        return Confined("stagecoach.cache.reader.\(number)", reader)
      }
      writer = Confined(
        "stagecoach.cache.writer",
        IndexWriter(connection, folder, uses: uses, now: now)
      )
      self.folder = folder
      self.now = now
      writer.enqueue { try? $0.cleanUp() }
      folder.removeDiscarded()
    }

    /// The most bytes of an entry.
    var maxEntrySize: Int64 { knownCapacity.load(ordering: .relaxed) / 8 }

    /// Random bytes of the folder.
    public func salt() async throws -> Bytes { storedSalt }

    /// Returns all responses of a key; see ``CacheStore``.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be read.
    public func lookUp(_ key: CacheKey) async throws -> CacheLookup {
      let found = try await reading { try $0.lookUp(key) }
      if !found.damaged.isEmpty { writer.enqueue { try? $0.remove(found.damaged) } }
      if let body = found.body, let entry = found.lookup.entries.first { foundBodies.insert(body, entry.id) }
      return found.lookup
    }

    /// Returns the content of an entry; see ``CacheStore``.
    ///
    /// - Throws: ``DiskCacheError`` if it cannot be read.
    public func content(of entry: CacheEntry) async throws -> (any CacheContent)? {
      if let body = foundBodies.take(entry.id) {
        noteUse(of: entry)
        return body
      }
      let folder = folder
      let found = try await reading { connection -> Found in
        guard let (row, body) = try connection.row(of: entry.id) else { return .gone }
        let (length, checksums) = (row.length, row.checksums)
        guard let file = row.file else {
          return Found(StoredBody(body, length: length, checksums: checksums))
        }
        guard let descriptor = try folder.openBody(file) else { return .damaged }
        return Found(
          FileBody(descriptor, length: length, checksums: checksums) { [weak self] in self?.discard(entry) }
        )
      }
      switch found {
      case .gone: return nil
      case .damaged:
        discard(entry)
        return nil
      case .content(let content):
        noteUse(of: entry)
        return content
      }
    }

    private enum Found: Sendable {
      case gone
      case damaged
      case content(any CacheContent)

      init(_ content: (any CacheContent)?) {
        self = content.map { .content($0) } ?? .damaged
      }
    }

    /// Begins to write a response; see ``CacheStore``.
    ///
    /// - Throws: ``CacheStoreError/tooLarge(limit:)`` if it declares more than an eighth of the capacity.
    public func makeWriter(
      for key: CacheKey,
      _ response: CachedResponse,
      generation: UInt64
    ) async throws -> any CacheWriter {
      let head = try Self.encoded(response)
      let declared = max(0, response.head.headerFields[.contentLength].flatMap { Int64($0) } ?? 0)
      let known = Int64(head.count + key.url.utf8.count + key.partition.utf8.count) + IndexRow.overhead
      guard declared <= maxEntrySize, known <= maxEntrySize - declared else {
        throw CacheStoreError.tooLarge(limit: maxEntrySize)
      }
      let rest = maxEntrySize - known
      // A body in a file takes more space than its bytes.
      let limit = max(rest - IndexRow.maxOverhead, min(rest, Int64(DiskBodyWriter.maxStoredSize)))
      return DiskBodyWriter(self, key, generation: generation, limit: limit)
    }

    /// Replaces the head of an entry; see ``CacheStore``.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be changed; ``CacheStoreError`` if the head is too large.
    public func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
      let head = try Self.encoded(response)
      try await writing {
        try $0.update(
          entry.id,
          IndexKey(key),
          head,
          vary: IndexKey.hash(response.vary),
          ends: response.endOfUse.map(IndexWriter.milliseconds)
        )
      }
    }

    /// Removes an entry; see ``CacheStore``.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be changed.
    public func remove(_ entry: CacheEntry, of key: CacheKey) async throws {
      try await writing { try $0.remove([Int64(bitPattern: entry.id)]) }
    }

    /// Removes all entries with a URL; see ``CacheStore``.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be changed.
    public func invalidate(url: String) async throws {
      _ = try await writing { try $0.invalidate(url: url, since: 0) }
    }

    /// Removes all entries with a URL; see ``CacheStore``.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be changed.
    public func invalidate(url: String, since generation: UInt64) async throws -> UInt64? {
      try await writing { try $0.invalidate(url: url, since: generation) }
    }

    static func encoded(_ response: CachedResponse) throws(CacheStoreError) -> Bytes {
      guard let head = try? response.encoded else {
        throw .tooLarge(limit: Int64(CachedResponse.maxEncodedSize))
      }
      return head
    }

    private func noteUse(of entry: CacheEntry) {
      if uses.note(entry.id, now()) { writer.enqueue { try? $0.flushUses() } }
    }

    private func discard(_ entry: CacheEntry) {
      writer.enqueue { try? $0.remove([Int64(bitPattern: entry.id)]) }
    }
  }

  extension DiskCacheStore {
    /// Reads the index, outside the cooperative threads.
    func reading<Result: Sendable>(
      _ work: @escaping @Sendable (SQLiteConnection) throws -> Result
    ) async throws -> Result {
      let number = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
      return try await noticingDamage {
        try await self.readers[Int(UInt(bitPattern: number) % UInt(Self.readerCount))].run(work)
      }
    }

    /// Changes the index, outside the cooperative threads.
    func writing<Result: Sendable>(
      _ work: @escaping @Sendable (IndexWriter) throws -> Result
    ) async throws -> Result {
      defer { foundBodies.removeAll() }
      return try await noticingDamage { try await self.writer.run(work) }
    }

    /// Removes the least recently used entries until the others are counted for at most `size` bytes. Other changes
    /// come in between.
    func evict(to size: Int64, before date: Date? = nil) async throws {
      while try await writing({ try $0.evict(to: size, before: date) }) {}
    }

    /// Has the next opening replace the index if it is damaged.
    private func noticingDamage<Result: Sendable>(
      _ work: () async throws -> Result
    ) async throws -> Result {
      do {
        return try await work()
      } catch DiskCacheError.corruptIndex(let path) {
        let folder = folder
        await BlockingQueue.files.run { folder.markDamaged() }
        throw DiskCacheError.corruptIndex(folder: path)
      }
    }
  }
#endif
