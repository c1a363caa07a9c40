/// Information about the connection of a response.
public struct ConnectionInfo: Sendable, Hashable {
  /// The address of the peer as text, with the port if there is one.
  public var remoteAddress: String?
  /// Whether the connection served an earlier request.
  public var isReused: Bool?
  /// The duration of the host name lookup; `nil` on a reused connection, as are the other durations.
  public var nameResolution: Duration?
  /// The duration of connecting, without the lookup if that is measured separately.
  public var connecting: Duration?
  /// The duration of the TLS handshake; included in ``connecting`` if it is not measured separately.
  public var tlsHandshake: Duration?
  /// The application protocol negotiated by TLS (RFC 7301), such as `h2`.
  public var applicationProtocol: String?

  /// Creates connection information.
  public init(remoteAddress: String? = nil, isReused: Bool? = nil) {
    self.remoteAddress = remoteAddress
    self.isReused = isReused
  }
}
