import StagecoachCache
import StagecoachCore

/// A store that does what one in memory does, but for what it implements itself.
protocol StoreOverMemory: CacheStore {
  var memory: MemoryCacheStore { get }
}

extension StoreOverMemory {
  func salt() async throws -> Bytes { try await memory.salt() }

  func lookUp(_ key: CacheKey) async throws -> CacheLookup { try await memory.lookUp(key) }

  func content(of entry: CacheEntry) async throws -> (any CacheContent)? {
    try await memory.content(of: entry)
  }

  func makeWriter(
    for key: CacheKey,
    _ response: CachedResponse,
    generation: UInt64
  ) async throws -> any CacheWriter {
    try await memory.makeWriter(for: key, response, generation: generation)
  }

  func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
    try await memory.update(entry, of: key, to: response)
  }

  func remove(_ entry: CacheEntry, of key: CacheKey) async throws {
    try await memory.remove(entry, of: key)
  }

  func invalidate(url: String) async throws { try await memory.invalidate(url: url) }

  func invalidate(url: String, since generation: UInt64) async throws -> UInt64? {
    try await memory.invalidate(url: url, since: generation)
  }
}
