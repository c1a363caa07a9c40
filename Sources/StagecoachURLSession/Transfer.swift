import Foundation
import HTTPTypes
import StagecoachCore
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request, as a task of the engine.
///
/// The engine's calls come in order on one thread; reading, cancelling and expiring come from anywhere. All state
/// is behind one lock, and nothing is resumed while it is held.
final class Transfer: BodySource {
  enum Phase {
    /// Behind other transfers.
    case waiting
    /// Before the first byte of the content was sent.
    case starting
    case sending
    case waitingForHead
    case body
  }

  struct State {
    var phase = Phase.waiting
    /// When it had to wait for others.
    var queued: ContinuousClock.Instant?
    var lane: Lane?
    var task: URLSessionDataTask?
    var watch: Watchdog.Watch?
    /// Resumed exactly once: whoever takes it out of the state, under the lock, resumes it.
    var head: UnsafeContinuation<EngineHead, any Error>?
    var inbox = BodyInbox()
    var received: Int64 = 0
    var response: EngineHead?
    var hasSent = false
    var isSent = false
    var isChallenged = false
    /// Whether the lane was handed on, and the end follows.
    var isEnding = false

    var end: Result<Void, any Error>? { inbox.end }
  }

  let request: Request
  let origin: LanePool.Origin
  private let transport: URLSessionTransport
  private let engineRequest: EngineRequest
  let content: RequestContent
  /// Where events of a request body go out, which must not be on the engine's thread; nil if there are none.
  private let relay: DispatchQueue?
  let flow = Flow()
  let state = Mutex(State())

  init(
    _ request: Request,
    _ engineRequest: EngineRequest,
    _ content: RequestContent,
    to origin: LanePool.Origin,
    over transport: URLSessionTransport
  ) {
    self.request = request
    self.engineRequest = engineRequest
    self.content = content
    self.origin = origin
    self.transport = transport
    let isObserved = request.exchange?.isObserved == true
    relay = isObserved ? DispatchQueue(label: "Stagecoach.URLSession.events") : nil
  }

  /// Emits an event after those before it, and apart from the engine.
  func tell(_ kind: Event.Kind) {
    relay?.async { [request] in request.emit(kind) }
  }

  /// Resumes what waits for the head, after the events that were before.
  func resume(
    _ continuation: UnsafeContinuation<EngineHead, any Error>?,
    _ result: Result<EngineHead, any Error>
  ) {
    guard let continuation else { return }
    guard let relay else { return continuation.resume(with: result) }
    relay.async { continuation.resume(with: result) }
  }

  var watchdog: Watchdog { transport.watchdog }
  var isBodyless: Bool { if case .none = content { true } else { false } }

  var asksForNewConnection: Bool { request.options.networkUse?.newConnection == true }

  /// libcurl sends a request again, whatever its method, if a connection that has served before breaks under it.
  /// Where there is content it gets no further than the head, see ``refuseToSendAgain()``.
  var needsNewConnection: Bool {
    switch request.method {
    case .get, .head, .options, .trace, .put, .delete: asksForNewConnection
    default: isBodyless || asksForNewConnection
    }
  }

  // MARK: Starting

  func start() async throws -> EngineHead {
    try await withUnsafeThrowingContinuation { launch($0) }
  }

  private func launch(_ continuation: UnsafeContinuation<EngineHead, any Error>) {
    let watch = watchdog.watch(for: request.options.poolTimeout) { [weak self] in self?.expire() }
    let error = state.withLock { state -> (any Error)? in
      if case .failure(let error) = state.end { return error }
      state.head = continuation
      state.watch = watch
      return nil
    }
    if let error {
      watchdog.remove(watch)
      return continuation.resume(throwing: error)
    }
    do {
      if let lane = try transport.lanes.enter(self) {
        begin(on: lane)
      } else if state.withLock({ $0.end != nil }) {
        // Cancelled before it was in the queue.
        transport.lanes.withdraw(self)
      }
    } catch {
      fail(error)
    }
  }

  /// The transfer has to wait for others, and may be begun as soon as this returns.
  func didQueue() {
    state.withLock { $0.queued = request.time.now }
    tell(.connection(.queued))
  }

