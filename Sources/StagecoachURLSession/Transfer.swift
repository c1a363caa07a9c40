import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachTransportKit
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request, run as a task of the engine.
///
/// The engine's calls come in order on one thread; reads, cancellation and timeouts come from any thread. All state is
/// behind one lock, and no task is resumed while it is held.
final class Transfer: EngineTransfer {
  struct State {
    var transfer = TransferState<EngineHead>()
    var lane: Lane?
    var task: URLSessionDataTask?
    var received: Int64 = 0
    var response: EngineHead?
    var hasSent = false
    var isChallenged = false
    /// Whether the lane was passed on, and the end follows.
    var isEnding = false

    var isSent: Bool { transfer.isRequestSent }
  }

  let request: Request
  let origin: LanePool.Origin
  private let transport: URLSessionTransport
  private let engineRequest: EngineRequest
  let content: RequestContent
  /// The queue for events of a request body, which must not be emitted on the engine's thread; `nil` without observers.
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

  /// Emits an event in order, outside the engine's thread.
  func tell(_ kind: Event.Kind) {
    relay?.async { [request] in request.emit(kind) }
  }

  /// Resumes tasks after the preceding events.
  func resume(_ tasks: @escaping @Sendable () -> Void) {
    guard let relay else { return tasks() }
    relay.async(execute: tasks)
  }

  func withState<Result: Sendable>(
    _ body: (inout TransferState<EngineHead>) throws -> Result
  ) rethrows -> Result {
    try state.withLock { try body(&$0.transfer) }
  }

  var watchdog: Watchdog { transport.watchdog }
  var isBodyless: Bool { if case .none = content { true } else { false } }

  var asksForNewConnection: Bool { request.options.networkUse?.newConnection == true }

  /// Whether the request needs a new connection: libcurl sends a request again, whatever its method, if a reused
  /// connection breaks. With content it sends only the head again, see ``refuseToSendAgain()``.
  var needsNewConnection: Bool {
    switch request.method {
    case .get, .head, .options, .trace, .put, .delete: asksForNewConnection
    default: isBodyless || asksForNewConnection
    }
  }

  // MARK: Starting

  func start() async throws -> EngineHead {
    try await start {
      if let lane = try transport.lanes.enter(self) {
        begin(on: lane)
      } else if withState({ $0.end != nil }) {
        // Cancelled before it was queued.
        transport.lanes.withdraw(self)
      }
    }
  }

  /// Called when the transfer has to wait for others. It may begin as soon as this returns.
  func didQueue() {
    let now = request.clock.now
    withState { $0.queue(at: now) }
    tell(.connection(.queued))
  }

  /// Hands the request to the engine. Do not call it on the engine's thread.
  func begin(on lane: Lane) {
    let task = engineRequest.makeTask(in: lane.session, with: content)
    lane.attach(self, to: task)
    let (goesOn, queued) = state.withLock { state in
      let goesOn = state.transfer.enter(isBodyless ? .waitingForHead : .connecting, of: request)
      if goesOn { (state.lane, state.task) = (lane, task) }
      return (goesOn, state.transfer.queued)
    }
    if let queued { tell(.connection(.dequeued(after: request.clock.now - queued))) }
    guard goesOn else { return transport.lanes.discard(lane, task, from: self) }
    task.resume()
  }

  // MARK: Ending

  func fail(_ error: any Error) {
    end(.failure(error))
  }

  func end(_ result: Result<Void, any Error>) {
    let keepsLane = releaseLane(after: result)
    let ended = state.withLock { state -> (before: State, ending: TransferEnding<EngineHead>)? in
      guard keepsLane || !state.isEnding,
        let ending = state.transfer.finish(result.mapError { map($0, state) })
      else { return nil }
      let before = state
      state = State()
      (state.transfer, state.response) = (before.transfer, before.response)
      return (before, ending)
    }
    guard let (before, ending) = ended else { return }
    if before.hasSent, !before.isSent { tell(.requestFailed) }
    resume { ending.resume(with: before.response) }
    guard let lane = before.lane, let task = before.task else { return transport.lanes.withdraw(self) }
    if !keepsLane { transport.lanes.discard(lane, task, from: self) }
  }

  /// Passes on a reusable lane before the end is delivered, so that the next request of the reader finds its
  /// connection.
  ///
  /// - Returns: Whether the lane was passed on. If so, the caller must end the transfer, and no other call can.
  private func releaseLane(after result: Result<Void, any Error>) -> Bool {
    guard case .success = result, !engineRequest.closesConnection else { return false }
    let lane = state.withLock { state -> Lane? in
      guard state.transfer.end == nil, !state.isEnding, isBodyless || state.isSent,
        let response = state.response, !response.isAmbiguous
      else { return nil }
      state.isEnding = state.lane != nil
      return state.lane
    }
    guard let lane else { return false }
    transport.lanes.release(lane, from: self)
    return true
  }

  private func map(_ error: any Error, _ state: State) -> any Error {
    #if canImport(FoundationNetworking)
      let proxy = transport.proxies.proxy(for: request.head).map { ProxyAnswer(of: $0, to: request.head) }
    #else
      let proxy: ProxyAnswer? = nil
    #endif
    return EngineFailure.map(
      error,
      proxy: proxy,
      response: state.response,
      wasStarted: state.task != nil,
      isConnected: state.hasSent || state.isSent || state.response != nil
    )
  }

  // MARK: The response

  /// Creates the response, with this transfer as the source of its body.
  func response(_ head: EngineHead) -> Response {
    var response = Response(head: head.head)
    if !head.hasNoContent, head.length != 0 {
      response.body = Response.Body(source: self, length: head.length)
    }
    return response
  }
}
