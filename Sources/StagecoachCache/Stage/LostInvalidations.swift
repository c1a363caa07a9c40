import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The URLs that a store has failed to invalidate, or not yet: what it has of them may be older than a change, so that
/// the next look-up begins with the invalidation (RFC 9111 4.4).
final class LostInvalidations: Sendable {
  /// The most URLs that are remembered.
  private static let limit = 4096

  /// A lost invalidation that a look-up must apply.
  struct Loss: Sendable {
    /// The number of the failure to invalidate the URL; `nil` if that was not lost.
    var number: Int?
    /// Entries received up to this date are ignored: their invalidation may have been dropped.
    var floor: Date?
  }

  private struct State {
    var last = 0
    var numbers: [String: Int] = [:]
    var floor: Date?
  }

  private let state = Mutex(State())

  func add(_ url: String, at date: Date) {
    state.withLock { state in
      if state.numbers.count >= Self.limit {
        state.numbers = [:]
        state.floor = max(date, state.floor ?? date)
      }
      state.last += 1
      state.numbers[url] = state.last
    }
  }

  func loss(of url: String) -> Loss { state.withLock { Loss(number: $0.numbers[url], floor: $0.floor) } }

  /// Forgets a URL that was invalidated, unless that has failed again since.
  func remove(_ url: String, _ number: Int) {
    state.withLock { if $0.numbers[url] == number { $0.numbers[url] = nil } }
  }
}
