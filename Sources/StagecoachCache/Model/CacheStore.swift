public import StagecoachCore

/// A place where a ``Cache`` keeps responses.
///
/// A store only keeps and finds; what may be kept and used is decided above it. It need not answer: a look-up that
/// throws or takes too long is a miss, and a response that it does not take is passed on all the same.
///
/// Several caches, and with some stores several processes, may use one store at the same time.
public protocol CacheStore: Sendable {
  /// Whether calls return at once, so that no time limit is set for them; `false` by default.
  var isInMemory: Bool { get }

  /// Whether others can read what is stored, so that only a shared cache may use it; `false` by default.
  var isSharedOnly: Bool { get }

  /// At least 16 random bytes, always the same for a store, for hashes of what must not be readable in it.
  ///
  /// - Throws: An error if the store cannot be reached.
  func salt() async throws -> Bytes

  /// Returns all responses of a key.
  ///
  /// - Throws: An error if the store cannot be reached.
  func lookUp(_ key: CacheKey) async throws -> CacheLookup

  /// Returns the content of an entry, which stays readable if the entry is removed or replaced later.
  ///
  /// - Returns: The content; `nil` if the entry is gone.
  func content(of entry: CacheEntry) async throws -> (any CacheContent)?

  /// Begins to write a response.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - response: The head, which decides the limits: a response that declares too much content is refused.
  ///   - generation: The generation of the look-up that preceded the request. If the key was invalidated since, the
  ///     response is not kept.
  /// - Throws: ``CacheStoreError/tooLarge(limit:)`` or ``CacheStoreError/full`` if there is no room for the response;
  ///   another error if the store cannot be reached.
  func makeWriter(
    for key: CacheKey,
    _ response: CachedResponse,
    generation: UInt64
  ) async throws -> any CacheWriter

  /// Replaces the head of an entry, as after validation. Does nothing if the entry is gone.
  func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws

  /// Removes an entry. Does nothing if it is gone.
  func remove(_ entry: CacheEntry, of key: CacheKey) async throws

  /// Removes all entries with a URL, whatever their partition, and those that are being written.
  func invalidate(url: String) async throws

  /// Does the same, and has the response that a change itself brings kept if no other change came in between.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - generation: The generation of the look-up that preceded the change.
  /// - Returns: The generation for the writer of the response; `nil` if the URL was invalidated since that look-up, or if
  ///   the store does not know.
  func invalidate(url: String, since generation: UInt64) async throws -> UInt64?
}

extension CacheStore {
  /// `false`.
  public var isInMemory: Bool { false }

  /// `false`.
  public var isSharedOnly: Bool { false }

  /// Invalidates the URL and returns `nil`: responses to POST are not stored.
  public func invalidate(url: String, since generation: UInt64) async throws -> UInt64? {
    try await invalidate(url: url)
    return nil
  }
}

/// The key of stored responses (RFC 9111 2).
public struct CacheKey: Sendable, Hashable {
  /// The URL without fragment, or what the cache's own key function returned.
  public let url: String
  /// Whose responses they are: a hash, `shared` for those that a shared cache keeps for everybody, or empty for those of a
  /// private one to requests without credentials.
  public let partition: String

  /// Creates a key.
  public init(url: String, partition: String = "") {
    self.url = url
    self.partition = partition
  }

  /// Whether nothing but the URL decides who gets the responses, in a private cache or in a shared one.
  package var isOfURLAlone: Bool { partition.isEmpty || partition == CachePartition.everybody }
}

/// The result of a look-up.
public struct CacheLookup: Sendable {
  /// The entries of the key, in any order.
  public var entries: [CacheEntry]
  /// A number that changes when the key is invalidated.
  public var generation: UInt64

  /// Creates a result.
  public init(entries: [CacheEntry] = [], generation: UInt64 = 0) {
    self.entries = entries
    self.generation = generation
  }
}

/// A stored response without its content.
public struct CacheEntry: Sendable {
  /// The identifier within the store, which is never used again.
  public let id: UInt64
  /// The response.
  public var response: CachedResponse
  /// The number of stored bytes of content.
  public let length: Int64

  /// Creates an entry.
  public init(id: UInt64, response: CachedResponse, length: Int64) {
    self.id = id
    self.response = response
    self.length = length
  }
}

/// Stored content, which several readers read, each at its own position.
public protocol CacheContent: Sendable {
  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - offset: The position of the first byte, within the content.
  ///   - count: The most bytes to return, at least 1.
  /// - Returns: At least one byte.
  /// - Throws: An error if the content cannot be read, or is not what was written.
  func read(at offset: Int64, upTo count: Int) async throws -> Bytes
}

/// Content that is being written. What was appended can be read at once.
///
/// It is used by one task at a time, but for ``CacheContent/read(at:upTo:)``, which others call meanwhile, also after
/// its end.
public protocol CacheWriter: CacheContent {
  /// Appends bytes.
  ///
  /// - Throws: An error if the store is full or fails, or if the content is larger than it takes. What was appended
  ///   before stays readable.
  func append(_ chunk: Bytes) async throws

  /// Makes the entry visible, in place of those with the same nominated fields (``CachedResponse/vary``). Of more than
  /// 64 entries of a key the oldest are removed.
  ///
  /// - Parameter response: The head, which may tell more than at the beginning.
  /// - Returns: Whether it was kept: `false` if the key was invalidated.
  func commit(_ response: CachedResponse) async throws -> Bool

  /// Removes what was written. It stays readable as long as the writer is referenced.
  func abandon()
}
