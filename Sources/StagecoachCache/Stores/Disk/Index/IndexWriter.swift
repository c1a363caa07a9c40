#if SQLite
  internal import StagecoachCore

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Changes the index, on one thread at a time.
  final class IndexWriter {
    let connection: SQLiteConnection
    let folder: DiskFolder
    let uses: LastUses
    private let now: @Sendable () -> Date
    /// Removed files that the index still lists as garbage.
    private var removedFiles: [Int64] = []

    /// The most entries of a key.
    private static let maxVariants = 64
    /// How many invalidations are remembered, and for how long.
    private static let maxInvalidations: Int64 = 65_536
    private static let invalidationAge: TimeInterval = 86_400

    init(
      _ connection: SQLiteConnection,
      _ folder: DiskFolder,
      uses: LastUses,
      now: @escaping @Sendable () -> Date
    ) {
      self.connection = connection
      self.folder = folder
      self.uses = uses
      self.now = now
    }

    var milliseconds: Int64 { Self.milliseconds(now()) }

    static func milliseconds(_ date: Date) -> Int64 {
      Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
    }

    /// Makes an entry visible.
    ///
    /// - Returns: Whether it was kept: `false` if the URL was invalidated since `generation`.
    func insert(
      _ row: IndexRow,
      _ key: IndexKey,
      _ vary: Int64,
      _ body: Bytes?,
      generation: UInt64
    ) throws(DiskCacheError) -> Bool {
      var change = Change()
      let isKept = try connection.transaction { () throws(DiskCacheError) in
        guard try isValid(generation, key) else { return false }
        for (id, _) in try variants(key).filter({ $0.vary == vary }) { try delete(id, &change) }
        try insertRow(row, key, vary, body)
        change.size += row.size
        change.count += 1
        for (id, _) in try variants(key).dropLast(Self.maxVariants) { try delete(id, &change) }
        try finish(change)
        return true
      }
      guard isKept else { return false }
      if let file = row.file { folder.publish(file) }
      removeFiles(change)
      return true
    }

    private func isValid(_ generation: UInt64, _ key: IndexKey) throws(DiskCacheError) -> Bool {
      var isValid = false
      try connection.run(
        """
        SELECT max(floor, ifnull((SELECT generation FROM invalidations WHERE url_hash = ?), 0)) FROM store
        """,
        .integer(key.urlHash)
      ) { (row) throws(DiskCacheError) in isValid = row.integer(0) <= Int64(bitPattern: generation) }
      return isValid
    }

    /// The identifiers of a key's entries, the oldest first.
    private func variants(_ key: IndexKey) throws(DiskCacheError) -> [(id: Int64, vary: Int64)] {
      var result: [(Int64, Int64)] = []
      try connection.run(
        """
        SELECT id, vary_hash FROM entries
        WHERE url_hash = ? AND partition_hash = ? AND url = ? AND partition = ? ORDER BY id
        """,
        .integer(key.urlHash),
        .integer(key.partitionHash),
        .blob(key.url),
        .blob(key.partition)
      ) { (row) throws(DiskCacheError) in result.append((row.integer(0), row.integer(1))) }
      return result
    }

    private func insertRow(_ row: IndexRow, _ key: IndexKey, _ vary: Int64, _ body: Bytes?)
      throws(DiskCacheError)
    {
      var id: Int64 = 0
      try connection.run(
        """
        INSERT INTO entries (url_hash, partition_hash, vary_hash, used, ends, size, length, file, seal, url,
        partition, response, checksums) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
        """,
        .integer(key.urlHash),
        .integer(key.partitionHash),
        .integer(vary),
        .integer(milliseconds),
        row.ends.map { .integer($0) } ?? .null,
        .integer(row.size),
        .integer(row.length),
        row.file.map { .integer($0) } ?? .null,
        .integer(Int64(row.seal)),
        .blob(row.url),
        .blob(row.partition),
        .blob(row.response),
        .blob(row.checksums)
      ) { (row) throws(DiskCacheError) in id = row.integer(0) }
      guard let body else { return }
      try connection.run("INSERT OR REPLACE INTO bodies (id, data) VALUES (?, ?)", .integer(id), .blob(body))
    }

    /// Replaces the head of an entry.
    func update(_ id: UInt64, _ key: IndexKey, _ response: Bytes, vary: Int64, ends: Int64?)
      throws(DiskCacheError)
    {
      try connection.transaction { () throws(DiskCacheError) in
        guard var row = try connection.row(of: id)?.row, row.url == key.url, row.partition == key.partition
        else {
          return
        }
        let old = row.size
        row.response = response
        try connection.run(
          "UPDATE entries SET response = ?, vary_hash = ?, ends = ?, size = ?, seal = ? WHERE id = ?",
          .blob(response),
          .integer(vary),
          ends.map { .integer($0) } ?? .null,
          .integer(row.size),
          .integer(Int64(row.seal)),
          .integer(row.id)
        )
        try finish(Change(size: row.size - old))
      }
    }

    /// Removes entries.
    func remove(_ ids: [Int64]) throws(DiskCacheError) {
      var change = Change()
      try connection.transaction { () throws(DiskCacheError) in
        for id in ids { try delete(id, &change) }
        try finish(change)
      }
      removeFiles(change)
    }

    /// Removes all entries with a URL, and has responses refused whose requests were sent before.
    ///
    /// - Returns: The new generation; `nil` if the URL was invalidated since another one.
    func invalidate(url: String, since generation: UInt64) throws(DiskCacheError) -> UInt64? {
      let key = IndexKey(CacheKey(url: url))
      var change = Change()
      var new: Int64?
      try connection.transaction { () throws(DiskCacheError) in
        let isFirst = try isValid(generation, key)
        try connection.run("UPDATE store SET generation = generation + 1")
        try connection.run(
          "INSERT OR REPLACE INTO invalidations (url_hash, generation, time) SELECT ?, generation, ? FROM store",
          .integer(key.urlHash),
          .integer(milliseconds)
        )
        var ids: [Int64] = []
        // A damaged row goes as well.
        try connection.run("SELECT id FROM entries WHERE url_hash = ?", .integer(key.urlHash)) {
          (row) throws(DiskCacheError) in ids.append(row.integer(0))
        }
        for id in ids { try delete(id, &change) }
        new = try connection.integer("SELECT generation FROM store")
        if let new, new % 256 == 0 { try forgetInvalidations() }
        if !isFirst { new = nil }
        try finish(change)
      }
      removeFiles(change)
      return new.map { UInt64(bitPattern: $0) }
    }

    /// Has responses refused whose requests were sent before, whatever their URL.
    func refuseEarlierRequests() throws(DiskCacheError) {
      try connection.transaction { () throws(DiskCacheError) in
        try connection.run("UPDATE store SET generation = generation + 1, floor = generation + 1")
      }
    }

    /// Forgets old invalidations; responses to requests of that time are refused from now on, whatever their URL.
    private func forgetInvalidations() throws(DiskCacheError) {
      try connection.run(
        """
        UPDATE store SET floor = max(floor, generation - ?, ifnull((
        SELECT max(generation) FROM invalidations WHERE time < ?), 0))
        """,
        .integer(Self.maxInvalidations),
        .integer(milliseconds - Int64(Self.invalidationAge * 1000))
      )
      try connection.run("DELETE FROM invalidations WHERE generation <= (SELECT floor FROM store)")
    }

    /// Removes what killed processes have left.
    func cleanUp() throws(DiskCacheError) {
      var change = Change()
      try connection.run("SELECT file FROM garbage") { (row) throws(DiskCacheError) in
        change.files.append(row.integer(0))
      }
      removeFiles(change)
      if !change.files.isEmpty {
        try connection.transaction { () throws(DiskCacheError) in try finish(Change()) }
      }
      _ = try bytesInFlight()
    }
  }

  /// Removing rows and files.
  extension IndexWriter {
    /// The side effects of a transaction besides its rows.
    struct Change {
      var size: Int64 = 0
      var count: Int64 = 0
      var files: [Int64] = []
    }

    func delete(_ id: Int64, _ change: inout Change) throws(DiskCacheError) {
      var file: Int64?
      var size: Int64 = 0
      try connection.run("DELETE FROM entries WHERE id = ? RETURNING file, size", .integer(id)) {
        (row) throws(DiskCacheError) in
        file = row.isNull(0) ? nil : row.integer(0)
        size = row.integer(1)
        change.count -= 1
      }
      change.size &-= size
      guard let file else { return try connection.run("DELETE FROM bodies WHERE id = ?", .integer(id)) }
      try connection.run("INSERT OR IGNORE INTO garbage (file) VALUES (?)", .integer(file))
      change.files.append(file)
    }

    /// Ends a transaction with the new totals.
    func finish(_ change: Change) throws(DiskCacheError) {
      if change.size != 0 || change.count != 0 {
        try connection.run(
          "UPDATE store SET size = size + ?, count = count + ?",
          .integer(change.size),
          .integer(change.count)
        )
      }
      for file in removedFiles { try connection.run("DELETE FROM garbage WHERE file = ?", .integer(file)) }
    }

    /// Removes the files of removed entries, after the index has stopped to name them.
    func removeFiles(_ change: Change) {
      // The transaction that has just ended has taken these off the list.
      removedFiles = change.files
      for file in change.files { folder.removeBody(file) }
    }
  }
#endif
