import HTTPTypes
import StagecoachCore
import Synchronization

/// A reader of a shared body, which continues with its own request when it is detached.
final class SharedBodyReader: BodySource {
  private struct State {
    var received: Int64 = 0
    /// The response to its own request.
    var own: Response.Body?
    var iterator: Response.Body.AsyncIterator?
    /// The rest of the chunk in which the skipped part ended.
    var rest: Bytes?
    var request: Task<Response, any Error>?
    var isCancelled = false
  }

  private let shared: SharedBody
  private let reader: Int
  private let head: HTTPResponse
  private let request: Request
  private let next: Next
  private let waitEnd: ContinuousClock.Instant?
  private let detached: @Sendable (Int64) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - reader: What `SharedBody.join()` gave.
  ///   - head: The head that the shared body belongs to.
  ///   - request: What to send when the reader is cut loose.
  ///   - next: Where to send it.
  ///   - waitEnd: How long it waits for the body to be complete; `nil` for a bounded time from its first read on.
  ///   - detached: Called when the reader is cut loose, with the number of bytes that it has read.
  init(
    _ shared: SharedBody,
    _ reader: Int,
    head: HTTPResponse,
    request: Request,
    next: Next,
    waitEnd: ContinuousClock.Instant?,
    detached: @escaping @Sendable (Int64) -> Void
  ) {
    self.shared = shared
    self.reader = reader
    self.head = head
    self.request = request
    self.next = next
    self.waitEnd = waitEnd
    self.detached = detached
  }

  deinit {
    shared.leave(reader)
  }

  func next() async throws -> Bytes? {
    let (isShared, isFirst) = state.withLock { ($0.own == nil, $0.received == 0) }
    if isShared {
      switch try await isFirst && shared.mustGather(for: reader) ? gathered() : shared.next(for: reader) {
      case .chunk(let chunk):
        state.withLock { $0.received += Int64(chunk.count) }
        return chunk
      case .end: return nil
      case .cutLoose: try await goOnAlone()
      }
    }
    if let rest = state.withLock({ state in
      defer { state.rest = nil }
      return state.rest
    }) {
      return rest
    }
    guard var iterator = state.withLock({ $0.iterator }) else { throw CancellationError() }
    let chunk = try await iterator.next()
    state.withLock { $0.iterator = iterator }
    return chunk
  }

  var trailers: HTTPFields? {
    let own = state.withLock { $0.own }
    return own.map(\.trailers) ?? shared.trailers
  }

  func cancel() {
    let (own, task) = state.withLock { state in
      state.isCancelled = true
      return (state.own, state.request)
    }
    task?.cancel()
    own?.cancel()
    shared.leave(reader)
  }

  /// Waits until the body is complete, for a bounded time: once the first byte is handed on, no other response can take
  /// the place of this one.
  private func gathered() async throws -> SharedBody.Step {
    struct Late: Error {}
    let end = waitEnd ?? request.clock.now.advanced(by: SharedBody.patience)
    do {
      return try await withDeadline(end, on: request.clock) { [shared, reader] in
        try await shared.next(for: reader)
      } orThrow: {
        Late()
      }
    } catch is Late {
      shared.leave(reader)
      return .cutLoose
    }
  }

  /// Sends its own request and skips the part that was already received.
  private func goOnAlone() async throws {
    let (received, isCancelled) = state.withLock { ($0.received, $0.isCancelled) }
    if isCancelled { throw CancellationError() }
    detached(received)
    let content = SharedContent(head)
    guard received == 0 || content.hasStrongValidator else {
      throw Self.changed("the response has no validator to compare another response with")
    }
    let task = Task { [next, request] in try await next(request) }
    let wasCancelled = state.withLock { state in
      state.request = task
      return state.isCancelled
    }
    if wasCancelled { task.cancel() }
    let response = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    guard content.agrees(with: response.head) else {
      response.body.cancel()
      throw Self.changed("the response to its own request differs")
    }
    var iterator = response.body.makeAsyncIterator()
    let isLate = state.withLock { state in
      state.own = response.body
      state.request = nil
      return state.isCancelled
    }
    if isLate { response.body.cancel() }
    var left = received
    var rest: Bytes?
    while left > 0 {
      guard let chunk = try await iterator.next() else {
        throw Self.changed("the response to its own request is shorter")
      }
      if chunk.count > left { rest = chunk.dropFirst(Int(left)) }
      left -= Int64(chunk.count)
    }
    state.withLock { [iterator, rest] state in
      state.iterator = iterator
      state.rest = rest
    }
  }

  private static func changed(_ message: String) -> ExchangeError {
    ExchangeError(
      .incompleteBody,
      "a reader of a shared response was too slow and could not continue with its own request: \(message)",
      advice: "read faster, or set options.coalesces to false"
    )
  }
}
