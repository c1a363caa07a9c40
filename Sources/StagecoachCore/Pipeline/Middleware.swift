/// A stage between the caller and the wire: one asynchronous function from a request to a response.
///
/// It may change the request, answer by itself, call `next` once, or several times; and look at or
/// change the response on its way back.
///
/// ```swift
/// struct Tag: Middleware {
///   var team: String
///   func handle(_ request: Request, next: Next) async throws -> Response {
///     var request = request
///     request.fields[HTTPField.Name("X-Team")!] = team
///     return try await next(request)
///   }
/// }
/// ```
///
/// A stage that calls `next` again first lets go of the response it leaves, with
/// ``Response/Body/discard(upTo:within:)`` or ``Response/Body/cancel()``. What it throws is wrapped once, with
/// its name.
public protocol Middleware: Sendable {
  /// The name that errors, events and printed pipelines show; the name of the type by default.
  var name: String { get }

  /// Handles a request.
  ///
  /// - Parameters:
  ///   - request: The request as the stage above passed it on.
  ///   - next: The rest of the chain.
  func handle(_ request: Request, next: Next) async throws -> Response
}

extension Middleware {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
}
