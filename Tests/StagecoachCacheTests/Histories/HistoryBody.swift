import Stagecoach
import Synchronization
import TestSupport

/// The content of an answer of the origin, in chunks, with the turns of other tasks between them.
final class HistoryBody: BodySource {
  private struct State {
    var rest: ArraySlice<UInt8>
    var sent = 0
    var isCancelled = false
  }

  private let chunk: Int
  private let cut: Int?
  private let gate: HistoryOrigin.Gate?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - cut: The position at which the connection breaks.
  ///   - gate: Holds what comes after the first chunk.
  init(_ content: [UInt8], chunk: Int, cut: Int?, gate: HistoryOrigin.Gate?) {
    self.chunk = chunk
    self.cut = cut
    self.gate = gate
    state = Mutex(State(rest: content[...]))
  }

  func next() async throws -> Bytes? {
    await Task.yield()
    if let gate, state.withLock({ $0.sent > 0 }) {
      gate.reached.set()
      await gate.opened.wait()
    }
    try Task.checkCancellation()
    return try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      var piece = state.rest.prefix(chunk)
      if let cut {
        guard state.sent < cut else { throw ExchangeError(.connectionReset, "the connection broke") }
        piece = piece.prefix(cut - state.sent)
      }
      guard !piece.isEmpty else { return nil }
      state.rest = state.rest.dropFirst(piece.count)
      state.sent += piece.count
      return Bytes(Array(piece))
    }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }
}
