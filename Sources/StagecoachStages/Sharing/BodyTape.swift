package import StagecoachCore

/// A place where a shared body is kept while it arrives, so that readers may fall behind, and come late.
package protocol BodyTape: Sendable {
  /// Appends a chunk.
  ///
  /// - Throws: An error if no more can be kept. What was appended before stays readable.
  func append(_ chunk: Bytes) async throws

  /// Reads at most `count` of the bytes that were appended, at least one.
  func read(at offset: Int64, upTo count: Int) async throws -> Bytes

  /// Called before the readers learn that the body has ended well; and the tape holds all of it.
  func finish() async

  /// Called when the body fails, is dropped, or could not be kept. May be called more than once.
  func abandon() async
}
