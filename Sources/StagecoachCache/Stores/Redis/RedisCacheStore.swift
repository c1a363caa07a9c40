#if Redis
  import HTTPTypes
  public import StagecoachCore

  /// A store in a Redis server, which a fleet of processes shares.
  ///
  /// ```swift
  /// let store = RedisCacheStore(host: "redis.internal", password: "secret", prefix: "shop")
  /// ```
  ///
  /// Only shared caches use it. A slow or broken server costs requests nothing but hits:
  ///
  /// - A look-up or the content of an entry takes at most 20 milliseconds, a change at most 28. What takes longer
  ///   fails, and so does everything else at once until the server answers again.
  /// - An entry that the server evicted, wholly or in part, is a miss.
  /// - A failed ``invalidate(url:)`` is repeated before this store sends the server anything else. Until then other
  ///   processes may use the old entries, and if this process ends first, the invalidation is lost.
  ///
  /// Contents up to 1 MiB are stored, with heads up to 64 KiB, and contents that are being written take up to 64 MiB of
  /// memory. Every entry is removed after seven days; set `maxmemory` and a `maxmemory-policy` such as `allkeys-lru` to
  /// bound the rest.
  ///
  /// Connections are not encrypted, because the hiredis of Debian has no TLS: use a trusted network or a Unix domain
  /// socket. Anyone who can write to the server can change the responses of all processes. Redis Cluster is not
  /// supported. The user needs the commands `EVAL`, `GET`, `SET`, `DEL`, `UNLINK`, `EXISTS`, `EXPIRE`, `HGET`,
  /// `HMGET`, `HSET`, `HDEL` and `PING`, which Redis has since version 4.
  public final class RedisCacheStore: CacheStore {
    /// The most bytes of a content.
    package static let maxContentSize = 1 << 20

    /// How long an entry lives, in seconds.
    private static let lifetime = "604800"
    /// How long a generation without entries lives, in seconds: longer than any response takes.
    private static let lifetimeOfGeneration = "3600"

    private let keys: RedisKeys
    private let client: RedisClient
    private let budget = RedisBudget()

    /// Creates a store over TCP. Connects when it is used first.
    ///
    /// - Parameters:
    ///   - host: The name or address of the server.
    ///   - port: Its port.
    ///   - password: The password of the default user; `nil` if it has none.
    ///   - database: The number of the database.
    ///   - prefix: The beginning of all keys; stores with different prefixes do not see each other.
    public convenience init(
      host: String,
      port: Int = 6379,
      password: String? = nil,
      database: Int = 0,
      prefix: String = "stagecoach"
    ) {
      let address = RedisServer.Address.host(host, port: port)
      self.init(RedisServer(address: address, password: password, database: database), prefix: prefix)
    }

    /// Creates a store over a Unix domain socket. Connects when it is used first.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - password: The password of the default user; `nil` if it has none.
    ///   - database: The number of the database.
    ///   - prefix: The beginning of all keys; stores with different prefixes do not see each other.
    public convenience init(
      unixSocket path: String,
      password: String? = nil,
      database: Int = 0,
      prefix: String = "stagecoach"
    ) {
      let address = RedisServer.Address.unixSocket(path)
      self.init(RedisServer(address: address, password: password, database: database), prefix: prefix)
    }

    init(_ server: RedisServer, prefix: String, timeouts: RedisTimeouts = RedisTimeouts()) {
      let keys = RedisKeys(prefix: prefix)
      self.keys = keys
      client = RedisClient(server, timeouts) { Self.invalidation(ofHash: $0, keys) }
    }

    /// `true`, because others can read what is on the server.
    public var isSharedOnly: Bool { true }

    /// Returns random bytes that all stores with the same prefix share. They are the only key without an expiry.
    ///
    /// - Throws: ``CacheStoreError`` if the server does not answer, or has other bytes under the key.
    public func salt() async throws -> Bytes {
      let new = Bytes((0..<32).map { _ in UInt8.random(in: .min ... .max) })
      let reply = try await client.read(RedisCommand(.salt, keys: [keys.salt], [new]))
      guard case .bytes(let salt) = reply, salt.count == 32 else {
        throw RedisKeys.foreignValue(of: keys.salt)
      }
      return salt
    }

    /// Returns all responses of a key. Values that this store did not write are left out.
    ///
    /// - Throws: ``CacheStoreError`` if the server does not answer in time, or refuses the command.
    public func lookUp(_ key: CacheKey) async throws -> CacheLookup {
      let names = [keys.generation(of: key.url), keys.index(of: key)]
      let arguments = [Self.newGeneration(), Bytes(Self.lifetimeOfGeneration)]
      let command = RedisCommand(.lookUp, keys: names, arguments)
      guard case .array(let reply) = try await client.read(command), case .bytes(let text)? = reply.first,
        let generation = UInt64(String(decoding: text))
      else { throw RedisKeys.foreignValue(of: names[0]) }
      let entries = stride(from: 1, to: reply.count - 1, by: 2).compactMap { index in
        RedisEntry.entry(id: reply[index], head: reply[index + 1])
      }
      return CacheLookup(entries: entries, generation: generation)
    }

    /// Returns the content of an entry, which is in memory as a whole.
    ///
    /// - Returns: The content; `nil` if it is gone, or is not what was written.
    /// - Throws: ``CacheStoreError`` if the server does not answer in time, or refuses the command.
    public func content(of entry: CacheEntry) async throws -> (any CacheContent)? {
      guard
        case .bytes(let value) = try await client.read(
          RedisCommand(["GET", Bytes(keys.content(of: entry.id))])
        )
      else { return nil }
      return RedisEntry.content(value, length: entry.length).map { RedisContent(bytes: $0) }
    }

    /// Begins to write a response, into memory.
    ///
    /// - Throws: ``CacheStoreError/tooLarge(limit:)`` if the response declares more than 1 MiB or has a head of more than
    ///   64 KiB; ``CacheStoreError/full`` if the server had no memory for the generation.
    public func makeWriter(
      for key: CacheKey,
      _ response: CachedResponse,
      generation: UInt64
    ) async throws -> any CacheWriter {
      let declared = response.head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
      guard declared <= Self.maxContentSize else {
        throw CacheStoreError.tooLarge(limit: Int64(Self.maxContentSize))
      }
      _ = try RedisEntry.head(response, length: 0)
      guard generation != 0 else { throw CacheStoreError.full }
      return RedisWriter(budget) { [self] response, content in
        try await commit(key, generation, response, content)
      }
    }

    private func commit(
      _ key: CacheKey,
      _ generation: UInt64,
      _ response: CachedResponse,
      _ content: [UInt8]
    ) async throws -> Bool {
      let id = UInt64.random(in: .min ... .max)
      let names = [keys.generation(of: key.url), keys.index(of: key), keys.content(of: id)]
      let arguments = [
        Bytes("\(generation)"), Bytes(keys.contents), Bytes(RedisKeys.text(of: id)),
        RedisEntry.hash(of: response.vary), try RedisEntry.head(response, length: Int64(content.count)),
        RedisEntry.content(content), Bytes(Self.lifetime),
      ]
      return try await client.change(RedisCommand(.commit, keys: names, arguments))
    }

    /// Replaces the head of an entry, as after validation. Does nothing if the entry or its content is gone.
    ///
    /// - Throws: ``CacheStoreError`` if the server does not answer in time, or refuses the command.
    public func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
      let names = [keys.generation(of: key.url), keys.index(of: key), keys.content(of: entry.id)]
      let arguments = [
        Bytes(RedisKeys.text(of: entry.id)), RedisEntry.hash(of: response.vary),
        try RedisEntry.head(response, length: entry.length), Bytes(Self.lifetime),
      ]
      try await client.change(RedisCommand(.update, keys: names, arguments))
    }

    /// Removes an entry. Does nothing if it is gone.
    ///
    /// - Throws: ``CacheStoreError`` if the server does not answer in time, or refuses the command.
    public func remove(_ entry: CacheEntry, of key: CacheKey) async throws {
      let names = [keys.index(of: key), keys.content(of: entry.id)]
      try await client.change(RedisCommand(.remove, keys: names, [Bytes(RedisKeys.text(of: entry.id))]))
    }

    /// Removes all entries with a URL, whatever their partition, and those that are being written by any process.
    ///
    /// - Throws: ``CacheStoreError`` if the server does not answer in time, or refuses the command. The call is repeated before
    ///   anything else is sent, for up to 10,000 URLs.
    public func invalidate(url: String) async throws {
      let hash = RedisKeys.hash(url)
      try await client.invalidate(hash, with: Self.invalidation(ofHash: hash, keys))
    }

    /// Removes all entries with a URL; see ``CacheStore``.
    ///
    /// - Throws: ``CacheStoreError`` as ``invalidate(url:)``.
    public func invalidate(url: String, since generation: UInt64) async throws -> UInt64? {
      let hash = RedisKeys.hash(url)
      let wanted = [Self.newGeneration(), Bytes(Self.lifetimeOfGeneration)]
      let command = Self.invalidation(ofHash: hash, keys, wanted)
      guard case .array(let reply) = try await client.invalidate(hash, with: command), reply.count == 2,
        reply[0] == .bytes(Bytes("\(generation)")), case .bytes(let new) = reply[1]
      else { return nil }
      return UInt64(String(decoding: new))
    }

    private static func invalidation(
      ofHash hash: String,
      _ keys: RedisKeys,
      _ wanted: [Bytes] = []
    ) -> RedisCommand {
      let names = [keys.generation(ofHash: hash), keys.index(ofHash: hash)]
      return RedisCommand(.invalidate, keys: names, [Bytes(keys.contents)] + wanted)
    }

    /// Not 0, which stands for a generation that the server did not take.
    private static func newGeneration() -> Bytes { Bytes("\(UInt64.random(in: 1...UInt64.max))") }
  }
#endif
