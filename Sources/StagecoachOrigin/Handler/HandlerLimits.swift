#if Tool
  /// The limits of a ``HandlerServer`` for its clients.
  package struct HandlerLimits: Sendable {
    /// The most connections at a time by default: many systems give a process 1024 descriptors.
    package static let connections = 800

    /// The most connections at a time. One client has at most half of them.
    package var connections = HandlerLimits.connections
    /// The time for a head, since the connection or the last response, and for the rest of a request after its response.
    package var headTime = Duration.seconds(60)
    /// The time over which the content of a request must keep the ``rate``.
    package var contentTime = Duration.seconds(20)
    /// The time over which the reader of a response must keep the ``rate``: longer, since a receiver's system announces
    /// room for more in large steps.
    package var readTime = Duration.seconds(60)
    /// The least number of octets in a second.
    package var rate = 500

    package init() {}

    /// The octets that have to move in a time.
    func octets(in time: Duration) -> Int { Int(Double(rate) * (time / .seconds(1))) }
  }
#endif
