import HTTPTypes
public import StagecoachCore
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store in the memory of the process, bounded by bytes.
///
/// Full, it removes the entries that were not used for longest, nearly in that order; use does not save an entry that
/// cannot be used any more. What is being written counts as well. Entries that are being read are not removed. If what
/// is being written and read takes more than half of the capacity, no entry has to go for more of it, and the store
/// takes new responses only while it has room. A response that is larger than an eighth of the capacity is not kept.
public final class MemoryCacheStore: CacheStore {
  /// `true`.
  public var isInMemory: Bool { true }

  /// The most bytes that the store holds, heads included.
  public let capacity: Int

  private let key: Bytes
  private let ledger = Ledger()
  let pool = BlockPool()
  private let table: Mutex<MemoryTable>

  /// Creates an empty store.
  ///
  /// - Parameter capacity: The most bytes that it holds; 64 MiB by default.
  public init(capacity: Int = 64 << 20) {
    self.capacity = max(0, capacity)
    var random = SystemRandomNumberGenerator()
    key = Bytes((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    table = Mutex(MemoryTable())
  }

  /// The number of entries.
  package var count: Int { table.withLock { $0.count } }
  /// The bytes that are in use.
  package var size: Int { ledger.total }

  /// Random bytes of this store.
  public func salt() async throws -> Bytes { key }

  /// Returns all responses of a key.
  public func lookUp(_ key: CacheKey) async throws -> CacheLookup {
    table.withLock { $0.lookUp(key) }
  }

  /// Returns the content of an entry, which keeps its memory until it is read.
  public func content(of entry: CacheEntry) async throws -> (any CacheContent)? {
    guard let content = table.withLock({ $0.use(entry.id) }) else { return nil }
    // A small one is read at once.
    return content.length > BlockPool.size ? MemoryReading(content) : content
  }

  /// Begins to write a response.
  ///
  /// - Throws: ``CacheStoreError/tooLarge(limit:)`` if it declares more than an eighth of the capacity;
  ///   ``CacheStoreError/full`` if what is being written and read takes too much of the store.
  public func makeWriter(
    for key: CacheKey,
    _ response: CachedResponse,
    generation: UInt64
  ) async throws -> any CacheWriter {
    let head = MemoryTable.cost(of: response, key)
    let declared = response.head.headerFields.first(of: .contentLength).flatMap { Int($0) } ?? 0
    guard head <= capacity / 8, declared <= capacity / 8 - head else {
      throw CacheStoreError.tooLarge(limit: Int64(capacity / 8))
    }
    let charge = Ledger.Charge(ledger)
    charge.begin()
    defer { charge.end() }
    guard makeRoom(for: head, charge) else { throw CacheStoreError.full }
    return MemoryWriter(self, key, generation, charge, limit: capacity / 8 - head)
  }

  /// Replaces the head of an entry.
  public func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
    table.withLock { $0.update(entry.id, key, to: response) }
  }

  /// Removes an entry.
  public func remove(_ entry: CacheEntry, of key: CacheKey) async throws {
    _ = table.withLock { $0.remove(entry.id) }
  }

  /// Removes all entries with a URL.
  public func invalidate(url: String) async throws {
    table.withLock { $0.invalidate(url) }
  }

  /// Removes all entries with a URL; see ``CacheStore``.
  public func invalidate(url: String, since generation: UInt64) async throws -> UInt64? {
    table.withLock { $0.invalidate(url, since: generation) }
  }

  /// Removes all entries, and those that are being written, as when a user signs out.
  public func removeAll() {
    // The entries are freed after the lock.
    _ = table.withLock { table in
      defer { table = table.emptied }
      return table
    }
  }

  // MARK: Writing

  /// Charges bytes of what is being written, for which others may have to go.
  ///
  /// - Returns: `false` if there is no room, since what is being written and read takes it.
  func makeRoom(for bytes: Int, _ charge: Ledger.Charge) -> Bool {
    charge.add(bytes)
    let blocks = bytes / BlockPool.size * BlockPool.size
    // Unused blocks that these bytes are put into are charged already.
    while ledger.total + max(0, pool.unusedBytes - blocks) > capacity {
      if ledger.total <= capacity {
        pool.shrink()
        continue
      }
      // Whoever reads slowly does not empty the store. Released after the lock: the content ends its charge.
      let removed = ledger.inUse > capacity / 2 ? nil : table.withLock { $0.evict(at: Date()) }
      guard removed != nil else {
        charge.add(-bytes)
        return false
      }
    }
    return true
  }

  func commit(_ content: MemoryContent, _ response: CachedResponse, _ key: CacheKey, _ generation: UInt64)
    -> Bool
  {
    table.withLock { $0.insert(content, response, key, generation) }
  }
}

/// The bytes of a store.
final class Ledger: Sendable {
  private let bytes = Atomic(0)
  private let bytesInUse = Atomic(0)

  /// All bytes.
  var total: Int { bytes.load(ordering: .relaxed) }
  /// The bytes of what is being written or read.
  var inUse: Int { bytesInUse.load(ordering: .relaxed) }

  /// The bytes of one entry, which are given back with its last reference.
  final class Charge: Sendable {
    private let ledger: Ledger
    private let state = Mutex((own: 0, users: 0))

    init(_ ledger: Ledger) {
      self.ledger = ledger
    }

    deinit {
      ledger.bytes.subtract(state.withLock { $0.own }, ordering: .relaxed)
    }

    /// Whether the entry is being written or read.
    var isInUse: Bool { state.withLock { $0.users > 0 } }

    func add(_ bytes: Int) {
      state.withLock { state in
        state.own += bytes
        ledger.bytes.add(bytes, ordering: .relaxed)
        if state.users > 0 { ledger.bytesInUse.add(bytes, ordering: .relaxed) }
      }
    }

    /// Adds a writer or reader.
    func begin() {
      state.withLock { state in
        state.users += 1
        if state.users == 1 { ledger.bytesInUse.add(state.own, ordering: .relaxed) }
      }
    }

    /// Removes a writer or reader.
    func end() {
      state.withLock { state in
        state.users -= 1
        if state.users == 0 { ledger.bytesInUse.subtract(state.own, ordering: .relaxed) }
      }
    }
  }
}
