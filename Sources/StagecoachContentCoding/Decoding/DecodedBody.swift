import HTTPTypes
import Stagecoach
import Synchronization

/// Reads a coded body and gives what is in it, chunk by chunk as the reader asks for it.
actor DecodedBody: BodySource {
  private nonisolated let body: Response.Body
  private nonisolated let chain: Mutex<DecodingChain?>
  private var iterator: Response.Body.AsyncIterator

  init(_ body: Response.Body, undoing codings: [any ContentCoding], options: RequestOptions) throws {
    self.body = body
    chain = Mutex(try DecodingChain(codings, options: options))
    iterator = body.makeAsyncIterator()
  }

  func next() async throws -> Bytes? {
    while true {
      try Task.checkCancellation()
      switch try step() {
      case .chunk(let chunk): return chunk
      case .end: return nil
      case .needsInput:
        var iterator = iterator
        let chunk = try await iterator.next()
        self.iterator = iterator
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

  /// Those of the coded body: a content coding leaves them alone.
  nonisolated var trailers: HTTPFields? { body.trailers }

  nonisolated func cancel() {
    body.cancel()
    chain.withLock { $0 = nil }
  }
}