  /// Hands the request to the engine. Not to be called on the engine's thread.
  func begin(on lane: Lane) {
    let task = engineRequest.makeTask(in: lane.session, with: content)
    lane.attach(self, to: task)
    let (hasEnded, queued) = state.withLock { state in
      guard state.end == nil else { return (true, state.queued) }
      state.phase = isBodyless ? .waitingForHead : .starting
      state.lane = lane
      state.task = task
      if let watch = state.watch { watchdog.move(watch, to: limit(of: state.phase)) }
      return (false, state.queued)
    }
    if let queued { tell(.connection(.dequeued(after: request.time.now - queued))) }
    guard !hasEnded else { return transport.lanes.discard(lane, task, from: self) }
    task.resume()
  }

  // MARK: Ending

  func cancel() {
    fail(CancellationError(), isDropped: true)
  }

  func fail(_ error: any Error, isDropped: Bool = false) {
    end(.failure(error), isDropped: isDropped)
  }

  func end(_ result: Result<Void, any Error>, isDropped: Bool = false) {
    var result = result
    // Whoever waits for the head must not wait for ever.
    if case .success = result, state.withLock({ $0.response == nil }) {
      result = .failure(
        ExchangeError(.protocolViolation, "the exchange ended without a response")
      )
    }
    let keepsLane = releaseLane(after: result)
    let ended = state.withLock { state -> (before: State, reader: BodyInbox.Served?)? in
      if isDropped { state.inbox.discard() }
      guard state.end == nil, keepsLane || !state.isEnding else { return nil }
      var before = State()
      swap(&before, &state)
      // What was received before a failure can still be read.
      swap(&before.inbox, &state.inbox)
      state.response = before.response
      state.inbox.finish(result.mapError { map($0, before) })
      return (before, state.inbox.serve())
    }
    guard let (before, reader) = ended else { return }
    if let watch = before.watch { watchdog.remove(watch) }
    if before.hasSent, !before.isSent { tell(.requestFailed) }
    switch result {
    case .success:
      if let head = before.response { resume(before.head, .success(head)) }
      reader?.resume()
    case .failure(let error):
      let error = map(error, before)
      resume(before.head, .failure(error))
      reader?.resume()
    }
    guard let lane = before.lane, let task = before.task else { return transport.lanes.withdraw(self) }
    if !keepsLane { transport.lanes.discard(lane, task, from: self) }
  }

  /// Hands on a lane that can serve others: before anybody sees the end, so that the next request of the reader finds
  /// its connection.
  ///
  /// - Returns: Whether it did. It is for the caller then to end the transfer, whoever else tries.
  private func releaseLane(after result: Result<Void, any Error>) -> Bool {
    guard case .success = result, !engineRequest.closesConnection else { return false }
    let lane = state.withLock { state -> Lane? in
      guard state.end == nil, !state.isEnding, isBodyless || state.isSent,
        state.response?.isAmbiguous != true
      else { return nil }
      state.isEnding = state.lane != nil
      return state.lane
    }
    guard let lane else { return false }
    transport.lanes.release(lane, from: self)
    return true
  }

  private func map(_ error: any Error, _ before: State) -> any Error {
    EngineFailure.map(
      error,
      response: before.response,
      wasStarted: before.task != nil,
      isConnected: before.hasSent || before.isSent || before.response != nil
    )
  }

  // MARK: Limits

  func limit(of phase: Phase) -> Duration? {
    switch phase {
    case .waiting: request.options.poolTimeout
    case .starting: request.options.connectTimeout
    case .waitingForHead: request.options.headTimeout
    case .sending, .body: request.options.idleTimeout
    }
  }

  private func expire() {
    let phase = state.withLock { $0.phase }
    let limit = limit(of: phase) ?? .zero
    switch phase {
    case .waiting: fail(ExchangeError.timeout(.pool, after: limit))
    case .starting: fail(ExchangeError.timeout(.connect, after: limit))
    case .waitingForHead: fail(ExchangeError.timeout(.head, after: limit))
    case .sending, .body: fail(ExchangeError.timeout(.idle, after: limit))
    }
  }

  // MARK: The response

  /// The response, with this transfer as the source of its body.
  func response(_ head: EngineHead) -> Response {
    var response = Response(head: head.head)
    if !head.hasNoContent, head.length != 0 {
      response.body = Response.Body(source: self, length: head.length)
    }
    return response
  }
}
