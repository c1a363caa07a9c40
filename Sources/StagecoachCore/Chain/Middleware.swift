/// A stage of a pipeline: an asynchronous function from a request to a response.
///
/// It may change the request, answer it without calling `next`, call `next` once or several times, and read or change
/// the response.
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
/// Before a stage calls `next` again, it releases the previous response with ``Response/Body/discard(upTo:within:)``
/// or ``Response/Body/cancel()``. Its errors are wrapped once, with its name.
public protocol Middleware: Sendable {
  /// The name in errors, events and printed pipelines; the name of the type by default.
  var name: String { get }

  /// Handles a request.
  ///
  /// - Parameters:
  ///   - request: The request from the stage above.
  ///   - next: The rest of the pipeline.
  func handle(_ request: Request, next: Next) async throws -> Response
}

extension Middleware {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
}
