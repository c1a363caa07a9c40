#if Tool
  import NIOCore
  import Synchronization

  /// The requests that an origin remembers.
  final class RequestLog: Sendable {
    private let records = Mutex(CircularBuffer<RecordedRequest>())
    private let arrivals: Mailbox<RecordedRequest>
    private let limit: Int

    init(limit: Int) {
      self.limit = limit
      arrivals = Mailbox(limit: limit)
    }

    var requests: [RecordedRequest] { records.withLock { Array($0) } }

    func append(_ request: RecordedRequest) {
      if limit > 0 {
        records.withLock { records in
          if records.count >= limit { records.removeFirst() }
          records.append(request)
        }
      }
      arrivals.post(request)
    }

    func clear() {
      records.withLock { $0.removeAll() }
      arrivals.discard { _ in true }
    }

    func next(
      within timeout: Duration,
      waitingFor purpose: String,
      where accepts: @escaping @Sendable (RecordedRequest) -> Bool
    ) async throws -> RecordedRequest {
      try await arrivals.take(within: timeout, waitingFor: purpose, where: accepts)
    }

    func close() { arrivals.close() }
  }
#endif
