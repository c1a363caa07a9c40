/// What a transport knows of the connection that a response came over.
public struct ConnectionInfo: Sendable, Hashable {
  /// The address of the peer, as text; with a port if it has one.
  public var remoteAddress: String?
  /// Whether the connection had served a request before.
  public var isReused: Bool?
  /// What looking up the host took; nil for a connection that was there, as all that follow.
  public var nameResolution: Duration?
  /// What connecting took, after the look-up, or with it where that has no time of its own.
  public var connecting: Duration?
  /// What agreeing on TLS took; part of ``connecting`` where it has no time of its own.
  public var tlsHandshake: Duration?
  /// The protocol that TLS agreed on (RFC 7301), such as `h2`.
  public var applicationProtocol: String?

  /// A connection.
  public init(remoteAddress: String? = nil, isReused: Bool? = nil) {
    self.remoteAddress = remoteAddress
    self.isReused = isReused
  }
}
