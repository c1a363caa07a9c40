import HTTPTypes
import StagecoachCore
import Synchronization

/// Reads a coded body and gives what is in it, chunk by chunk as the reader asks for it.
final class DecodedBody: BodySource {
  private let reader: BodyReader
  /// Nil once cancelled.
  private let chain: Mutex<DecodingChain?>

  init(_ body: Response.Body, undoing codings: [any ContentCoding], options: RequestOptions) throws {
    chain = Mutex(try DecodingChain(codings, options: options))
    reader = BodyReader(body)
  }

  /// Decoding is work: it leaves the main actor if it is called from there.
  @concurrent func next() async throws -> Bytes? {
    while true {
      try Task.checkCancellation()
      switch try step() {
      case .chunk(let chunk): return chunk
      case .end: return nil
      case .needsInput:
        let chunk = try await reader.next()
        chain.withLock { $0?.append(chunk) }
      }
    }
  }

  private func step() throws -> DecodingChain.Step {
    try chain.withLock { chain in
      guard let step = try chain?.next() else { throw CancellationError() }
      return step
    }
  }

  /// The trailer fields of the encoded body, which a content coding does not change.
  var trailers: HTTPFields? { reader.trailers }

  func cancel() {
    reader.cancel()
    chain.withLock { $0 = nil }
  }
}
