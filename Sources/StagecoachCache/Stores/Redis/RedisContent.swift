#if Redis
  import StagecoachCore

  /// Content that was read from the server in one piece.
  struct RedisContent: CacheContent {
    let bytes: Bytes

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      guard let start = Int(exactly: offset), (0..<bytes.count).contains(start) else {
        throw CacheStoreError.outOfBounds
      }
      return bytes.dropFirst(start).prefix(max(1, count))
    }
  }
#endif
