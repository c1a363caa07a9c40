public import HTTPTypes
public import StagecoachCore

/// Takes the content of a response as it arrives, for content that goes neither to memory nor to a file.
///
/// The bytes come in order, each once, and the next only when the last call has returned. An error that a method throws
/// fails the transfer and closes its connection.
///
/// ```swift
/// actor Counter: TransferSink {
///   private var count = 0
///   func write(_ bytes: Bytes) { count += bytes.count }
///   func empty() { count = 0 }
///   func finish(_ head: HTTPResponse) -> Int { count }
/// }
/// let size = try await client.transfer(.get("film"), into: Counter()).value()
/// ```
public protocol TransferSink<Output>: Sendable {
  /// The type of the outcome.
  associatedtype Output: Sendable

  /// The name in errors and events; the name of the type by default.
  var name: String { get }

  /// The content that the sink takes; any by default.
  var accepts: Acceptance { get }

  /// Takes the next bytes.
  func write(_ bytes: Bytes) async throws

  /// Forgets all bytes, because the content comes anew from its first byte.
  func empty() async throws

  /// Makes the outcome, once all bytes are written.
  ///
  /// - Parameter head: The head of the response that completed the content.
  func finish(_ head: HTTPResponse) async throws -> Output
}

extension TransferSink {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }

  /// Any content with a status from 200 to 299.
  public var accepts: Acceptance { .any }
}
