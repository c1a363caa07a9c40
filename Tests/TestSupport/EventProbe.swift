package import HTTPTypes
package import StagecoachCore
import Synchronization

/// A monitor whose events can be waited for.
package final class EventProbe: EventMonitor {
  private struct State {
    var words: [String] = []
    var watchers: [(prefix: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func count(_ prefix: String) -> Int { words.count { $0.hasPrefix(prefix) } }
  }

  private let state = Mutex(State())

  package init() {}

  /// The events of the stages under test, as words.
  package var words: [String] {
    state.withLock { state in
      state.words.filter { $0.hasPrefix("concurrency") || $0.hasPrefix("circuitBreaker") }
    }
  }

  package func receive(_ event: Event) {
    let reached = state.withLock { state in
      state.words.append(event.kind.word)
      let reached = state.watchers.filter { state.count($0.prefix) >= $0.count }
      state.watchers = state.watchers.filter { state.count($0.prefix) < $0.count }
      return reached.map(\.continuation)
    }
    for continuation in reached { continuation.resume() }
  }

  /// Returns once so many events have come that begin with a word.
  package func wait(for prefix: String, count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count(prefix) >= count { return true }
        state.watchers.append((prefix, count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}

extension Request {
  /// A request of an exchange with a clock and an observer of the test.
  package static func observed(
    _ method: HTTPRequest.Method = .get,
    _ url: String,
    by probe: EventProbe,
    on time: any TimeSource = SystemTime(),
    random: any RandomSource = SeededRandom(seed: 1)
  ) -> Request {
    var request = Request(method, url)
    request.exchange = Exchange(clock: time, randomNumberGenerator: random, monitors: [probe])
    try? request.resolve(against: nil)
    return request
  }
}
