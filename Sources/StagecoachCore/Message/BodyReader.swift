public import HTTPTypes
import Synchronization

/// A source that reads a response body, for a stage that transforms it into another body.
///
/// ```swift
/// import Synchronization
///
/// /// Passes a body on, and tells at the end how long it was.
/// final class Counted: BodySource {
///   private let reader: BodyReader
///   private let count = Mutex(0)
///   private let report: @Sendable (Int) -> Void
///
///   init(_ body: Response.Body, report: @escaping @Sendable (Int) -> Void) {
///     reader = BodyReader(body)
///     self.report = report
///   }
///
///   func next() async throws -> Bytes? {
///     let chunk = try await reader.next()
///     count.withLock { if let chunk { $0 += chunk.count } else { report($0) } }
///     return chunk
///   }
///
///   var trailers: HTTPFields? { reader.trailers }
///   func cancel() { reader.cancel() }
/// }
///
/// response.body = Response.Body(transforming: Counted(response.body) { print($0) })
/// ```
public final class BodyReader: BodySource {
  private let body: Response.Body
  private let iterator: Mutex<Response.Body.AsyncIterator>

  /// Creates a reader of a body. A body can be read only once.
  ///
  /// - Parameter body: The body to read.
  public init(_ body: Response.Body) {
    var body = body
    body.becomeReadOnce()
    self.body = body
    iterator = Mutex(body.makeAsyncIterator())
  }

  /// Returns the next chunk, or `nil` at the end.
  ///
  /// - Throws: ``ExchangeError`` naming the stage that made the body; `CancellationError`.
  public func next() async throws -> Bytes? {
    // There is only one reader at a time, so nothing else moves the iterator while it waits.
    var copy = iterator.withLock { $0 }
    let chunk = try await copy.next()
    iterator.withLock { $0 = copy }
    return chunk
  }

  /// The trailer fields of the body, once it has been read to its end.
  public var trailers: HTTPFields? { body.trailers }

  /// Cancels the body.
  public func cancel() { body.cancel() }
}
