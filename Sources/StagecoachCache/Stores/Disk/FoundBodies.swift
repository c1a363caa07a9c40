#if SQLite
  internal import Synchronization

  /// Small bodies that look-ups have read and nobody has asked for yet. A hit then goes to the index once.
  final class FoundBodies: Sendable {
    private let bodies = Mutex<[UInt64: StoredBody]>([:])

    /// The number of bodies, of at most 16 KiB each.
    private static let maxCount = 64

    func insert(_ body: StoredBody, _ id: UInt64) {
      bodies.withLock { bodies in
        if bodies.count >= Self.maxCount { bodies.removeAll() }
        bodies[id] = body
      }
    }

    /// Returns a body, and forgets it.
    func take(_ id: UInt64) -> StoredBody? {
      bodies.withLock { $0.removeValue(forKey: id) }
    }

    /// Forgets all bodies: some of them may be removed from the index.
    func removeAll() {
      bodies.withLock { $0.removeAll() }
    }
  }
#endif
