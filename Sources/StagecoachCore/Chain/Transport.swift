/// Sends a request and returns its response, over the network or from a substitute.
///
/// A transport applies no policy: it follows no redirects, answers no challenges, keeps no cookies or cache, and adds
/// no fields that were not requested. It enforces the limits of ``RequestOptions``, maps the errors of its engine to
/// ``ExchangeError/Kind``, and ends a transfer whose response body is dropped.
///
/// ```swift
/// struct Greeting: Transport {
///   func send(_ request: Request) async throws -> Response {
///     Response(.ok, fields: [.contentType: "text/plain"], body: .bytes("hello"))
///   }
/// }
/// ```
///
/// A ``Pipeline`` is a transport too, so stacks nest.
public protocol Transport: Sendable {
  /// The name shown in errors and printed pipelines; the type name by default.
  var name: String { get }

  /// The capabilities of the transport; empty by default.
  var capabilities: TransportCapabilities { get }

  /// The trust policy for requests that set none; the default policy by default. A cache does not keep what a peer
  /// without verification has sent, nor gives what was sent under one policy to requests under another.
  var trust: Trust { get }

  /// The connection settings; the default settings by default. A cache does not give what came from a Unix socket or
  /// another address to requests without it.
  var connections: ConnectionOptions { get }

  /// Sends a request whose head is complete and validated.
  ///
  /// - Returns: The response. Its body may still be arriving.
  /// - Throws: ``ExchangeError`` without a stage, which the pipeline fills in; `CancellationError`.
  func send(_ request: Request) async throws -> Response

  /// Closes idle connections, fails transfers in progress and refuses new requests.
  func shutdown() async
}

extension Transport {
  /// The type name.
  public var name: String { String(describing: Self.self) }
  /// No capabilities.
  public var capabilities: TransportCapabilities { [] }
  /// The default policy.
  public var trust: Trust { Trust() }
  /// The default settings.
  public var connections: ConnectionOptions { ConnectionOptions() }
  /// Does nothing.
  public func shutdown() async {}
}
