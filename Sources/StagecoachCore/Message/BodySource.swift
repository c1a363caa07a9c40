public import HTTPTypes

/// Where the chunks of a body come from: pulled one at a time, so that the reader sets the pace.
///
/// Transports and stages that make streams conform a final class of their own; everybody else makes
/// a body from an `AsyncSequence`. The same protocol serves both directions: a transport reads a
/// request's source and writes it to the wire, and offers a source that reads the response.
///
/// ```swift
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
  /// The next chunk, never empty, or nil once there are no more.
  ///
  /// Called by one reader at a time. It honours the cancellation of the calling task.
  func next() async throws -> Bytes?

  /// The trailer fields (RFC 9110 6.5), known once ``next()`` has returned nil.
  var trailers: HTTPFields? { get }

  /// Ends the transfer and frees what it holds.
  ///
  /// May be called from any thread, also while ``next()`` waits, and more than once. A waiting and
  /// every later ``next()`` throws or returns at once. It is called for an unfinished source when
  /// its last reader goes away.
  func cancel()
}

extension BodySource {
  /// None.
  public var trailers: HTTPFields? { nil }
}
