/// Leaves alone for a while what has failed, and longer after each failure. Without threads or clocks.
package struct BackOff: Sendable {
  private let pauses: ClosedRange<Duration>
  private let patience: Int
  private var failures = 0
  private var pause: Duration
  private var end: ContinuousClock.Instant?

  /// - Parameters:
  ///   - pauses: The first pause, which doubles, and the longest.
  ///   - patience: The number of consecutive failures before the first pause; 1 by default.
  package init(_ pauses: ClosedRange<Duration>, after patience: Int = 1) {
    self.pauses = pauses
    self.patience = patience
    pause = pauses.lowerBound
  }

  /// Whether it is to be left alone.
  package func rests(at now: ContinuousClock.Instant) -> Bool { end.map { now < $0 } ?? false }

  /// Notes a failure. After a pause one failure is enough for the next.
  package mutating func fail(at now: ContinuousClock.Instant) {
    failures += 1
    guard failures >= patience else { return }
    failures = patience
    end = now.advanced(by: pause)
    pause = min(pause * 2, pauses.upperBound)
  }

  /// Begins anew, after a success.
  package mutating func reset() { self = BackOff(pauses, after: patience) }
}
