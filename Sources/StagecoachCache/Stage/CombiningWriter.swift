import StagecoachCore
import Synchronization

/// Writes a part of a representation together with a part that is already stored (RFC 9111 3.4).
final class CombiningWriter: CacheWriter {
  private let writer: any CacheWriter
  private let stored: any CacheContent
  private let state: Mutex<State>
  /// The head of both parts.
  let response: CachedResponse

  private struct State {
    var pieces: ArraySlice<Combination.Piece>
    /// The number of bytes of the new part so far.
    var received: Int64 = 0
  }

  init(_ writer: any CacheWriter, _ combination: Combination, _ stored: any CacheContent) {
    self.writer = writer
    self.stored = stored
    response = combination.response
    state = Mutex(State(pieces: combination.pieces[...]))
  }

  // A part has one reader, which is never behind.
  func read(at offset: Int64, upTo count: Int) async throws -> Bytes { throw CacheStoreError.outOfBounds }

  func append(_ chunk: Bytes) async throws {
    let start = state.withLock { state in
      defer { state.received += Int64(chunk.count) }
      return state.received
    }
    let end = start + Int64(chunk.count)
    while let piece = state.withLock({ $0.pieces.first }) {
      switch piece {
      case .stored(let range): try await copy(range)
      case .new(let range):
        let overlap = range.clamped(to: start..<end)
        if !overlap.isEmpty {
          let bytes = chunk.dropFirst(Int(overlap.lowerBound - start)).prefix(overlap.count)
          try await writer.append(bytes)
        }
        // What follows in this piece is yet to come.
        if end < range.upperBound { return }
      }
      _ = state.withLock { $0.pieces.removeFirst() }
    }
  }

  private func copy(_ range: Range<Int64>) async throws {
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try await stored.read(at: position, upTo: Int(min(64 << 10, range.upperBound - position)))
      try await writer.append(bytes)
      position += Int64(bytes.count)
    }
  }

  func commit(_ response: CachedResponse) async throws -> Bool {
    let isComplete = state.withLock { $0.pieces.isEmpty }
    // A part that was cut leaves what is stored as it is.
    guard isComplete else { throw CacheStoreError.damaged("the part ended early") }
    return try await writer.commit(response)
  }

  func abandon() { writer.abandon() }
}
