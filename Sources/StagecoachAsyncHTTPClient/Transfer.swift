#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  /// One request on the engine's delegate interface. Unlike the engine's asynchronous interface, it can be failed from
  /// outside with our own error, which timeouts, cancellation and dropped bodies need.
  ///
  /// Delegate calls come in order on one event loop; reads, cancellation and timeouts come from any thread. All state
  /// is behind one lock, and no task is resumed while it is held.
  final class Transfer: HTTPClientResponseDelegate, EngineTransfer {
    typealias Response = Void

    struct State {
      var transfer = TransferState<HTTPResponseHead>()
      /// Whether the transfer waits for a connection in use by others, and not for a new one.
      var waitsForOthers = false
      var task: HTTPClient.Task<Void>?
      var upload: _Concurrency.Task<Void, Never>?
      /// The source of the request body, until it has ended.
      var source: (any BodySource)?
      /// The promise that the upload waits for: the engine drops the writes of a request that it abandons.
      var write: EventLoopPromise<Void>?
      /// Whether the reader is about to be resumed.
      var isServing = false
      /// Fulfilled when the reader has made room for more of the body.
      var room: EventLoopPromise<Void>?
      var loop: LoadedEventLoop?
      /// The instant at which the engine was asked for a connection.
      var begun: ContinuousClock.Instant?
      var connection: EngineConnection.Use?
      var isConnected = false
      var isHeadReceived = false
      /// Whether the response came over HTTP/2.
      var hasFrames = false
      /// Whether the peer keeps the connection open for reuse. Set only if the exchange is observed.
      var isKept = false
    }

    let request: StagecoachCore.Request
    private let transport: AsyncHTTPClientTransport
    private let engine: Engine
    private let origin: Origin
    let state = Mutex(State())

    init(
      _ request: StagecoachCore.Request,
      over transport: AsyncHTTPClientTransport,
      by engine: Engine,
      to origin: Origin
    ) {
      self.request = request
      self.transport = transport
      self.engine = engine
      self.origin = origin
    }

    var watchdog: Watchdog { transport.watchdog }
    var engineRequests: EngineRequests { transport.engineRequests }
    /// The connection of the transfer, if known.
    var connection: ConnectionInfo? { state.withLock { $0.connection }?.info }

    func withState<Result: Sendable>(
      _ body: (inout TransferState<HTTPResponseHead>) throws -> Result
    ) rethrows -> Result {
      try state.withLock { try body(&$0.transfer) }
    }

    // MARK: Starting

    func start() async throws -> HTTPResponseHead {
      try await start { try launch() }
    }

    private func launch() throws {
      let engineRequest = try makeRequest()
      if let proxy = engine.proxyName { request.emit(.connection(.proxySelected(proxy))) }
      let now = transport.time.now
      if origin.enter(now: now) || !waitInQueue(engineRequest) {
        begin(engineRequest, on: transport.takeEventLoop(), now: now)
      }
    }

    /// - Returns: False if there is room now.
    private func waitInQueue(_ engineRequest: HTTPClient.Request) -> Bool {
      // Before another thread can find it in the queue and report that it left.
      didQueue()
      guard !origin.enterOrWait(self, engineRequest) else { return false }
      let hasEnded = withState { state in
        if state.phase == .waiting { state.restartTimeout(of: request) }
        return state.end != nil
      }
      if hasEnded { origin.withdraw(self) }
      // A transfer that was queued after the transport's shutdown ends here.
      if transport.isShutDown { fail(AsyncHTTPClientTransport.wasShutDown) }
      return true
    }

    /// Hands the request to the engine, on an event loop reserved for this transfer.
    func begin(_ engineRequest: HTTPClient.Request, on loop: LoadedEventLoop) {
      begin(engineRequest, on: loop, now: transport.time.now)
    }

    private func begin(
      _ engineRequest: HTTPClient.Request,
      on loop: LoadedEventLoop,
      now: ContinuousClock.Instant
    ) {
      let (goesOn, queued) = state.withLock { state in
        let goesOn = state.transfer.enter(.connecting, of: request)
        if goesOn { (state.loop, state.begun) = (loop, now) }
        return (goesOn, state.transfer.queued)
      }
      if let queued { request.emit(.connection(.dequeued(after: now - queued))) }
      guard goesOn else { return leave(loop, inPlace: false) }
      // The engine wakes the loop twice if it is called from another thread, and not at all if it is called on the
      // loop.
      if loop.eventLoop.inEventLoop {
        hand(engineRequest, to: loop)
      } else {
        loop.eventLoop.execute { self.hand(engineRequest, to: loop) }
      }
    }

    private func hand(_ engineRequest: HTTPClient.Request, to loop: LoadedEventLoop) {
      // If the transfer has ended meanwhile, the loop was already released.
      guard withState({ $0.end == nil }) else { return }
      let task = engine.client.execute(
        request: engineRequest,
        delegate: self,
        eventLoop: .delegate(on: loop.eventLoop)
      )
      let endedMeanwhile = state.withLock { state in
        guard state.transfer.end == nil else { return true }
        state.task = task
        return false
      }
      if endedMeanwhile { task.fail(reason: CancellationError()) }
      // A task that was refused because of a shutdown never calls its delegate. The transport is marked as shut down
      // before the engine refuses, so this check cannot miss it.
      if transport.isShutDown { fail(AsyncHTTPClientTransport.wasShutDown) }
    }

    /// Releases the place and the event loop of this transfer to the next one.
    ///
    /// - Parameter inPlace: Whether the next one may begin at once. False after a failure: each could fail at once and
    ///   begin the next.
    private func leave(_ loop: LoadedEventLoop, inPlace: Bool) {
      guard let next = origin.leave() else { return loop.add(-1) }
      if inPlace {
        next.transfer.begin(next.request, on: loop)
      } else {
        loop.eventLoop.execute { next.transfer.begin(next.request, on: loop) }
      }
    }

    // MARK: Delegate of the engine

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
      let connection = state.withLock { state -> EngineConnection.Use? in
        guard state.transfer.end == nil else { return nil }
        state.isConnected = true
        origin.addConnections(1)
        if state.transfer.phase == .connecting { state.transfer.enter(.sending, of: request) }
        let serving = state.loop?.serving
        serving?.responses?.transfer = self
        state.connection = serving?.connection.serve(
          since: state.begun.flatMap { origin.wasAlone(since: $0) ? $0 : nil }
        )
        return state.connection
      }
      if let connection { request.emit(.connection(.acquired(connection.info))) }
      request.emit(.requestHeadSent)
    }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
      withState { state in
        if state.phase == .sending { state.restartTimeout(of: request) }
      }
    }

    func didSendRequest(task: HTTPClient.Task<Void>) {
      didSendRequest()
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
      let continuation = state.withLock { state in
        state.transfer.enter(.receiving, of: request)
        state.isHeadReceived = true
        state.hasFrames = head.version.major > 1
        if request.exchange?.isObserved == true { state.isKept = head.isKeepAlive }
        return state.transfer.takeHead()
      }
      if head.version.major > 1, !origin.isMultiplexed {
        for next in origin.multiplex() { next.transfer.begin(next.request, on: transport.takeEventLoop()) }
      }
      if let continuation {
        // At the end of this turn of the loop, when a small body has arrived too. Its reader then does not wait, which
        // saves waking a thread.
        task.eventLoop.execute { continuation.resume(returning: head) }
      }
      return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
      guard buffer.readableBytes > 0 else {
        if let trailers = buffer.carriedFields {
          do { try receive(trailers: trailers) } catch { fail(error) }
          return task.eventLoop.makeSucceededVoidFuture()
        }
        // The response is complete before the request is, see ``ResponseGuard``.
        end(.success(()), isEarly: true)
        return task.eventLoop.makeSucceededVoidFuture()
      }
      let bytes = Bytes(buffer)
      let (room, isFirst) = state.withLock { state -> (EventLoopFuture<Void>?, Bool) in
        guard state.transfer.end == nil else { return (nil, false) }
        state.transfer.inbox.append(bytes)
        let isFirst = state.transfer.inbox.hasReader && !state.isServing
        if isFirst { state.isServing = true }
        guard state.transfer.inbox.pauses() else { return (nil, isFirst) }
        let room = state.room ?? task.eventLoop.makePromise(of: Void.self)
        state.room = room
        return (room.futureResult, isFirst)
      }
      // At the end of this turn of the loop, when all available data has arrived, so that the reader is woken once.
      if isFirst { task.eventLoop.execute { self.serve() } }
      return room ?? task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {
      end(.success(()))
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
      fail(error)
    }

    // MARK: Ending

    func fail(_ error: any Error) {
      end(.failure(error))
    }

    func end(_ result: Result<Void, any Error>) {
      end(result, isEarly: false)
    }

    /// - Parameter isEarly: Whether the request is still being sent.
    private func end(_ result: Result<Void, any Error>, isEarly: Bool) {
      let ended = state.withLock { state -> (before: State, ending: TransferEnding<HTTPResponseHead>)? in
        guard let ending = state.transfer.finish(result.mapError { map($0, state) }) else { return nil }
        // The head may be delivered after this, so the connection stays known; all else is released.
        let before = state
        state = State()
        (state.transfer, state.connection) = (before.transfer, before.connection)
        return (before, ending)
      }
      guard let (before, ending) = ended else { return }
      let hasSucceeded = if case .success = result { true } else { false }
      if before.isConnected {
        origin.addConnections(-1)
      } else if before.loop != nil {
        origin.crowd(now: transport.time.now)
      }
      tellEnd(of: before, isWhole: hasSucceeded && !isEarly)
      before.upload?.cancel()
      before.source?.cancel()
      before.write?.fail(CancellationError())
      ending.resume()
      switch ending.result {
      case .success: if isEarly { before.task?.fail(reason: CancellationError()) }
      case .failure(let error):
        before.room?.succeed()
        before.task?.fail(reason: error)
      }
      // Last, when the connection is free again.
      guard let loop = before.loop else { return origin.withdraw(self) }
      leave(loop, inPlace: hasSucceeded)
    }

    /// Emits the outcome of the request and its connection.
    private func tellEnd(of state: State, isWhole: Bool) {
      guard state.isConnected, request.exchange?.isObserved == true else { return }
      if state.transfer.phase == .sending { request.emit(.requestFailed) }
      if origin.isMultiplexed || isWhole && state.isKept {
        request.emit(.connection(.released))
      } else {
        request.emit(
          .connection(.closed(isWhole ? "the peer asked for that" : "its exchange ended before its time"))
        )
      }
    }

    private func map(_ error: any Error, _ state: State) -> any Error {
      EngineFailure.map(
        error,
        host: request.head.authority ?? "",
        proxy: state.isConnected ? nil : engine.proxy.map { ProxyAnswer(of: $0, to: request.head) },
        isConnected: state.isConnected,
        isReused: state.connection?.info.isReused,
        isHeadReceived: state.isHeadReceived,
        isShutDown: transport.isShutDown
      )
    }

    func expire() {
      let options = request.options
      let isShared = origin.hasConnections
      let (phase, waitsForOthers) = state.withLock {
        state -> (TransferState<HTTPResponseHead>.Phase?, Bool) in
        // A request that waits behind others waits for a free connection, which has a separate timeout.
        guard state.transfer.phase == .connecting, !state.waitsForOthers, isShared else {
          return (state.transfer.phase, state.waitsForOthers)
        }
        state.waitsForOthers = true
        let connect = options.connectTimeout ?? .zero
        state.transfer.restartTimeout(after: options.poolTimeout.map { max($0 - connect, .zero) })
        return (nil, true)
      }
      switch phase {
      case nil: break
      case .connecting? where waitsForOthers:
        var error = ExchangeError.timeout(.pool, after: options.poolTimeout ?? .zero)
        // A connection of another event loop may have taken the request without having reported it yet.
        error.requestMayHaveBeenSent = true
        fail(error)
      case .connecting?:
        // On the loop, because otherwise the engine could meanwhile send a request that is reported as not sent.
        state.withLock { $0.loop }?.eventLoop.execute {
          let isConnecting = self.state.withLock { $0.transfer.phase == .connecting && !$0.waitsForOthers }
          guard isConnecting else { return }
          self.fail(ExchangeError.timeout(.connect, after: options.connectTimeout ?? .zero))
        }
      case let phase?: fail(phase.expiry(of: options))
      }
    }
  }
#endif
