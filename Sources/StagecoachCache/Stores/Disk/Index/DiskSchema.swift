#if SQLite
  internal import StagecoachCore

  /// The versions of the index.
  struct DiskSchema: Sendable {
    /// "SCCH": tells the index from other databases (`PRAGMA application_id`).
    static let application: Int64 = 0x5343_4348

    /// The statements that lead from each version to the next, from an empty database on.
    var steps: [String]

    /// The schema of this version of the library. A change is a new step at the end, never another text of an old one.
    static let current = DiskSchema(steps: [
      """
      CREATE TABLE store (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        salt BLOB NOT NULL,
        generation INTEGER NOT NULL, -- the number of the last invalidation
        floor INTEGER NOT NULL,      -- responses to older requests are refused, since older invalidations are forgotten
        size INTEGER NOT NULL,       -- the sum of entries.size
        count INTEGER NOT NULL       -- the number of entries
      );
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        url_hash INTEGER NOT NULL,
        partition_hash INTEGER NOT NULL,
        vary_hash INTEGER NOT NULL,
        used INTEGER NOT NULL,       -- when it was last used, in milliseconds since 1970
        size INTEGER NOT NULL,       -- what it is counted for, in bytes
        length INTEGER NOT NULL,     -- of the body, in bytes
        file INTEGER,                -- the number that names the file of a large body
        seal INTEGER NOT NULL,       -- a checksum of the other columns
        url BLOB NOT NULL,
        partition BLOB NOT NULL,
        response BLOB NOT NULL,
        checksums BLOB NOT NULL      -- of the blocks of the body
      );
      CREATE INDEX entries_key ON entries (url_hash, partition_hash);
      CREATE INDEX entries_used ON entries (used);
      CREATE UNIQUE INDEX entries_file ON entries (file) WHERE file IS NOT NULL;
      CREATE TABLE bodies (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
      CREATE TABLE garbage (file INTEGER PRIMARY KEY); -- files without entry, to be removed
      CREATE TABLE invalidations (
        url_hash INTEGER PRIMARY KEY,
        generation INTEGER NOT NULL,
        time INTEGER NOT NULL
      );
      """,
      """
      ALTER TABLE entries ADD COLUMN ends INTEGER; -- when it can be used no more, in milliseconds since 1970
      CREATE INDEX entries_ends ON entries (ends) WHERE ends IS NOT NULL;
      """,
      "ALTER TABLE store ADD COLUMN capacity INTEGER NOT NULL DEFAULT 268435456; -- the most that size may be",
    ])

    /// Makes an index be of this version. Nobody else opens the store meanwhile.
    ///
    /// - Returns: Whether the index was empty.
    /// - Throws: ``DiskCacheError`` if the database is another one, or of a later version.
    func prepare(_ connection: SQLiteConnection, folder: String) throws(DiskCacheError) -> Bool {
      let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
      let application = try connection.integer("PRAGMA application_id") ?? 0
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_master") == 0
      let isNew = version == 0 && application == 0 && isEmpty
      guard isNew || application == Self.application else { throw .foreignFolder(folder) }
      guard version <= steps.count else { throw .newerVersion(folder: folder, version) }
      guard isNew || version > 0 else { throw .corruptIndex(folder: folder) }
      if isNew { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
      // Readers do not wait for writers, and a killed process leaves a whole index.
      try connection.execute("PRAGMA journal_mode = WAL")
      if version < steps.count {
        try connection.transaction { () throws(DiskCacheError) in
          for step in steps[version...] { try connection.execute(step) }
          if isNew { try fill(connection) }
          try connection.execute(
            "PRAGMA user_version = \(steps.count); PRAGMA application_id = \(Self.application)"
          )
        }
      }
      // Finds a missing row or table now, when the index can still be replaced.
      guard try connection.integer("SELECT length(salt) FROM store") == Int64(Self.saltSize) else {
        throw .corruptIndex(folder: folder)
      }
      for table in ["entries", "bodies", "garbage", "invalidations"] {
        try connection.run("SELECT 1 FROM \(table) LIMIT 1")
      }
      return isNew
    }

    private static let saltSize = 32

    private func fill(_ connection: SQLiteConnection) throws(DiskCacheError) {
      let salt = (0..<Self.saltSize).map { _ in UInt8.random(in: 0...255) }
      try connection.run(
        "INSERT INTO store (id, salt, generation, floor, size, count) VALUES (1, ?, 0, 0, 0, 0)",
        .blob(Bytes(salt))
      )
    }
  }
#endif
