/// Network settings of a request, not all of which are available in every transport.
///
/// A `nil` value leaves the setting to the transport. A transport that does not support a setting refuses the request
/// with an ``ExchangeError`` of kind `unsupported`.
public struct NetworkUse: Sendable, Hashable {
  /// The type of service of a request, by which the system prioritises it.
  @nonexhaustive
  public enum ServiceType: String, Sendable, Hashable {
    /// The default service.
    case standard
    /// A background transfer.
    case background
    /// Live video.
    case video
    /// Live audio.
    case voice
    /// A transfer that the user is waiting for.
    case responsiveData
  }

  /// Whether the cellular network may be used.
  public var allowsCellularAccess: Bool?
  /// Whether the request must use a new connection, possibly exceeding ``ConnectionOptions/connectionsPerOrigin``.
  public var newConnection: Bool?
  /// Whether the next request may be sent before the response arrives (RFC 9112 9.3.2).
  public var pipelines: Bool?
  /// The type of service.
  public var serviceType: ServiceType?

  /// Creates settings; without arguments, all are left to the transport.
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

  /// The network settings of the request.
  public var networkUse: NetworkUse? {
    get { self[Self.networkUse] }
    set { self[Self.networkUse] = newValue }
  }
}
