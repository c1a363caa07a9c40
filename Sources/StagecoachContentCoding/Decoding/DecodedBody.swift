import HTTPTypes
import Stagecoach
import Synchronization

/// Reads a coded body and gives what is in it, chunk by chunk as the reader asks for it.
final class DecodedBody: BodySource {
  private struct State {
    /// Nil once cancelled.
    var chain: DecodingChain?
    var iterator: Response.Body.AsyncIterator
  }

  private let body: Response.Body
  private let state: Mutex<State>

  init(_ body: Response.Body, undoing codings: [any ContentCoding], options: RequestOptions) throws {
    self.body = body
    state = Mutex(
      State(chain: try DecodingChain(codings, options: options), iterator: body.makeAsyncIterator())
    )
  }

  /// Decoding is work: it leaves the main actor if it is called from there.
  @concurrent func next() async throws -> Bytes? {
    while true {
      try Task.checkCancellation()
      switch try step() {
      case .chunk(let chunk): return chunk
      case .end: return nil
      case .needsInput:
        // There is one reader at a time, so nobody else moves the iterator while it waits.
        var iterator = state.withLock { $0.iterator }
        let chunk = try await iterator.next()
        state.withLock { state in
          state.iterator = iterator
          state.chain?.append(chunk)
        }
      }
    }
  }

  private func step() throws -> DecodingChain.Step {
    try state.withLock { state in
      guard let step = try state.chain?.next() else { throw CancellationError() }
      return step
    }
  }

  /// Those of the coded body: a content coding leaves them alone.
  var trailers: HTTPFields? { body.trailers }

  func cancel() {
    body.cancel()
    state.withLock { $0.chain = nil }
  }
}
