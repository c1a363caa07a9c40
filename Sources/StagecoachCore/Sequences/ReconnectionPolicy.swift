/// When a stream of server-sent events is connected again, and how often.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// How many connections in a row may fail, or end, without a byte of the stream, before the sequence gives
  /// up; 10 by default, 1 at least.
  public var attempts: Int

  /// The time to wait before reconnecting, until the server names one; 3 seconds by default.
  public var delay: Duration

  /// What a shorter time that the server names is lengthened to, so that `retry: 0` does not lead to connections
  /// without a pause; 1 second by default.
  public var shortestDelay: Duration

  /// The longest time to wait, with its share of chance; 5 minutes by default. The time doubles with each connection
  /// that brought nothing until it is so long, and a longer one that the server names is cut.
  public var longestDelay: Duration

  /// The share of the delay by which it is lengthened at random, so that the clients of a server that was
  /// restarted do not come back all at once: from 0 up to so much; 0.5 by default.
  public var jitter: Double

  /// A policy.
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

  /// How long to wait.
  ///
  /// - Parameters:
  ///   - fruitless: How many connections in a row brought nothing.
  ///   - requested: What the server asked for.
  ///   - chance: 64 random bits.
  func wait(after fruitless: Int, requested: Duration?, chance: UInt64) -> Duration {
    let jitter = min(max(jitter.isNaN ? 0 : jitter, 0), 1)
    // So that chance has its share of the longest delay too: clients that wait so long come back apart as well.
    let most = max(.zero, longestDelay) / (1 + jitter)
    let base = max(.zero, requested.map { max($0, shortestDelay) } ?? delay)
    let factor = 1 << min(max(fruitless, 0), 40)
    // Not a product that is capped: that of a time that a server names may be more than a duration holds.
    let grown = base > most / factor ? most : base * factor
    // As many bits as a double holds.
    let share = Double(chance >> 11) / Double(1 << 53 as UInt64)
    return min(grown + grown * (share * jitter), max(.zero, longestDelay))
  }
}
