import StagecoachCore
import Synchronization

/// A request in flight, and the requests that wait for its response.
final class Flight: Sendable {
  /// The way that waiting for the response of another request ends.
  enum Landing: Sendable {
    /// The response is there; the number is that of the reader.
    case response(SharedResponse, reader: Int)
    /// The request that was sent was cancelled; this request is sent instead.
    case takeOver
    /// It is too late to join.
    case gone
  }

  private typealias Continuation = CheckedContinuation<Landing, any Error>

  private struct State {
    var hasLanded = false
    var next = 0
    var waiting: [Int: Continuation] = [:]
  }

  /// The options of the request that was sent.
  let options: RequestOptions
  private let state = Mutex(State())

  init(_ options: RequestOptions) {
    self.options = options
  }

  /// Waits for the response.
  ///
  /// - Throws: The failure of the request; `CancellationError` when the task of the one that waits is cancelled.
  func join(_ hasJoined: () -> Void) async throws -> Landing {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waits = state.withLock { state in
          if !state.hasLanded { state.waiting[id] = continuation }
          return !state.hasLanded
        }
        guard waits else { return continuation.resume(returning: .gone) }
        hasJoined()
        // A task that was cancelled before it waited could not remove itself.
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
  }

  /// Makes the request that has waited longest be sent.
  ///
  /// - Returns: `false` if no request waits; then no request can join any more.
  func handOver() -> Bool {
    let next = state.withLock { state in
      let oldest = state.waiting.keys.min()
      if oldest == nil { state.hasLanded = true }
      return oldest.flatMap { state.waiting.removeValue(forKey: $0) }
    }
    next?.resume(returning: .takeOver)
    return next != nil
  }

  /// Passes the failure to all waiting requests.
  func fail(_ error: any Error) {
    for continuation in land() { continuation.resume(throwing: error) }
  }

  /// Passes the response to all waiting requests.
  ///
  /// - Parameter share: Creates a shared response; called if there are waiting requests.
  /// - Returns: The shared response, and the number of other requests; `nil` if no request waits.
  func succeed(_ share: () -> SharedResponse) -> (SharedResponse, others: Int)? {
    let waiting = land()
    guard !waiting.isEmpty else { return nil }
    let shared = share()
    // All have their places before the first one reads.
    let readers = waiting.map { ($0, shared.body?.join() ?? 0) }
    for (continuation, reader) in readers {
      continuation.resume(returning: .response(shared, reader: reader))
    }
    return (shared, waiting.count)
  }

  private func land() -> [CheckedContinuation<Landing, any Error>] {
    state.withLock { state in
      state.hasLanded = true
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
  }
}

/// A response that several share.
struct SharedResponse: Sendable {
  /// The response without its body.
  private let bare: Response
  /// The body; `nil` if there is none.
  let body: SharedBody?
  private let length: Int64?

  init(_ response: Response, replayLimit: Int) {
    if response.body.isEmpty {
      body = nil
    } else {
      body = SharedBody(response.body, limit: replayLimit)
    }
    length = response.body.length
    var bare = Response(
      head: response.head,
      source: response.source,
      version: response.version,
      connection: response.connection
    )
    bare.history = response.history
    self.bare = bare
  }

  /// The response of one reader.
  ///
  /// - Parameter isFirst: Whether the request is the one that was sent, whose exchange hears of the bytes already.
  func response(for request: Request, reader: Int, next: Next, isFirst: Bool) -> Response {
    guard let body else { return bare }
    var response = bare
    let source = SharedBodyReader(body, reader, head: bare.head, request: request, next: next)
    response.body =
      isFirst
      ? Response.Body(transforming: source, length: length) : Response.Body(source: source, length: length)
    return response
  }
}
