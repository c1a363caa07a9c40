import HTTPTypes
import StagecoachCore

/// The parts of the content, one after the other and at the same time.
extension ResumableWork {
  /// The size below which a reply to a request for a range is small.
  private static var leastPiece: Int64 { 64 << 10 }
  /// The number of small replies in a row after which a part is not fetched by ranges any more.
  private static var mostSmallPieces: Int { 32 }

  /// Fetches several parts at the same time. Where the server refuses that many connections, fewer are used, and the
  /// parts that were refused wait for one that is free.
  ///
  /// - Parameter first: Reads a part whose reply has already arrived.
  func fetchParts(
    _ parts: [Int],
    _ tracker: ContentTracker,
    _ report: TransferReport,
    beside first: (@Sendable () async throws -> Reply)?
  ) async throws -> Reply {
    let others = min(parts.count, first == nil ? store.parts : store.parts - 1)
    let queue = PartQueue(parts, workers: first == nil ? others : others + 1)
    return try await withThrowingTaskGroup(of: Reply.self) { group in
      if let first {
        group.addTask {
          let reply = try await first()
          guard case .more = reply else { return reply }
          return try await self.fetch(from: queue, tracker, report)
        }
      }
      for _ in 0..<others { group.addTask { try await self.fetch(from: queue, tracker, report) } }
      var result = Reply.more
      while let reply = try await group.next() {
        switch reply {
        case .more: continue
        case .finished: result = reply
        case .anew:
          group.cancelAll()
          // The others end with their cancellation, and before what they write is emptied.
          while (try? await group.next()) != nil || !group.isEmpty {}
          return reply
        }
      }
      return result
    }
  }

  /// Fetches parts of a queue until it is empty, or the server refuses one while others are under way.
  private func fetch(from queue: PartQueue, _ tracker: ContentTracker, _ report: TransferReport) async throws
    -> Reply
  {
    while let part = queue.next() {
      try await queue.wait(for: part, on: client.time)
      do {
        let reply = try await fetchPart(part.index, tracker, report)
        guard case .more = reply else { return reply }
        queue.succeeded()
      } catch let error as ExchangeError where error.isRefusedConnection {
        let wait = error.retryAfter ?? error.response?.headerFields.retryAfter(now: client.time.date)
        guard try queue.refused(part.index, error, wait: wait ?? .zero, now: client.time.now) else {
          return .more
        }
      }
    }
    return .more
  }

  func fetchPart(_ index: Int, _ tracker: ContentTracker, _ report: TransferReport) async throws -> Reply {
    var smallPieces = 0
    while let span = tracker.span(index) {
      var request = request
      let isOpen = span.end == nil || span.end == tracker.content?.total
      request.fields[.range] = "bytes=\(span.next)-\(isOpen ? "" : String((span.end ?? 0) - 1))"
      request.fields[.ifRange] = tracker.content?.validator?.field
      let reply = try await send(request, part: index, tracker, report, because: nil)
      guard case .more = reply, let now = tracker.span(index), !now.isComplete else { return reply }
      let count = now.next - span.next
      guard count > 0 else {
        throw failure(.incompleteBody, "the server sent nothing of the \(index + 1). part", report)
      }
      smallPieces = count < Self.leastPiece ? smallPieces + 1 : 0
      guard smallPieces < Self.mostSmallPieces else {
        tracker.isSequential = true
        return .anew("the server sends only \(count) bytes per request for the rest")
      }
    }
    return .more
  }
}

extension ExchangeError {
  /// Whether the server may take the request when there are fewer connections: after a transient status, 403 (which
  /// mirrors answer to too many connections), or a failure before the response.
  fileprivate var isRefusedConnection: Bool {
    kind == .status ? isTransient || response?.status == .forbidden : isTransient && response == nil
  }
}
