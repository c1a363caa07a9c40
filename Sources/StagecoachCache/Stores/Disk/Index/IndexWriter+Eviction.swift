#if SQLite
  internal import StagecoachCore

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Keeping the store within its capacity.
  extension IndexWriter {
    /// The number of entries that are removed at a time, so that other writers do not wait long.
    private static let batch = 256
    /// The number of unused pages of 4 KiB that the index keeps for new entries.
    private static let maxFreePages: Int64 = 2048

    /// Makes room for bytes beside the entries and the bodies that are being written. Removes at most a batch.
    ///
    /// - Parameter isComplete: Whether the room is for a body that was written.
    /// - Returns: Whether there may be more to remove.
    /// - Throws: ``CacheStoreError/full`` if the bodies that are being written leave no room, or entries would have to
    ///   go although they take more than half of the store: whoever reads slowly does not empty it.
    func makeRoom(for size: Int64, in capacity: Int64, isComplete: Bool) throws -> Bool {
      let rest = capacity - (try bytesInFlight()) - size
      guard rest >= 0 else { throw CacheStoreError.full }
      if !isComplete, rest < capacity / 2, try connection.totals().size > rest { throw CacheStoreError.full }
      return try evict(to: rest)
    }

    /// The bytes of the bodies that are being written. The files are the count: it includes those of other processes,
    /// nothing has to be kept up to date, and a killed process leaves nothing that stays in it.
    func bytesInFlight() throws(DiskCacheError) -> Int64 {
      try folder.cleanUp { file throws(DiskCacheError) in try connection.isKnown(file) }
    }

    /// Removes entries, at most a batch, if all are counted for more than `size` bytes: first those that cannot be used
    /// any more, then the least recently used.
    ///
    /// - Parameter before: Only entries that were last used before this time are removed; any if it is `nil`.
    /// - Returns: Whether there may be more to remove.
    func evict(to size: Int64, before: Date? = nil) throws(DiskCacheError) -> Bool {
      guard try connection.totals().size > size else { return false }
      var change = Change()
      try connection.transaction { () throws(DiskCacheError) in
        try writeUses()
        let total = try connection.totals().size
        let ids = try ended(before) + leastRecentlyUsed(before)
        for id in ids where total &+ change.size > size { try delete(id, &change) }
        try finish(change)
        // Only a damaged index counts bytes that it does not have.
        if ids.isEmpty, before == nil { try connection.run("UPDATE store SET size = 0, count = 0") }
      }
      removeFiles(change)
      // Large bodies in place of small ones leave the index with space that it does not need.
      if try connection.integer("PRAGMA freelist_count") ?? 0 > Self.maxFreePages {
        try connection.execute("PRAGMA incremental_vacuum(\(Self.maxFreePages / 2))")
      }
      return change.count < 0
    }

    private func ended(_ before: Date?) throws(DiskCacheError) -> [Int64] {
      var ids: [Int64] = []
      try connection.run(
        "SELECT id FROM entries WHERE ends <= ? AND used < ? ORDER BY ends LIMIT \(Self.batch)",
        .integer(milliseconds),
        .integer(before.map(Self.milliseconds) ?? .max)
      ) { (row) throws(DiskCacheError) in ids.append(row.integer(0)) }
      return ids
    }

    private func leastRecentlyUsed(_ before: Date?) throws(DiskCacheError) -> [Int64] {
      var ids: [Int64] = []
      try connection.run(
        "SELECT id FROM entries WHERE used < ? ORDER BY used LIMIT \(Self.batch)",
        .integer(before.map(Self.milliseconds) ?? .max)
      ) { (row) throws(DiskCacheError) in ids.append(row.integer(0)) }
      return ids
    }

    /// Notes when entries were last used.
    func flushUses() throws(DiskCacheError) {
      try connection.transaction { () throws(DiskCacheError) in try writeUses() }
    }

    private func writeUses() throws(DiskCacheError) {
      for (id, date) in uses.take() {
        try connection.run(
          "UPDATE entries SET used = ? WHERE id = ?",
          .integer(Self.milliseconds(date)),
          .integer(Int64(bitPattern: id))
        )
      }
    }

    /// Gives the space of removed entries back to the file system.
    func shrink() throws(DiskCacheError) {
      try connection.execute("PRAGMA incremental_vacuum")
    }
  }
#endif
