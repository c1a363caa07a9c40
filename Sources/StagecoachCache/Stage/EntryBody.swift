import StagecoachCore
import Synchronization

/// Reads stored content as the body of a response.
final class EntryBody: BodySource {
  static let chunk = 64 << 10

  private let content: any CacheContent
  private let position: Mutex<Range<Int64>>

  /// - Parameter range: The bytes that are read.
  init(_ content: any CacheContent, _ range: Range<Int64>) {
    self.content = content
    position = Mutex(range)
  }

  func next() async throws -> Bytes? {
    let rest = position.withLock { $0 }
    guard !rest.isEmpty else { return nil }
    try Task.checkCancellation()
    let chunk: Bytes
    do {
      chunk = try await content.read(
        at: rest.lowerBound,
        upTo: Int(min(Int64(Self.chunk), Int64(rest.count)))
      )
    } catch {
      throw ExchangeError(
        .incompleteBody,
        "the stored response cannot be read to its end: \(error)",
        advice: "send the request again with the cache mode reload",
        underlying: error
      )
    }
    position.withLock { $0 = min($0.lowerBound + Int64(chunk.count), $0.upperBound)..<$0.upperBound }
    return chunk
  }

  func cancel() { position.withLock { $0 = $0.upperBound..<$0.upperBound } }
}
