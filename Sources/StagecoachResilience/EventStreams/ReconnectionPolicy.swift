import StagecoachCore

/// The policy for reconnecting a stream of server-sent events.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// The number of consecutive connections that may end without a byte of the stream before the sequence gives up; 10
  /// by default, at least 1.
  public var attempts: Int

  /// The delay before reconnecting, until the server specifies one; 3 seconds by default.
  public var delay: Duration

  /// The minimum delay, which also applies to a shorter time of the server, so that `retry: 0` does not cause
  /// connections without a pause; 1 second by default.
  public var shortestDelay: Duration

  /// The maximum delay, including jitter; 5 minutes by default. The delay doubles up to this limit with each
  /// connection without data, and a longer time of the server is shortened to it.
  public var longestDelay: Duration

  /// The random extension of the delay as a share of it, from 0 up to this value, so that clients of a restarted
  /// server do not all reconnect at the same time; 0.5 by default.
  public var jitter: Double

  /// Creates a policy.
  public init(
    attempts: Int = 10,
    delay: Duration = .seconds(3),
    shortestDelay: Duration = .seconds(1),
    longestDelay: Duration = .seconds(300),
    jitter: Double = 0.5
  ) {
    self.attempts = attempts
    self.delay = delay
    self.shortestDelay = shortestDelay
    self.longestDelay = longestDelay
    self.jitter = jitter
  }

  /// Returns the delay.
  ///
  /// - Parameters:
  ///   - fruitless: The number of consecutive connections without data.
  ///   - requested: The delay that the server asked for.
  ///   - chance: 64 random bits.
  func wait(after fruitless: Int, requested: Duration?, chance: UInt64) -> Duration {
    let jitter = min(max(jitter.isNaN ? 0 : jitter, 0), 1)
    // Applies jitter to the maximum delay too, so that clients that wait that long do not return at the same time.
    let most = max(.zero, longestDelay) / (1 + jitter)
    let base = max(.zero, requested.map { max($0, shortestDelay) } ?? delay)
    let factor = 1 << min(max(fruitless, 0), 40)
    // Not the product limited to the maximum: with a time from the server it may overflow a duration.
    let grown = base > most / factor ? most : base * factor
    // The precision of a double.
    let share = Double(chance >> 11) / Double(1 << 53 as UInt64)
    return min(grown + grown * (share * jitter), max(.zero, longestDelay))
  }
}
