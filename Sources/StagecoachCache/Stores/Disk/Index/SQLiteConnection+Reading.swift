#if SQLite
  internal import StagecoachCore

  /// What is read of the index.
  extension SQLiteConnection {
    func salt() throws(DiskCacheError) -> Bytes {
      var salt = Bytes()
      try run("SELECT salt FROM store") { (row) throws(DiskCacheError) in salt = row.bytes(0) }
      return salt
    }

    /// The entries of a key, with the generation at which they are all of them, and the identifiers of damaged rows.
    func lookUp(_ key: CacheKey) throws(DiskCacheError) -> (lookup: CacheLookup, damaged: [Int64]) {
      let key = IndexKey(key)
      var lookup = CacheLookup()
      var damaged: [Int64] = []
      // One statement, so that both are of one instant.
      try run(
        """
        SELECT generation, \(IndexRow.columns) FROM store LEFT JOIN entries
        ON url_hash = ? AND partition_hash = ?
        """,
        .integer(key.urlHash),
        .integer(key.partitionHash)
      ) { (row) throws(DiskCacheError) in
        lookup.generation = UInt64(bitPattern: row.integer(0))
        guard !row.isNull(1) else { return }
        guard let found = IndexRow(row, 1), let entry = found.entry else {
          return damaged.append(row.integer(1))
        }
        if found.url == key.url, found.partition == key.partition { lookup.entries.append(entry) }
      }
      return (lookup, damaged)
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

    /// The number of entries, and the bytes that they are counted for.
    func totals() throws(DiskCacheError) -> (count: Int64, size: Int64) {
      var totals: (Int64, Int64) = (0, 0)
      try run("SELECT count, size FROM store") { (row) throws(DiskCacheError) in
        totals = (row.integer(0), row.integer(1))
      }
      return totals
    }
  }
#endif
