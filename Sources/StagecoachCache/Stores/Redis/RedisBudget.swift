#if Redis
  import Synchronization

  /// Counts the bytes of contents that are being written, which are all in memory.
  final class RedisBudget: Sendable {
    /// The most bytes, of all writers.
    static let limit = 64 << 20

    private let used = Mutex(0)

    /// Takes bytes, if there are enough.
    func take(_ count: Int) -> Bool {
      used.withLock { used in
        guard count <= Self.limit - used else { return false }
        used += count
        return true
      }
    }

    func giveBack(_ count: Int) {
      used.withLock { $0 -= count }
    }
  }
#endif
