/// What a request asks of the network under it; not every transport can do it.
///
/// A value that is nil leaves the matter to the transport. One that a transport cannot do makes it refuse the
/// request with an ``ExchangeError`` of kind `unsupported`.
public struct NetworkUse: Sendable, Hashable {
  /// What a request is for, by which the system ranks it.
  @nonexhaustive
  public enum ServiceType: String, Sendable, Hashable {
    /// Nothing special.
    case standard
    /// Something that nobody waits for.
    case background
    /// Live video.
    case video
    /// Live sound.
    case voice
    /// Something that the user waits for at this moment.
    case responsiveData
  }

  /// Whether the cellular network may be used.
  public var allowsCellularAccess: Bool?
  /// Whether the request goes out on a connection that nothing was sent on before, which may be one more than
  /// ``ConnectionOptions/connectionsPerOrigin``.
  public var newConnection: Bool?
  /// Whether the next request may be sent before the response came (RFC 9112 9.3.2).
  public var pipelines: Bool?
  /// What the request is for.
  public var serviceType: ServiceType?

  /// What leaves everything to the transport, unless it is given.
  public init(
    allowsCellularAccess: Bool? = nil,
    newConnection: Bool? = nil,
    pipelines: Bool? = nil,
    serviceType: ServiceType? = nil
  ) {
    self.allowsCellularAccess = allowsCellularAccess
    self.newConnection = newConnection
    self.pipelines = pipelines
    self.serviceType = serviceType
  }
}

extension RequestOptions {
  static let networkUse = RequestOption<NetworkUse?>("networkUse", default: nil)

  /// What a request asks of the network under it; see ``NetworkUse``.
  public var networkUse: NetworkUse? {
    get { self[Self.networkUse] }
    set { self[Self.networkUse] = newValue }
  }
}
