import Foundation
import HTTPTypes
import Stagecoach
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

  /// How many may wait at all: where the engine cannot pause, the transfer fails then.
  private static let unreadLimit = 64 * 1024 * 1024

  let request: Request
  let origin: LanePool.Origin
  private let transport: URLSessionTransport
  private let engineRequest: EngineRequest
  private let content: RequestContent
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
  private func tell(_ kind: Event.Kind) {
    relay?.async { [request] in request.emit(kind) }
  }

  /// Resumes what waits for the head, after the events that were before.
  private func resume(
    _ continuation: UnsafeContinuation<EngineHead, any Error>?,
    _ result: Result<EngineHead, any Error>
  ) {
    guard let continuation else { return }
    guard let relay else { return continuation.resume(with: result) }
    relay.async { continuation.resume(with: result) }
  }

  var watchdog: Watchdog { transport.watchdog }
  private var isBodyless: Bool { if case .none = content { true } else { false } }

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

  // MARK: What the engine tells

  func didSend(_ sent: Int64, of total: Int64) {
    let (isFirst, isLast) = state.withLock { state in
      guard state.end == nil, !state.isSent else { return (false, false) }
      let isFirst = !state.hasSent
      state.hasSent = true
      state.isSent = sent >= total
      switch state.phase {
      case .starting, .sending:
        state.phase = state.isSent ? .waitingForHead : .sending
        if let watch = state.watch { watchdog.move(watch, to: limit(of: state.phase)) }
      case .waiting, .waitingForHead, .body: break
      }
      return (isFirst, state.isSent)
    }
    if isFirst { tell(.requestHeadSent) }
    tell(.requestBodyProgress(bytes: sent, of: total))
    guard isLast else { return }
    request.exchange?.markRequestSent()
    tell(.requestSent)
  }

  func didReceive(_ response: HTTPURLResponse) {
    // Informational responses come as others do; after 101 there is no other.
    guard response.statusCode >= 200 || response.statusCode == 101 else { return }
    do {
      let head = try EngineHead(response, to: request)
      let endsHere = head.hasNoContent || head.length == 0
      let (continuation, watch, wasSilent, isSent) = state.withLock { state in
        let wasSilent = isBodyless && !state.isSent
        state.phase = .body
        state.response = head
        state.isSent = state.isSent || isBodyless
        // What ends with its head is handed over with its end, when the connection is free again.
        guard !endsHere else {
          return (UnsafeContinuation<EngineHead, any Error>?.none, state.watch, wasSilent, state.isSent)
        }
        defer { state.head = nil }
        return (state.head, state.watch, wasSilent, state.isSent)
      }
      if let watch { watchdog.move(watch, to: endsHere ? request.options.idleTimeout : nil) }
      if wasSilent {
        // Of a request without content the engine tells nothing before it is answered.
        tell(.requestHeadSent)
        tell(.requestSent)
      }
      resume(continuation, .success(head))
      if endsHere, !isSent { end(.success(())) }
    } catch {
      fail(error)
    }
  }

  func didReceive(_ data: Data) {
    guard !data.isEmpty else { return }
    let bytes = Bytes(data)
    enum Next {
      case read(BodyInbox.Served, Watchdog.Watch?)
      case go
      case pause(URLSessionTask)
      case fail
    }
    let (next, isWhole) = state.withLock { state -> (Next, Bool) in
      guard state.end == nil else { return (.go, false) }
      state.received += Int64(bytes.count)
      // The answer is complete before the request is: nothing waits for the rest of that.
      let isWhole = !state.isSent && state.received == state.response?.length
      guard state.inbox.count + bytes.count <= Self.unreadLimit else { return (.fail, false) }
      state.inbox.append(bytes)
      if let served = state.inbox.serve() { return (.read(served, state.watch), isWhole) }
      guard let task = state.task, !state.inbox.isPaused, state.inbox.pauses() else { return (.go, isWhole) }
      return (.pause(task), isWhole)
    }
    switch next {
    case .read(let served, let watch):
      if let watch { watchdog.move(watch, to: nil) }
      served.resume()
    case .go: break
    case .pause(let task): flow.pause(task)
    case .fail: fail(Self.tooMuchUnread)
    }
    if isWhole { end(.success(())) }
  }

  private static var tooMuchUnread: ExchangeError {
    ExchangeError(
      .limit(.body),
      "64 MiB of the response body wait for their reader, and URLSession on Linux cannot be slowed down",
      advice: "read faster, or use a transport with the capability streamsResponseBodies",
      limit: ExchangeError.Limit(option: "unread bytes (engine)", value: "64 MiB")
    )
  }

  func refuseToSendAgain() {
    fail(
      ExchangeError(
        .connectionReset,
        "the peer closed the connection before it answered, and the body was under way"
      )
    )
  }

  /// The 401 is there with all its body, and the task will end with an error that says nothing.
  func didReceiveChallenge() {
    state.withLock { $0.isChallenged = true }
  }

  func didComplete(_ task: URLSessionTask, _ error: (any Error)?) {
    let (isChallenged, isHeadless) = state.withLock { ($0.isChallenged, $0.response == nil && $0.end == nil) }
    if let error, !isChallenged {
      fail(error)
    } else if isHeadless, let response = task.response as? HTTPURLResponse {
      didLoseContent(of: response)
    } else {
      end(.success(()))
    }
  }

  /// The engine tells nothing of a 3xx that it would follow if it could, and drops its content.
  private func didLoseContent(of response: HTTPURLResponse) {
    didReceive(response)
    let head = state.withLock { $0.response }
    guard let head, !head.hasNoContent, head.length != 0 else { return end(.success(())) }
    fail(
      ExchangeError(
        .incompleteBody,
        "URLSession on Linux drops the content of a \(response.statusCode) whose Location it cannot use",
        advice: "use another transport for this server, or ignore the content"
      )
    )
  }

  // MARK: Ending

  func cancel() {
    fail(CancellationError(), isDropped: true)
  }

  func fail(_ error: any Error, isDropped: Bool = false) {
    end(.failure(error), isDropped: isDropped)
  }

  func end(_ result: Result<Void, any Error>, isDropped: Bool = false) {
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
    if case .sending = before.phase { tell(.requestFailed) }
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
      guard state.end == nil, !state.isEnding, isBodyless || state.isSent else { return nil }
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
      isConnected: before.isSent || before.response != nil
    )
  }

  // MARK: Limits

  private func limit(of phase: Phase) -> Duration? {
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
