#if Redis
  /// How long calls may take. A request waits for a look-up and a content, or for a look-up and an update: less than
  /// 50 milliseconds in total.
  struct RedisTimeouts: Sendable {
    /// For calls that a request waits for before it is sent.
    var read: Duration = .milliseconds(20)
    /// For calls that change something.
    var write: Duration = .milliseconds(28)
    /// For a connection of a probe, which no call waits for.
    var probe: Duration = .seconds(1)
    /// The time without calls after a failure, which doubles with each one that follows soon.
    var backOff: ClosedRange<Duration> = .milliseconds(100)...(.seconds(5))
  }
#endif
