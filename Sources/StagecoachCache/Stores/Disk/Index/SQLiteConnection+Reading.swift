#if SQLite
  internal import StagecoachCore

  /// Queries of the index.
  extension SQLiteConnection {
    func salt() throws(DiskCacheError) -> Bytes {
      var salt = Bytes()
      try run("SELECT salt FROM store") { (row) throws(DiskCacheError) in salt = row.bytes(0) }
      return salt
    }

    /// The result of a look-up.
    struct Found: Sendable {
      /// The entries, with the generation at which they are all of them.
      var lookup = CacheLookup()
      /// The identifiers of damaged rows.
      var damaged: [Int64] = []
      /// The body, if there is one entry and its body is in the index.
      var body: StoredBody?
    }

    /// Finds the entries of a key.
    func lookUp(_ key: CacheKey) throws(DiskCacheError) -> Found {
      let key = IndexKey(key)
      var found = Found()
      var latest: IndexRow?
      // One statement, so that entries and generation are of one instant.
      try run(
        """
        SELECT generation, \(IndexRow.columns) FROM store LEFT JOIN entries
        ON url_hash = ? AND partition_hash = ?
        """,
        .integer(key.urlHash),
        .integer(key.partitionHash)
      ) { (columns) throws(DiskCacheError) in
        found.lookup.generation = UInt64(bitPattern: columns.integer(0))
        guard !columns.isNull(1) else { return }
        guard let row = IndexRow(columns, 1), let entry = row.entry else {
          return found.damaged.append(columns.integer(1))
        }
        guard row.url == key.url, row.partition == key.partition else { return }
        found.lookup.entries.append(entry)
        latest = row
      }
      if found.lookup.entries.count == 1, let row = latest, row.file == nil {
        try run("SELECT data FROM bodies WHERE id = ?", .integer(row.id)) {
          (columns) throws(DiskCacheError) in
          found.body = StoredBody(columns.bytes(0), length: row.length, checksums: row.checksums)
        }
      }
      return found
    }

    /// The row of an entry, with its body if that is in the index; `nil` if the entry is gone or damaged.
    func row(of id: UInt64) throws(DiskCacheError) -> (row: IndexRow, body: Bytes)? {
      var result: (IndexRow, Bytes)?
      try run(
        """
        SELECT \(IndexRow.columns), data FROM entries LEFT JOIN bodies USING (id) WHERE id = ?
        """,
        .integer(Int64(bitPattern: id))
      ) { (row) throws(DiskCacheError) in
        result = IndexRow(row).map { ($0, row.bytes(9)) }
      }
      return result
    }

    /// Whether an entry has a file as its body.
    func isKnown(_ file: Int64) throws(DiskCacheError) -> Bool {
      var isKnown = false
      try run("SELECT 1 FROM entries WHERE file = ?", .integer(file)) { (_) throws(DiskCacheError) in
        isKnown = true
      }
      return isKnown
    }

    /// Entries in the order in which they were stored.
    func page(after id: UInt64, limit: Int) throws(DiskCacheError) -> DiskCacheStore.Page {
      var page = DiskCacheStore.Page()
      try run(
        "SELECT \(IndexRow.columns) FROM entries WHERE id > ? ORDER BY id LIMIT ?",
        .integer(Int64(bitPattern: id)),
        .integer(Int64(limit))
      ) { (row) throws(DiskCacheError) in
        page.next = UInt64(bitPattern: row.integer(0))
        if let listed = IndexRow(row).flatMap(DiskCacheStore.Listed.init) { page.entries.append(listed) }
      }
      return page
    }

    /// The entries with a URL, whatever their partition.
    func entries(url: String) throws(DiskCacheError) -> [DiskCacheStore.Listed] {
      let key = IndexKey(CacheKey(url: url))
      var result: [DiskCacheStore.Listed] = []
      try run(
        "SELECT \(IndexRow.columns) FROM entries WHERE url_hash = ? ORDER BY id",
        .integer(key.urlHash)
      ) { (row) throws(DiskCacheError) in
        guard let found = IndexRow(row), found.url == key.url, let listed = DiskCacheStore.Listed(found)
        else {
          return
        }
        result.append(listed)
      }
      return result
    }

    /// The entries in numbers.
    func totals() throws(DiskCacheError) -> DiskCacheStore.Statistics {
      var totals = DiskCacheStore.Statistics(count: 0, size: 0, capacity: 0)
      try run("SELECT count, size, capacity FROM store") { (row) throws(DiskCacheError) in
        totals = .init(count: row.integer(0), size: row.integer(1), capacity: row.integer(2))
      }
      return totals
    }
  }
#endif
