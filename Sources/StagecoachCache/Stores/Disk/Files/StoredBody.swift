#if SQLite
  internal import StagecoachCore

  /// A small body, which was read from the index.
  struct StoredBody: CacheContent {
    private let bytes: Bytes

    /// - Returns: `nil` if the bytes are not those that were written.
    init?(_ bytes: Bytes, length: Int64, checksums: Bytes) {
      guard bytes.count == length, bytes.isEmpty || BlockChecksums.isIntact(bytes, 0, checksums) else {
        return nil
      }
      self.bytes = bytes
    }

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      guard offset >= 0, offset < bytes.count, count > 0 else { throw CacheStoreError.outOfBounds }
      return bytes.dropFirst(Int(offset)).prefix(count)
    }
  }
#endif
