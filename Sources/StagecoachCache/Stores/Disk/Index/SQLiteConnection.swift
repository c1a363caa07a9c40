#if SQLite
  internal import CSQLite
  internal import StagecoachCore

  /// A connection to the index, with its prepared statements. It is used by one thread at a time.
  final class SQLiteConnection {
    private let handle: OpaquePointer
    private let folder: String
    private var statements: [String: SQLiteStatement] = [:]
    /// Released after the connection is closed: SQLite may then remove files beside the index, so that the folder must
    /// still be locked.
    var owner: DiskFolder?

    /// Opens a database, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The path, without symbolic links.
    ///   - folder: The name of the folder for messages.
    ///   - cache: The maximum size of the page cache, in KiB.
    init(_ path: String, folder: String, cache: Int) throws(DiskCacheError) {
      var opened: OpaquePointer?
      let flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        | SQLITE_OPEN_EXRESCODE
      let code = sqlite3_open_v2(path, &opened, flags, nil)
      guard code == SQLITE_OK, let opened else {
        let error = Self.error(code, opened, folder)
        sqlite3_close_v2(opened)
        throw error
      }
      handle = opened
      self.folder = folder
      // Transactions are short, but a checkpoint of another process may take its time.
      sqlite3_busy_timeout(handle, 5000)
      try execute(
        """
        PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -\(cache); PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216;
        """
      )
    }

    deinit {
      for statement in statements.values { statement.finalize() }
      sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters and results.
    func execute(_ sql: String) throws(DiskCacheError) {
      let code = sqlite3_exec(handle, sql, nil, nil, nil)
      guard code == SQLITE_OK else { throw Self.error(code, handle, folder) }
    }

    /// Runs a statement, which is prepared once, and calls `row` for each row of its result.
    func run(
      _ sql: String,
      _ values: SQLiteValue...,
      row: (SQLiteStatement) throws(DiskCacheError) -> Void = { _ in }
    ) throws(DiskCacheError) {
      let statement = try prepared(sql)
      defer { statement.reset() }
      for (index, value) in values.enumerated() {
        let code = statement.bind(value, Int32(index + 1))
        guard code == SQLITE_OK else { throw Self.error(code, handle, folder) }
      }
      while true {
        switch statement.step() {
        case SQLITE_ROW: try row(statement)
        case SQLITE_DONE: return
        case let code: throw Self.error(code, handle, folder)
        }
      }
    }

    /// Returns the number that a statement without parameters results in.
    func integer(_ sql: String) throws(DiskCacheError) -> Int64? {
      var result: Int64?
      try run(sql) { (row) throws(DiskCacheError) in result = row.integer(0) }
      return result
    }

    /// Runs changes of which all or none are made, also if the process is killed.
    func transaction<Result>(
      _ body: () throws(DiskCacheError) -> Result
    ) throws(DiskCacheError) -> Result {
      try run("BEGIN IMMEDIATE")
      do throws(DiskCacheError) {
        let result = try body()
        try run("COMMIT")
        return result
      } catch {
        // A failed COMMIT may have ended the transaction.
        if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
        throw error
      }
    }

    private func prepared(_ sql: String) throws(DiskCacheError) -> SQLiteStatement {
      if let statement = statements[sql] { return statement }
      var statement: OpaquePointer?
      let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      guard code == SQLITE_OK, let statement else { throw Self.error(code, handle, folder) }
      let result = SQLiteStatement(statement)
      statements[sql] = result
      return result
    }

    private static func error(_ code: Int32, _ handle: OpaquePointer?, _ folder: String) -> DiskCacheError {
      switch code & 0xFF {
      // The statements are correct, so that a table or a column is missing.
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: .corruptIndex(folder: folder)
      default:
        .index(
          code: code,
          message: handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "cannot open"
        )
      }
    }
  }
#endif
