/// An event of the connection of a request. Each transport reports the events that it knows about.
@nonexhaustive
public enum ConnectionEvent: Sendable, CustomStringConvertible {
  /// The request is sent through this proxy, shown without its password.
  case proxySelected(String)
  /// The request waits because the number of requests to the server has reached its limit.
  case queued
  /// The request stopped waiting, after this time.
  case dequeued(after: Duration)
  /// A connection was established or taken from the pool. Its information includes the time for name resolution,
  /// connecting and TLS.
  case acquired(ConnectionInfo)
  /// The request no longer needs its connection, which is kept for reuse.
  ///
  /// This may be reported before the head of a short response reaches the pipeline.
  case released
  /// The connection of the request was closed, for this reason.
  case closed(String)

  /// A description on one line.
  public var description: String {
    switch self {
    case .proxySelected(let proxy): "uses the proxy \(proxy)"
    case .queued: "waiting for a connection"
    case .dequeued(let wait): "waited \(Format.duration(wait)) for a connection"
    case .acquired(let connection):
      [
        "connection \(connection.remoteAddress ?? "acquired")", connection.applicationProtocol,
        connection.isReused == true ? "reused" : nil,
        connection.connecting.map { "made in \(Format.duration($0))" },
      ].compactMap(\.self).joined(separator: ", ")
    case .released: "connection released"
    case .closed(let reason): "connection closed: \(reason)"
    }
  }
}
