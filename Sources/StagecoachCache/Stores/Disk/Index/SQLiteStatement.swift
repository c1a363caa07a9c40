#if SQLite
  internal import CSQLite
  internal import StagecoachCore

  /// A value of a statement's parameter.
  enum SQLiteValue {
    case null
    case integer(Int64)
    case blob(Bytes)
  }

  /// A prepared statement, and the row that it has arrived at.
  struct SQLiteStatement {
    private let handle: OpaquePointer
    /// Has SQLite copy a value, whose memory is only valid during the call.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ handle: OpaquePointer) {
      self.handle = handle
    }

    func bind(_ value: SQLiteValue, _ index: Int32) -> Int32 {
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .blob(let bytes):
        bytes.withUnsafeBytes { buffer in
          // A null pointer would bind NULL.
          guard let start = buffer.baseAddress, !buffer.isEmpty else {
            return sqlite3_bind_zeroblob(handle, index, 0)
          }
          return sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), Self.transient)
        }
      }
    }

    func step() -> Int32 { sqlite3_step(handle) }

    func reset() {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }

    func finalize() { sqlite3_finalize(handle) }

    /// The column as a number; 0 if it is something else.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A copy of the column's bytes.
    func bytes(_ column: Int32) -> Bytes {
      guard let start = sqlite3_column_blob(handle, column) else { return Bytes() }
      let count = Int(sqlite3_column_bytes(handle, column))
      return Bytes(Array(UnsafeRawBufferPointer(start: start, count: count)))
    }
  }
#endif
