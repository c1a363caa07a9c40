/// When a stream of server-sent events is connected again, and how often.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// How many connections in a row may fail, or end, without a byte of the stream, before the sequence gives
  /// up; 10 by default, 1 at least.
  public var attempts: Int

  /// The time to wait before reconnecting, until the server names one; 3 seconds by default.
  public var delay: Duration

  /// The longest time that ``delay``, which doubles with each connection that brought nothing, grows to; 5 minutes
  /// by default. A longer time that the server names is kept.
  public var longestDelay: Duration

  /// The share of the delay by which it is lengthened at random, so that the clients of a server that was
  /// restarted do not come back all at once: from 0 up to so much; 0.5 by default. It is never shortened.
  public var jitter: Double

  /// A policy.
  public init(
    attempts: Int = 10,
    delay: Duration = .seconds(3),
    longestDelay: Duration = .seconds(300),
    jitter: Double = 0.5
  ) {
    self.attempts = attempts
    self.delay = delay
    self.longestDelay = longestDelay
    self.jitter = jitter
  }

  /// How long to wait.
  ///
  /// - Parameters:
  ///   - fruitless: How many connections in a row brought nothing.
  ///   - requested: What the server asked for.
  ///   - chance: 64 random bits.
  func wait(after fruitless: Int, requested: Duration?, chance: UInt64) -> Duration {
    let base = max(.zero, requested ?? delay)
    // A shift beyond any delay that is not capped.
    let grown = base < longestDelay ? min(base * (1 << min(max(fruitless, 0), 40)), longestDelay) : base
    // As many bits as a double holds.
    let share = Double(chance >> 11) / Double(1 << 53 as UInt64)
    return grown + grown * (share * min(max(jitter.isNaN ? 0 : jitter, 0), 1))
  }
}
