import Synchronization

/// Counts the requests in flight, as a server sees them.
final class InFlightGauge: Sendable {
  private let state = Mutex<(now: Int, most: Int, all: Int)>((0, 0, 0))

  /// The maximum number in flight so far.
  var most: Int { state.withLock { $0.most } }
  /// The number of requests so far.
  var all: Int { state.withLock { $0.all } }

  /// Counts a request that takes a few turns of the scheduler.
  func serve() async {
    state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
    for _ in 0..<4 { await Task.yield() }
    state.withLock { $0.now -= 1 }
  }
}
