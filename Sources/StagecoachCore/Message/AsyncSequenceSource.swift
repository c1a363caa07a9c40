import HTTPTypes
import Synchronization

/// A body source over an asynchronous sequence of chunks.
///
/// Each pull runs in its own task, so that ``cancel()`` can interrupt a waiting pull: an asynchronous sequence has no
/// other way to be stopped.
actor AsyncSequenceSource<Chunks: AsyncSequence & Sendable>: BodySource where Chunks.Element == Bytes {
  private var chunks: Chunks?
  private var iterator: Chunks.AsyncIterator?
  private nonisolated let trailersAtEnd: (@Sendable () -> HTTPFields?)?
  private nonisolated let pull = Mutex(Pull())

  private struct Pull {
    var task: Task<Bytes?, any Error>?
    var isCancelled = false
  }

  init(_ chunks: Chunks, trailers: (@Sendable () -> HTTPFields?)?) {
    self.chunks = chunks
    self.trailersAtEnd = trailers
  }

  nonisolated func next() async throws -> Bytes? {
    let task = Task { try await self.advance() }
    let cancelled = pull.withLock { pull in
      pull.task = task
      return pull.isCancelled
    }
    if cancelled { task.cancel() }
    defer { pull.withLock { $0.task = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func advance() async throws -> Bytes? {
    while true {
      try Task.checkCancellation()
      guard var iterator = iterator ?? chunks?.makeAsyncIterator() else { throw CancellationError() }
      let chunk = try await iterator.next(isolation: self)
      self.iterator = chunks == nil ? nil : iterator
      // Streams end when they are cancelled, which must not be taken for the end of the body.
      if chunk == nil { try Task.checkCancellation() }
      guard let chunk, chunk.isEmpty else { return chunk }
      // A sequence of empty chunks that never suspends would block its thread.
      await Task.yield()
    }
  }

  nonisolated var trailers: HTTPFields? { trailersAtEnd?() }

  nonisolated func cancel() {
    let task = pull.withLock { pull in
      pull.isCancelled = true
      return pull.task
    }
    task?.cancel()
    Task { await release() }
  }

  /// Releases the sequence, so that its producer notices that there is no reader any more.
  private func release() {
    chunks = nil
    iterator = nil
  }
}
