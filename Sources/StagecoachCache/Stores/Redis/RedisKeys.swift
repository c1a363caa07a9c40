#if Redis
  import StagecoachCore

  /// The names of the keys of the store. The number in them is the version of the layout.
  struct RedisKeys: Sendable {
    let prefix: String

    var salt: String { "\(prefix):salt" }

    /// The beginning of the keys of contents.
    var contents: String { "\(prefix):1:b:" }

    /// The key of the generation of a URL, for all partitions.
    func generation(of url: String) -> String { generation(ofHash: Self.hash(url)) }

    func generation(ofHash hash: String) -> String { "\(prefix):1:g:\(hash)" }

    /// The key of the entries of a URL that are for everybody.
    func index(ofHash hash: String) -> String { "\(prefix):1:i:\(hash):-" }

    /// The key of the entries of a key.
    func index(of key: CacheKey) -> String {
      let hash = Self.hash(key.url)
      return key.partition == CachePartition.everybody
        ? index(ofHash: hash) : "\(prefix):1:i:\(hash):\(Self.hash(key.partition))"
    }

    func content(of id: UInt64) -> String { contents + Self.text(of: id) }

    /// An identifier as 16 hexadecimal digits.
    static func text(of id: UInt64) -> String { id.bigEndianBytes.hexadecimal }

    static func foreignValue(of key: String) -> CacheStoreError {
      .damaged("the Redis key \(key) was written by something else; remove it, or choose another prefix")
    }

    static func hash(_ text: String) -> String { SHA256.hash(text.utf8).hexadecimal }
  }
#endif
