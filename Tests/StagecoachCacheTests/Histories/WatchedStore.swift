import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport

/// A store in memory that looks at what it is given: secrets must not be readable in it.
final class WatchedStore: StoreOverMemory {
  let complaints = Log<String>()
  let memory = MemoryCacheStore()
  private let isShared: Bool
  private let secrets: [String]

  init(isShared: Bool, secrets: [String]) {
    self.isShared = isShared
    self.secrets = secrets
  }

  var isInMemory: Bool { true }

  func makeWriter(
    for key: CacheKey,
    _ response: CachedResponse,
    generation: UInt64
  ) async throws -> any CacheWriter {
    inspect(key, response)
    return try await memory.makeWriter(for: key, response, generation: generation)
  }

  func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
    inspect(key, response)
    try await memory.update(entry, of: key, to: response)
  }

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
