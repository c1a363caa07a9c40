package import HTTPTypes
import Synchronization

extension Request.Body {
  /// Returns the same content limited to a rate, in small chunks of a fifth of a second each.
  ///
  /// Time that the reader does not use is not made up for by a burst.
  ///
  /// - Parameters:
  ///   - bytesPerSecond: The maximum rate; at least 1.
  ///   - time: The clock for the delays.
  public func throttled(to bytesPerSecond: Int, on time: any TimeSource = SystemTime()) -> Request.Body {
    .source(length: length, isReplayable: isReplayable, hasTrailers: hasTrailers) {
      ThrottledSource(try makeSource(), bytesPerSecond: bytesPerSecond, time: time)
    }
  }
}

/// Limits another source to a rate.
package final class ThrottledSource: BodySource {
  private static let largestPiece = 64 * 1024

  private struct State {
    /// The bytes that were read but not passed on yet.
    var rest = Bytes()
    /// The time at which the next piece may be passed on.
    var due: ContinuousClock.Instant?
  }

  private let source: any BodySource
  private let rate: Int
  private let piece: Int
  private let time: any TimeSource
  private let state = Mutex(State())
  private let pause = Pause()

  package init(_ source: any BodySource, bytesPerSecond: Int, time: any TimeSource) {
    self.source = source
    rate = max(1, bytesPerSecond)
    piece = min(max(1, rate / 5), Self.largestPiece)
    self.time = time
  }

  package func next() async throws -> Bytes? {
    var (rest, due) = state.withLock { ($0.rest, $0.due) }
    if rest.isEmpty {
      guard let chunk = try await source.next() else { return nil }
      rest = chunk
      state.withLock { $0.rest = chunk }
    }
    if let due, due > time.now { try await pause.sleep(until: due, on: time) }
    guard !pause.isEnded else { throw CancellationError() }
    let passed = rest.prefix(piece)
    let start = max(due ?? time.now, time.now)
    due = start.advanced(by: .nanoseconds(Int64(Double(passed.count) / Double(rate) * 1e9)))
    state.withLock { state in
      state.rest = rest.dropFirst(passed.count)
      state.due = due
    }
    return passed
  }

  package var trailers: HTTPFields? { source.trailers }

  package func cancel() {
    pause.end()
    source.cancel()
  }
}
