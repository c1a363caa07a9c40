#if SQLite
  internal import Synchronization

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The times at which entries were last used, which are written to the index many at a time: a hit writes nothing.
  final class LastUses: Sendable {
    private struct State {
      var dates: [UInt64: Date] = [:]
      var isFlushing = false
      var oldest: Date?
    }

    private let state = Mutex(State())

    /// The number of entries, and the number of seconds, after which the times are written.
    private static let maxCount = 1024
    private static let maxAge: TimeInterval = 10

    /// Notes a use.
    ///
    /// - Returns: Whether the times are to be written now.
    func note(_ id: UInt64, _ date: Date) -> Bool {
      state.withLock { state in
        state.dates[id] = date
        let oldest = state.oldest ?? date
        state.oldest = oldest
        let isDue =
          state.dates.count >= Self.maxCount || !(0...Self.maxAge).contains(date.timeIntervalSince(oldest))
        guard isDue, !state.isFlushing else { return false }
        state.isFlushing = true
        return true
      }
    }

    /// Returns the times, and forgets them.
    func take() -> [UInt64: Date] {
      state.withLock { state in
        defer { state = State() }
        return state.dates
      }
    }
  }
#endif
