#if SQLite
  internal import StagecoachCore

  /// The row of an entry in the index.
  struct IndexRow {
    /// The columns, in the order of ``init(_:_:)``.
    static let columns = "entries.id, url, partition, response, length, file, checksums, seal, used"

    /// The lengths that can be counted with.
    private static let lengths = 0...Int64(1) << 50

    var id: Int64 = 0
    var url: Bytes
    var partition: Bytes
    var response: Bytes
    var length: Int64
    /// The number that names the file of the body; `nil` if the body is in the index.
    var file: Int64?
    var checksums: Bytes
    var used: Int64 = 0
    /// The end of use (``CachedResponse/endOfUse``), in milliseconds since 1970. It is not read.
    var ends: Int64?

    /// Reads a row.
    ///
    /// - Returns: `nil` if it is damaged.
    init?(_ statement: SQLiteStatement, _ first: Int32 = 0) {
      url = statement.bytes(first + 1)
      partition = statement.bytes(first + 2)
      response = statement.bytes(first + 3)
      length = statement.integer(first + 4)
      file = statement.isNull(first + 5) ? nil : statement.integer(first + 5)
      checksums = statement.bytes(first + 6)
      guard Self.lengths.contains(length), Int64(seal) == statement.integer(first + 7),
        checksums.count == BlockChecksums.size(of: length)
      else { return nil }
      id = statement.integer(first)
      used = statement.integer(first + 8)
    }

    init(_ key: IndexKey, _ response: Bytes, _ length: Int64, file: Int64?, _ checksums: Bytes) {
      url = key.url
      partition = key.partition
      self.response = response
      self.length = length
      self.file = file
      self.checksums = checksums
    }

    /// A checksum of what belongs together, by which damaged and mixed rows are found.
    var seal: UInt32 {
      var output = CodingWriter()
      for value in [Int64(url.count), Int64(partition.count), length, file == nil ? 0 : 1, file ?? 0] {
        output.number(UInt64(bitPattern: value))
      }
      var sum = output.bytes.withUnsafeBytes { CRC32.of($0) }
      for bytes in [url, partition, response, checksums] {
        sum = bytes.withUnsafeBytes { CRC32.of($0, after: sum) }
      }
      return sum
    }

    /// The bytes that the entry is counted for: those of the row with its indexes, and of the body.
    var size: Int64 {
      let body = file == nil ? length : Self.fileSize(length)
      return Int64(url.count + partition.count + response.count + checksums.count) + body + Self.overhead
    }

    /// The bytes of the other columns and of the indexes of a row, as measured.
    static let overhead: Int64 = 160
    /// The bytes that a file of this length is counted for: file systems allocate whole blocks.
    static func fileSize(_ length: Int64) -> Int64 { (length + 4095) / 4096 * 4096 + fileOverhead }

    /// The bytes of a file beside its blocks.
    private static let fileOverhead: Int64 = 512
    /// The most bytes that an entry takes beside its head and its body.
    static let maxOverhead = overhead + fileOverhead + 4095

    /// The entry; `nil` if the response cannot be read.
    var entry: CacheEntry? {
      guard let response = try? CachedResponse(decoding: response) else { return nil }
      return CacheEntry(id: UInt64(bitPattern: id), response: response, length: length)
    }
  }
#endif
