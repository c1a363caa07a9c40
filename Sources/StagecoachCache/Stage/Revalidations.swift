import Synchronization

/// The stored responses that are being validated in the background: each once, and few at a time.
final class Revalidations: Sendable {
  private static let limit = 4

  private let keys = Mutex<Set<CacheKey>>([])

  /// Returns whether a validation may begin.
  func begin(_ key: CacheKey) -> Bool {
    keys.withLock { $0.count < Self.limit && $0.insert(key).inserted }
  }

  func end(_ key: CacheKey) {
    _ = keys.withLock { $0.remove(key) }
  }
}
