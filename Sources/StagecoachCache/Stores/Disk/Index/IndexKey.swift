#if SQLite
  internal import StagecoachCore

  /// A key as the index finds it. The hashes only find rows, whose URL and partition are compared then.
  struct IndexKey {
    let url: Bytes
    let partition: Bytes
    let urlHash: Int64
    let partitionHash: Int64

    init(_ key: CacheKey) {
      url = Bytes(key.url)
      partition = Bytes(key.partition)
      urlHash = Self.hash(url)
      partitionHash = Self.hash(partition)
    }

    /// Eight bytes of SHA-256, so that nobody makes many URLs of one hash.
    static func hash(_ bytes: Bytes) -> Int64 {
      guard !bytes.isEmpty else { return 0 }
      var function = SHA256()
      function.update(bytes)
      return function.digest().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The hash by which an entry replaces those of equal nominated fields.
    static func hash(_ vary: [CachedResponse.Nominated]) -> Int64 {
      guard !vary.isEmpty else { return 0 }
      var output = CodingWriter()
      for field in vary {
        output.text(field.name)
        output.byte(field.value == nil ? 0 : 1)
        if let value = field.value { output.text(value) }
      }
      return hash(Bytes(output.bytes))
    }
  }
#endif
