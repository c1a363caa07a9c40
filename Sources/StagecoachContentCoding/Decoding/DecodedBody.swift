import HTTPTypes
import StagecoachCore
import Synchronization

/// Reads a coded body and gives what is in it, chunk by chunk as the reader asks for it.
final class DecodedBody: BodySource {
  private let reader: BodyReader
  /// Nil once cancelled.
  private let chain: Mutex<DecodingChain?>
  /// The request without its body, for events.
  private let request: Request

  init(_ body: Response.Body, undoing codings: [any ContentCoding], for request: Request) throws {
    chain = Mutex(try DecodingChain(codings, options: request.options))
    reader = BodyReader(body)
    var request = request
    request.body = .empty
    self.request = request
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
    let (step, ended) = try chain.withLock { chain in
      guard let step = try chain?.next() else { throw CancellationError() }
      return (step, chain?.takeEndedCoding())
    }
    if let ended { request.emit(ContentDecodingEvent.ignoredTrailingData(ended)) }
    return step
  }

  /// The trailer fields of the encoded body, which a content coding does not change.
  var trailers: HTTPFields? { reader.trailers }

  func cancel() {
    reader.cancel()
    chain.withLock { $0 = nil }
  }
}
