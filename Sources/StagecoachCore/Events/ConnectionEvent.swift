/// What a transport did about the connection of a request; each tells what it knows.
@nonexhaustive
public enum ConnectionEvent: Sendable, CustomStringConvertible {
  /// The request goes through this proxy, shown without its password.
  case proxySelected(String)
  /// As many requests as may be are under way at the server: this one waits for one of them to end.
  case queued
  /// The request no longer waits, after this time.
  case dequeued(after: Duration)
  /// A connection was made, or picked from the pool. What looking up the host, connecting and TLS took is in
  /// the information: the engines tell when it is over.
  case acquired(ConnectionInfo)
  /// The request is done with its connection, which is kept for others.
  ///
  /// This may come before the head of a short response has come up to the pipeline.
  case released
  /// The request is done with its connection, which is closed for this reason.
  case closed(String)

  /// A readable line.
  public var description: String {
    switch self {
    case .proxySelected(let proxy): "goes through the proxy \(proxy)"
    case .queued: "waits for a connection"
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
