#if SQLite
  internal import Synchronization

  /// Room that entries have made for what this process writes, until it is there.
  final class WritingRoom: Sendable {
    private struct State {
      /// The bytes that no writer has taken.
      var free: Int64 = 0
      /// The bytes that are being written.
      var taken: Int64 = 0
    }

    private let state = Mutex(State())

    /// The bytes that are not counted elsewhere yet.
    var size: Int64 { state.withLock { $0.free + $0.taken } }

    /// The number of bytes that are missing for `count` free ones.
    func missing(of count: Int64) -> Int64 { state.withLock { max(0, count - $0.free) } }

    func add(_ count: Int64) {
      state.withLock { $0.free += count }
    }

    func removeFree() {
      state.withLock { $0.free = 0 }
    }

    /// Returns whether there was enough.
    func take(_ count: Int64) -> Bool {
      state.withLock { state in
        guard count <= state.free else { return false }
        state.free -= count
        state.taken += count
        return true
      }
    }

    /// The bytes were written, or will not be.
    func release(_ count: Int64) {
      state.withLock { $0.taken -= count }
    }
  }
#endif
