import HTTPTypes
package import StagecoachCore
import Synchronization

/// One response body read by several readers, each at its own pace.
///
/// The first reader to need more pulls a chunk for all; what not all have read yet is kept in memory. When that would
/// be more than the limit, the readers that are furthest behind go on from the tape. Without one, or where it holds too
/// little, they are cut loose: they get no more from here. The body is cancelled when its last reader leaves.
///
/// A reader that was cut loose needs a strong validator to go on with another response. Without one the first reader
/// is never cut loose, and the others begin when the body is complete, or are cut loose before their first byte: at once
/// if there is no tape and its length is unknown or above the limit; or if it is more than tape or memory take, or takes
/// too long.
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

  /// How long a request waits for another one, and a reader for the body to be complete.
  package static let patience = Duration.seconds(10)

  private let body: Response.Body
  private let head: HTTPResponse
  private let limit: Int
  private let tape: (any BodyTape)?
  private let state: Mutex<SharedBodyState>

  /// - Parameters:
  ///   - limit: The number of bytes that are kept in memory for slower readers.
  ///   - tape: Keeps the body; `nil` if it is kept in memory alone.
  package init(_ response: Response, limit: Int, tape: (any BodyTape)? = nil) {
    body = response.body
    head = response.head
    self.limit = limit
    self.tape = tape
    state = Mutex(
      SharedBodyState(
        iterator: body.makeAsyncIterator(),
        isTaped: tape != nil,
        fits: Self.fits(body, limit)
      )
    )
  }

  /// Whether a body is known to be no longer than what is kept in memory.
  static func fits(_ body: Response.Body, _ limit: Int) -> Bool {
    body.length.map { $0 <= limit } ?? false
  }

  var trailers: HTTPFields? { body.trailers }

  /// Adds a reader, which starts with the first byte.
  ///
  /// - Returns: The number of the reader; `nil` if the first byte is gone, or the body has ended or was cancelled.
  package func join() -> Int? {
    state.withLock { $0.join(hasStrongValidator: SharedContent(head).hasStrongValidator) }
  }

  /// Whether a reader gets its first byte only when the body is complete.
  func mustGather(for reader: Int) -> Bool {
    state.withLock { $0.beginning(of: reader, limit: limit) == .gathers }
  }

  /// Removes a reader.
  package func leave(_ reader: Int) {
    let (waiting, isLast) = state.withLock { state in
      let wasThere = state.readers[reader] != nil
      state.remove(reader)
      state.trim()
      return (
        state.waiting.removeValue(forKey: reader), wasThere && state.readers.isEmpty && state.end == nil
      )
    }
    waiting?.end(with: .failure(CancellationError()))
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
      switch state.beginning(of: reader, limit: limit) {
      case .free: break
      case .gathers: return .pull
      case .impossible: return .step(state.cutLoose(reader))
      }
      switch state.readers[reader] {
      case nil: return .step(.cutLoose)
      case .taped(let offset):
        guard offset < state.taped else {
          // The chunks after the tape were forgotten.
          return .step(state.cutLoose(reader))
        }
        return .tape(
          at: offset,
          upTo: Int(clamping: min(64 << 10, state.firstKept - offset, state.taped - offset))
        )
      case .kept(let number):
        if number < state.count {
          return .step(.chunk(state.take(number, for: reader)))
        }
        guard let end = state.end else { return .pull }
        try end.get()
        return .step(.end)
      }
    }
  }

  private func waitForPull(_ reader: Int) async throws {
    enum Action { case go, pull, wait }
    try Task.checkCancellation()
    let waiter = Waiter<Void>()
    let action = state.withLock { state -> Action in
      guard state.needsMore(reader, limit: limit) else { return .go }
      state.waiting[reader] = waiter
      guard !state.isPulling else { return .wait }
      state.isPulling = true
      state.makeRoom(below: limit)
      return .pull
    }
    switch action {
    case .go: return
    case .wait: break
    // In a task of its own: that a reader is cancelled is nothing to the others.
    case .pull: Task { await self.pull() }
    }
    try await waiter.value { state.withLock { $0.waiting[reader] = nil } }
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
    for waiter in waiting { waiter.end() }
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
