/// Sends a request and returns the response: the wire, or what stands for it.
///
/// A transport does no policy: no redirect, no answer to a challenge, no cookie, no cache, no field
/// that nobody asked for. It keeps the limits of ``RequestOptions``, maps what its engine throws to
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
  /// The name that errors and printed pipelines show; the name of the type by default.
  var name: String { get }

  /// What the transport can do; nothing beyond plain exchanges by default.
  var capabilities: TransportCapabilities { get }

  /// Sends a request whose head is complete and safe.
  ///
  /// - Returns: The response, whose body may still be on its way.
  /// - Throws: ``ExchangeError`` without a stage, which the pipeline fills in; `CancellationError`.
  func send(_ request: Request) async throws -> Response

  /// Closes idle connections, fails what is under way and refuses more.
  func shutdown() async
}

extension Transport {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
  /// None.
  public var capabilities: TransportCapabilities { [] }
  /// Nothing to do.
  public func shutdown() async {}
}
