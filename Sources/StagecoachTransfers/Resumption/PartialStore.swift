import HTTPTypes
import StagecoachCore

/// Where the content of a reply goes, and what is kept of it between attempts.
protocol PartialStore<Output>: Sendable {
  associatedtype Output: Sendable

  /// The name in errors and events.
  var name: String { get }
  /// The content that the request asks for.
  var accepts: Acceptance { get }
  /// The maximum number of parts that are fetched at the same time; more than 1 only if bytes may come in any order.
  var parts: Int { get }
  /// Whether to ask for content without a coding, so that its positions are those of the bytes that are kept.
  var asksForIdentity: Bool { get }
  /// Whether content is kept with the codings that the server gave it all the same.
  var keepsCoding: Bool { get }

  /// Where replies are read, and ``write(_:at:)`` is called; `nil` for wherever the transfer runs.
  var executor: (any TaskExecutor)? { get }

  /// Opens the store before an attempt.
  ///
  /// - Returns: What is kept from before; `nil` if nothing is.
  func open() async throws -> PartialContent?

  /// Removes the bytes that are kept. The store stays open.
  func empty() async throws

  /// Begins with the content of a reply that replaces what is kept. A store that can write it apart keeps the older
  /// content until the new one is complete, also after a failure.
  ///
  /// - Parameter kept: What is there.
  func replace(_ kept: PartialContent) async throws

  /// The content that ``replace(_:)`` has kept; `nil` if there is none.
  var older: PartialContent? { get }

  /// Removes the bytes that were to replace the older content, and goes on with that.
  ///
  /// - Returns: The older content; `nil`, without a change, if there is none.
  func goBack() async throws -> PartialContent?

  /// Notes how far the content has come.
  func keep(_ content: PartialContent) async throws

  /// Writes bytes at a position.
  func write(_ bytes: Bytes, at position: Int64) async throws

  /// Makes the outcome of the complete content, and closes the store.
  ///
  /// - Parameters:
  ///   - response: The response that completed it, without its body.
  ///   - content: What is there.
  func finish(_ response: Response, _ content: PartialContent) async throws -> Output

  /// Closes the store after an attempt that did not complete the content, and keeps what is there.
  func close(_ content: PartialContent?) async

  /// Removes everything that is kept.
  func discard() async

  /// The maximum number of bytes, and the option that sets it; `nil` for no limit.
  func limit(for options: RequestOptions) -> (bytes: Int64, option: String)?

  /// Notes in an archive where the content goes, and what is kept of it.
  ///
  /// - Throws: `ExchangeError` if an archive cannot keep it.
  func archive(in work: inout ArchivedWork) throws

  /// Returns a store of the same kind for another transfer.
  func renewed() -> Self
}

extension PartialStore {
  var executor: (any TaskExecutor)? { nil }
  var keepsCoding: Bool { false }
}
