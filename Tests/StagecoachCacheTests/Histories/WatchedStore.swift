import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport

/// A store in memory that looks at what it is given: secrets must not be readable in it.
final class WatchedStore: CacheStore {
  let complaints = Log<String>()
  private let store = MemoryCacheStore()
  private let isShared: Bool
  private let secrets: [String]

  init(isShared: Bool, secrets: [String]) {
    self.isShared = isShared
    self.secrets = secrets
  }

  var isInMemory: Bool { true }

  func salt() async throws -> Bytes { try await store.salt() }

  func lookUp(_ key: CacheKey) async throws -> CacheLookup { try await store.lookUp(key) }

  func content(of entry: CacheEntry) async throws -> (any CacheContent)? {
    try await store.content(of: entry)
  }

  func makeWriter(
    for key: CacheKey,
    _ response: CachedResponse,
    generation: UInt64
  ) async throws -> (any CacheWriter)? {
    inspect(key, response)
    return try await store.makeWriter(for: key, response, generation: generation)
  }

  func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
    inspect(key, response)
    try await store.update(entry, of: key, to: response)
  }

  func remove(_ entry: CacheEntry, of key: CacheKey) async throws { try await store.remove(entry, of: key) }

  func invalidate(url: String) async throws { try await store.invalidate(url: url) }

  private func inspect(_ key: CacheKey, _ response: CachedResponse) {
    var texts = [key.partition]
    for field in response.vary { texts.append(field.value ?? "") }
    for field in response.head.headerFields {
      texts.append(field.value)
      if isShared, field.name == .setCookie { complaints.add("a shared store holds Set-Cookie") }
    }
    for text in texts where secrets.contains(where: { text.contains($0) }) {
      complaints.add("a store holds the secret \(text)")
    }
    if response.head.status.code == 401 { complaints.add("a store holds a 401") }
  }
}
