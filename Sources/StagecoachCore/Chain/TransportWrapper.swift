/// A transport that passes requests on to another transport.
///
/// Only ``Transport/send(_:)`` is left to write. The name, the capabilities, the trust, the connections and the shutdown
/// are the other transport's, so that stages above see what really sends:
///
/// ```swift
/// struct Logged: TransportWrapper {
///   let transport: any Transport
///
///   func send(_ request: Request) async throws -> Response {
///     let response = try await transport.send(request)
///     print(request.head.path ?? "", response.status)
///     return response
///   }
/// }
/// ```
///
/// Write a ``Middleware`` instead where the work belongs above the transport: a stage has a name of its own in errors
/// and events. A wrapper that changes a body makes it with ``Response/Body/init(transforming:length:)``.
public protocol TransportWrapper: Transport {
  /// The transport that the requests are passed on to.
  var transport: any Transport { get }
}

extension TransportWrapper {
  /// The name of the other transport.
  public var name: String { transport.name }
  /// The capabilities of the other transport.
  public var capabilities: TransportCapabilities { transport.capabilities }
  /// The trust policy of the other transport.
  public var trust: Trust { transport.trust }
  /// The connection settings of the other transport.
  public var connections: ConnectionOptions { transport.connections }
  /// Shuts the other transport down.
  public func shutdown() async { await transport.shutdown() }
}
