public import HTTPTypes

/// A source of body chunks, pulled one at a time at the pace of the reader.
///
/// Transports and stages that produce streams implement this protocol with a final class; all others create a body
/// from an `AsyncSequence`. The protocol serves both directions: a transport reads the request's source and writes it
/// to the wire, and provides a source that reads the response.
///
/// ```swift
/// import Synchronization
///
/// final class Countdown: BodySource {
///   let left = Mutex(3)
///   func next() async throws -> Bytes? {
///     let value = left.withLock { left in
///       defer { left -= 1 }
///       return left
///     }
///     return value > 0 ? Bytes("\(value)\n") : nil
///   }
///   func cancel() { left.withLock { $0 = 0 } }
/// }
/// let body = Response.Body(source: Countdown())
/// ```
public protocol BodySource: AnyObject, Sendable {
  /// Returns the next chunk, which is never empty, or `nil` at the end.
  ///
  /// Called by one reader at a time. Must respond to cancellation of the calling task.
  func next() async throws -> Bytes?

  /// The trailer fields, known once ``next()`` has returned `nil` (RFC 9110 6.5).
  var trailers: HTTPFields? { get }

  /// Ends the transfer and frees its resources.
  ///
  /// May be called from any thread, also while ``next()`` waits, and more than once. A waiting ``next()`` and every
  /// later one throws or returns at once. It is called for an unfinished source when its last reader goes away.
  func cancel()
}

extension BodySource {
  /// No trailer fields, by default.
  public var trailers: HTTPFields? { nil }
}
