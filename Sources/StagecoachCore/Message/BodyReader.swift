public import HTTPTypes
import Synchronization

/// Reads a response body as the source of another one: what a stage makes of a body that passes through it.
///
/// ```swift
/// /// Passes a body on, and tells of its digest at the end.
/// final class Hashed: BodySource {
///   private let reader: BodyReader
///   private let digest = Mutex(SHA256())
///   private let report: @Sendable (SHA256.Digest) -> Void
///
///   init(_ body: Response.Body, report: @escaping @Sendable (SHA256.Digest) -> Void) {
///     reader = BodyReader(body)
///     self.report = report
///   }
///
///   func next() async throws -> Bytes? {
///     let chunk = try await reader.next()
///     digest.withLock { if let chunk { $0.update(chunk) } else { report($0.finalize()) } }
///     return chunk
///   }
///
///   var trailers: HTTPFields? { reader.trailers }
///   func cancel() { reader.cancel() }
/// }
///
/// response.body = Response.Body(transforming: Hashed(response.body) { print($0) })
/// ```
public final class BodyReader: BodySource {
  private let body: Response.Body
  private let iterator: Mutex<Response.Body.AsyncIterator>

  /// Claims a body, which is read once.
  ///
  /// - Parameter body: What to read.
  public init(_ body: Response.Body) {
    self.body = body
    iterator = Mutex(body.makeAsyncIterator())
  }

  /// The next chunk, or nil at the end.
  ///
  /// - Throws: ``ExchangeError`` naming the stage that made the body; `CancellationError`.
  public func next() async throws -> Bytes? {
    // There is one reader at a time, so nobody else moves the iterator while it waits.
    var copy = iterator.withLock { $0 }
    let chunk = try await copy.next()
    iterator.withLock { $0 = copy }
    return chunk
  }

  /// Those of the body, once it was read to its end.
  public var trailers: HTTPFields? { body.trailers }

  /// Cancels the body.
  public func cancel() { body.cancel() }
}
