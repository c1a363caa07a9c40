import HTTPTypes
import StagecoachCore
import Synchronization

/// The body of a refusal, read ahead within the limits of discarding it. Its transfer is over while the stage waits
/// for a token or the user, and the response can still be returned to the caller.
///
/// Otherwise the refusal would keep its slot or its connection, which the renewal of the token may need.
final class HeldBody: BodySource {
  /// As much and as long as ``Response/Body/discard(upTo:within:)`` reads.
  private static let limit = 16 * 1024
  private static let duration = Duration.milliseconds(100)

  private struct State {
    var chunks: [Bytes] = []
    var count = 0
    /// The reading that had not come to its end when the time was over.
    var pending: Task<Bytes?, any Error>?
    /// The end of the body, if it has ended.
    var end: Result<Void, any Error>?
  }

  private enum Step {
    case chunk(Bytes)
    case end(Result<Void, any Error>)
    case wait(Task<Bytes?, any Error>)
    case read
  }

  private let reader: BodyReader
  private let state = Mutex(State())

  private init(_ body: Response.Body) {
    reader = BodyReader(body)
  }

  /// Replaces a streamed body by one that holds the part that was read; a body that is too long is not changed.
  static func hold(_ body: inout Response.Body, on time: any TimeSource) async {
    guard body.isStreamed, (body.length ?? 0) <= Int64(limit) else { return }
    let held = HeldBody(body)
    await held.fill(on: time)
    let (isComplete, chunks) = held.state.withLock { state in
      if case .success = state.end { (true, state.chunks) } else { (false, state.chunks) }
    }
    if isComplete, held.trailers == nil {
      body = .bytes(Self.joined(chunks))
    } else {
      body = Response.Body(transforming: held, length: body.length)
    }
  }

  private static func joined(_ chunks: [Bytes]) -> Bytes {
    if chunks.count == 1 { return chunks[0] }
    var all: [UInt8] = []
    for chunk in chunks { chunk.withUnsafeBytes { all.append(contentsOf: $0) } }
    return Bytes(all)
  }

  private func fill(on time: any TimeSource) async {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
    let timer = time.timer(at: time.now.advanced(by: Self.duration)) { wake.finish() }
    defer { timer.cancel() }
    var waker = wakes.makeAsyncIterator()
    while state.withLock({ $0.end == nil && $0.count <= Self.limit }) {
      // A task of its own, because a reading cannot be given up without giving up the body.
      let reading = Task { [reader] in
        defer { wake.yield() }
        return try await reader.next()
      }
      guard await waker.next() != nil else {
        state.withLock { $0.pending = reading }
        return
      }
      note(await reading.result)
    }
  }

  private func note(_ result: Result<Bytes?, any Error>) {
    state.withLock { state in
      switch result {
      case .success(let chunk?):
        state.chunks.append(chunk)
        state.count += chunk.count
      case .success(nil): state.end = .success(())
      case .failure(let error): state.end = .failure(error)
      }
    }
  }

  func next() async throws -> Bytes? {
    let step = state.withLock { state -> Step in
      if !state.chunks.isEmpty { return .chunk(state.chunks.removeFirst()) }
      if let end = state.end { return .end(end) }
      guard let pending = state.pending else { return .read }
      state.pending = nil
      return .wait(pending)
    }
    switch step {
    case .chunk(let chunk): return chunk
    case .end(let end):
      try end.get()
      return nil
    case .wait(let reading):
      return try await withTaskCancellationHandler {
        try await reading.value
      } onCancel: {
        reading.cancel()
      }
    case .read: return try await reader.next()
    }
  }

  var trailers: HTTPFields? { reader.trailers }

  func cancel() {
    reader.cancel()
    state.withLock { $0.pending }?.cancel()
  }
}
