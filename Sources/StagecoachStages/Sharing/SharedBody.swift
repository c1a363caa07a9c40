import HTTPTypes
package import StagecoachCore
import Synchronization

/// One response body read by several readers, each at its own pace.
///
/// The first reader to need more pulls a chunk for all; what not all have read yet is kept in memory. When that would
/// be more than the limit, the readers that are furthest behind go on from the tape. Without one, or where it holds too
/// little, they are cut loose: they get no more from here. The body is cancelled when its last reader leaves.
package final class SharedBody: Sendable {
  /// The result of a read.
  enum Step: Sendable {
    case chunk(Bytes)
    case end
    /// The reader was too slow.
    case cutLoose
  }

  private enum Need {
    case step(Step)
    /// A chunk must be read from the source.
    case pull
    case tape(at: Int64, upTo: Int)
  }

  private let body: Response.Body
  private let limit: Int
  private let tape: (any BodyTape)?
  private let state: Mutex<SharedBodyState>

  /// - Parameters:
  ///   - limit: The number of bytes that are kept in memory for slower readers.
  ///   - tape: Keeps the body; `nil` if it is kept in memory alone.
  package init(_ body: Response.Body, limit: Int, tape: (any BodyTape)? = nil) {
    self.body = body
    self.limit = limit
    self.tape = tape
    state = Mutex(SharedBodyState(iterator: body.makeAsyncIterator(), isTaped: tape != nil))
  }

  var trailers: HTTPFields? { body.trailers }

  /// Adds a reader, which starts with the first byte.
  ///
  /// - Returns: The number of the reader; `nil` if the first byte is gone, or the body has ended or was cancelled.
  package func join() -> Int? {
    state.withLock { state in
      // Without readers the body was cancelled, unless they are still to come.
      guard state.end == nil, state.nextReader == 0 || !state.readers.isEmpty else { return nil }
      if state.passed == 0 {
        state.readers[state.nextReader] = .kept(0)
      } else if state.isTaped {
        state.readers[state.nextReader] = .taped(0)
      } else {
        return nil
      }
      defer { state.nextReader += 1 }
      return state.nextReader
    }
  }

  /// Removes a reader.
  package func leave(_ reader: Int) {
    let (waiting, isLast) = state.withLock { state in
      let wasThere = state.readers.removeValue(forKey: reader) != nil
      state.trim()
      return (
        state.waiting.removeValue(forKey: reader), wasThere && state.readers.isEmpty && state.end == nil
      )
    }
    waiting?.resume(throwing: CancellationError())
    guard isLast else { return }
    body.cancel()
    if let tape { Task { await tape.abandon() } }
  }

  /// The next chunk of a reader.
  func next(for reader: Int) async throws -> Step {
    while true {
      switch try need(of: reader) {
      case .step(let step): return step
      case .pull: try await waitForPull(reader)
      case .tape(let offset, let count):
        guard let tape else { return .cutLoose }
        let chunk: Bytes
        do {
          chunk = try await tape.read(at: offset, upTo: count)
        } catch {
          if error is CancellationError { throw error }
          leave(reader)
          return .cutLoose
        }
        state.withLock { $0.advance(reader, by: chunk.count) }
        return .chunk(chunk)
      }
    }
  }

  private func need(of reader: Int) throws -> Need {
    try state.withLock { state in
      state.approach(reader)
      switch state.readers[reader] {
      case nil: return .step(.cutLoose)
      case .taped(let offset):
        guard offset < state.taped else {
          // The chunks after the tape were forgotten.
          state.readers[reader] = nil
          return .step(.cutLoose)
        }
        return .tape(
          at: offset,
          upTo: Int(clamping: min(64 << 10, state.firstKept - offset, state.taped - offset))
        )
      case .kept(let number):
        if number < state.count {
          state.readers[reader] = .kept(number + 1)
          let chunk = state[number]
          if number == state.passed { state.trim() }
          return .step(.chunk(chunk))
        }
        guard let end = state.end else { return .pull }
        try end.get()
        return .step(.end)
      }
    }
  }

  private func waitForPull(_ reader: Int) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Action { case go, cancelled, pull, wait }
        let action = state.withLock { state -> Action in
          guard case .kept(state.count) = state.readers[reader], state.end == nil else { return .go }
          if Task.isCancelled { return .cancelled }
          state.waiting[reader] = continuation
          guard !state.isPulling else { return .wait }
          state.isPulling = true
          state.makeRoom(below: limit)
          return .pull
        }
        switch action {
        case .go: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .wait: break
        // In a task of its own: that a reader is cancelled is nothing to the others.
        case .pull: Task { await self.pull() }
        }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: reader) }?.resume(throwing: CancellationError())
    }
  }

  private func pull() async {
    var iterator = state.withLock { $0.iterator }
    var result: Result<Bytes?, any Error>
    do {
      result = .success(try await iterator.next())
    } catch {
      result = .failure(error)
    }
    let isKept = await keep(result)
    let waiting = state.withLock { state in
      state.iterator = iterator
      state.isPulling = false
      switch result {
      case .success(nil): state.end = .success(())
      case .failure(let error): state.end = .failure(error)
      case .success(let chunk?): state.append(chunk, isTaped: isKept)
      }
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Puts what was read on the tape, before any reader has it.
  ///
  /// - Returns: Whether the tape holds it.
  private func keep(_ result: Result<Bytes?, any Error>) async -> Bool {
    guard let tape, state.withLock({ $0.isTaped }) else { return false }
    switch result {
    case .success(let chunk?):
      do {
        try await tape.append(chunk)
        return true
      } catch {
        await tape.abandon()
        return false
      }
    case .success(nil): await tape.finish()
    case .failure: await tape.abandon()
    }
    return true
  }
}
