#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import Synchronization

  /// One request on the engine's delegate interface, which unlike its asynchronous one can be failed
  /// from outside with an error of ours: that is how timeouts, cancellation and dropped bodies work.
  ///
  /// Delegate calls come in order on one event loop; reading, cancelling and expiring come from
  /// anywhere. All state is behind one lock, and nothing is resumed while it is held.
  final class Transfer: HTTPClientResponseDelegate, BodySource {
    typealias Response = Void

    enum Phase {
      /// Behind other transfers.
      case waiting
      case connecting(extended: Bool)
      case sending
      case waitingForHead
      case body
    }

    struct State {
      var phase = Phase.waiting
      var task: HTTPClient.Task<Void>?
      var upload: _Concurrency.Task<Void, Never>?
      /// Where the request body comes from, until it ended.
      var source: (any BodySource)?
      /// What the upload waits for: the engine forgets the writes of a request that it gives up.
      var write: EventLoopPromise<Void>?
      var watch: Watchdog.Watch?
      /// Resumed exactly once: whoever takes it out of the state, under the lock, resumes it.
      var head: UnsafeContinuation<HTTPResponseHead, any Error>?
      var inbox = BodyInbox()
      var trailers: HTTPFields?
      /// Whether the reader is about to be served.
      var isServing = false
      /// Fulfilled when there is room for more of the body.
      var room: EventLoopPromise<Void>?
      var loop: LoadedEventLoop?
      /// When it had to wait for others.
      var queued: ContinuousClock.Instant?
      /// When the engine was asked for a connection.
      var begun: ContinuousClock.Instant?
      var connection: EngineConnection.Use?
      var isConnected = false
      var isHeadReceived = false
      /// Whether the peer lets others use the connection, where somebody wants to know.
      var isKept = false

      var end: Result<Void, any Error>? { inbox.end }
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
    /// The connection that serves the transfer, where that is known.
    var connection: ConnectionInfo? { state.withLock { $0.connection }?.info }

    // MARK: Starting

    func start() async throws -> HTTPResponseHead {
      try await withUnsafeThrowingContinuation { launch($0) }
    }

    /// Apart from `start`, since every request in flight holds the frame of that.
    @inline(never)
    private func launch(_ continuation: UnsafeContinuation<HTTPResponseHead, any Error>) {
      let engineRequest: HTTPClient.Request
      do {
        engineRequest = try makeRequest()
      } catch {
        return continuation.resume(throwing: error)
      }
      guard admit(continuation) else { return }
      if let proxy = engine.proxy { request.emit(.connection(.proxySelected(proxy))) }
      let now = transport.time.now
      if origin.enter(now: now) || !waitInQueue(engineRequest, since: now) {
        begin(engineRequest, on: transport.takeEventLoop(), now: now)
      }
    }

    /// Takes the continuation unless the transfer was cancelled before it began.
    private func admit(_ continuation: UnsafeContinuation<HTTPResponseHead, any Error>) -> Bool {
      let watch = watchdog.watch(for: nil) { [weak self] in self?.expire() }
      let error = state.withLock { state -> (any Error)? in
        if case .failure(let error) = state.end { return error }
        state.head = continuation
        state.watch = watch
        return nil
      }
      guard let error else { return true }
      watchdog.remove(watch)
      continuation.resume(throwing: error)
      return false
    }

    /// - Returns: False if there is a place meanwhile.
    private func waitInQueue(_ engineRequest: HTTPClient.Request, since now: ContinuousClock.Instant) -> Bool
    {
      state.withLock { $0.queued = now }
      // Before another thread can find it in the queue, and tell that it left.
      request.emit(.connection(.queued))
      guard !origin.enterOrWait(self, engineRequest) else { return false }
      let hasEnded = state.withLock { state in
        if case .waiting = state.phase, let watch = state.watch {
          watchdog.move(watch, to: request.options.poolTimeout)
        }
        return state.end != nil
      }
      if hasEnded { origin.withdraw(self) }
      // Who came too late for the transport's shutdown ends here.
      if transport.isShutDown { fail(AsyncHTTPClientTransport.wasShutDown) }
      return true
    }

    /// Hands the request to the engine, on an event loop that was taken for this transfer.
    func begin(_ engineRequest: HTTPClient.Request, on loop: LoadedEventLoop) {
      begin(engineRequest, on: loop, now: transport.time.now)
    }

    private func begin(
      _ engineRequest: HTTPClient.Request,
      on loop: LoadedEventLoop,
      now: ContinuousClock.Instant
    ) {
      let (hasEnded, queued) = state.withLock { state in
        guard state.end == nil else { return (true, state.queued) }
        state.phase = .connecting(extended: false)
        state.loop = loop
        state.begun = now
        if let watch = state.watch { watchdog.move(watch, to: request.options.connectTimeout) }
        return (false, state.queued)
      }
      if let queued { request.emit(.connection(.dequeued(after: now - queued))) }
      guard !hasEnded else { return leave(loop, inPlace: false) }
      // The engine wakes the loop twice when it is asked from another thread, and not at all when it is asked there.
      if loop.eventLoop.inEventLoop {
        hand(engineRequest, to: loop)
      } else {
        loop.eventLoop.execute { self.hand(engineRequest, to: loop) }
      }
    }

    private func hand(_ engineRequest: HTTPClient.Request, to loop: LoadedEventLoop) {
      // Whoever ended it meanwhile has left the loop, since the transfer had one.
      guard state.withLock({ $0.end == nil }) else { return }
      let task = engine.client.execute(
        request: engineRequest,
        delegate: self,
        eventLoop: .delegate(on: loop.eventLoop)
      )
      let endedMeanwhile = state.withLock { state in
        guard state.end == nil else { return true }
        state.task = task
        return false
      }
      if endedMeanwhile { task.fail(reason: CancellationError()) }
      // A task that was refused because of a shutdown never calls its delegate. The transport says
      // that it is shut down before the engine refuses, so this cannot be missed.
      if transport.isShutDown { fail(AsyncHTTPClientTransport.wasShutDown) }
    }

    /// Lets the next transfer have the place and the event loop of this one.
    ///
    /// - Parameter inPlace: Whether it may begin at once. Not after a failure: each could fail at once,
    ///   and begin the next.
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
      let (watch, connection) = state.withLock { state -> (Watchdog.Watch?, EngineConnection.Use?) in
        guard state.end == nil else { return (nil, nil) }
        state.isConnected = true
        origin.addConnections(1)
        if case .connecting = state.phase { state.phase = .sending }
        let serving = state.loop?.serving
        serving?.responses?.transfer = self
        state.connection = serving?.connection.serve(
          since: state.begun.flatMap { origin.wasAlone(since: $0) ? $0 : nil }
        )
        // Without a body the end of the request follows at once and sets the next limit.
        return (request.body.length == 0 ? nil : state.watch, state.connection)
      }
      if let watch { watchdog.move(watch, to: request.options.idleTimeout) }
      if let connection { request.emit(.connection(.acquired(connection.info))) }
      request.emit(.requestHeadSent)
    }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
      let watch = state.withLock { state -> Watchdog.Watch? in
        if case .sending = state.phase { state.watch } else { nil }
      }
      if let watch { watchdog.move(watch, to: request.options.idleTimeout) }
    }

    func didSendRequest(task: HTTPClient.Task<Void>) {
      let watch = state.withLock { state -> Watchdog.Watch? in
        guard case .sending = state.phase else { return nil }
        state.phase = .waitingForHead
        return state.watch
      }
      if let watch { watchdog.move(watch, to: request.options.headTimeout) }
      request.exchange?.markRequestSent()
      request.emit(.requestSent)
    }

    /// Another response before the one that answers.
    ///
    /// - Throws: ``ExchangeError`` if there were too many.
    func didReceiveInformational(_ head: HTTPResponseHead, number: Int) throws {
      request.emit(.informationalResponse(Redaction.head(HTTPResponse(head))))
      try request.options.responseHeadLimits.checkInformational(number: number)
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
      let (continuation, watch) = state.withLock { state in
        state.phase = .body
        state.isHeadReceived = true
        if request.exchange?.isObserved == true { state.isKept = head.isKeepAlive }
        defer { state.head = nil }
        return (state.head, state.watch)
      }
      if let watch { watchdog.move(watch, to: nil) }
      if head.version.major > 1, !origin.isMultiplexed {
        for next in origin.multiplex() { next.transfer.begin(next.request, on: transport.takeEventLoop()) }
      }
      if let continuation {
        // At the end of this turn of the loop, when a small body has arrived too: its reader then never
        // waits, which saves waking a thread.
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
        // The response is complete, and the request is not: ``ResponseGuard``.
        end(.success(()), isEarly: true)
        return task.eventLoop.makeSucceededVoidFuture()
      }
      let bytes = Bytes(buffer)
      let (room, isFirst) = state.withLock { state -> (EventLoopFuture<Void>?, Bool) in
        guard state.end == nil else { return (nil, false) }
        state.inbox.append(bytes)
        let isFirst = state.inbox.hasReader && !state.isServing
        if isFirst { state.isServing = true }
        guard state.inbox.pauses() else { return (nil, isFirst) }
        let room = state.room ?? task.eventLoop.makePromise(of: Void.self)
        state.room = room
        return (room.futureResult, isFirst)
      }
      // At the end of this turn of the loop, when all that has arrived is there: its reader is woken once for it.
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

    func cancel() {
      state.withLock { $0.inbox.discard() }
      fail(CancellationError())
    }

    func fail(_ error: any Error) {
      end(.failure(error))
    }

    /// - Parameter isEarly: Whether the request is still being sent.
    private func end(_ result: Result<Void, any Error>, isEarly: Bool = false) {
      let ended = state.withLock { state -> (before: State, reader: BodyInbox.Served?)? in
        guard state.end == nil else { return nil }
        var before = State()
        swap(&before, &state)
        // What was received before a failure can still be read, and a head is told of after its body came.
        swap(&before.inbox, &state.inbox)
        state.connection = before.connection
        state.trailers = before.trailers
        state.inbox.finish(result.mapError { map($0, before) })
        return (before, state.inbox.serve())
      }
      guard let (before, reader) = ended else { return }
      let hasSucceeded = if case .success = result { true } else { false }
      if let watch = before.watch { watchdog.remove(watch) }
      if before.isConnected {
        origin.addConnections(-1)
      } else if before.loop != nil {
        origin.crowd(now: transport.time.now)
      }
      tellEnd(of: before, isWhole: hasSucceeded && !isEarly)
      before.upload?.cancel()
      before.source?.cancel()
      before.write?.fail(CancellationError())
      switch result {
      case .success:
        reader?.resume()
        if isEarly { before.task?.fail(reason: CancellationError()) }
      case .failure(let error):
        let error = map(error, before)
        before.head?.resume(throwing: error)
        reader?.resume()
        before.room?.succeed()
        before.task?.fail(reason: error)
      }
      // Last, when the connection is free again.
      guard let loop = before.loop else { return origin.withdraw(self) }
      leave(loop, inPlace: hasSucceeded)
    }

    /// Emits what became of the request and its connection.
    private func tellEnd(of state: State, isWhole: Bool) {
      guard state.isConnected, request.exchange?.isObserved == true else { return }
      if case .sending = state.phase { request.emit(.requestFailed) }
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
        isConnected: state.isConnected,
        isReused: state.connection?.info.isReused,
        isHeadReceived: state.isHeadReceived,
        isShutDown: transport.isShutDown
      )
    }

    private func expire() {
      let options = request.options
      let isShared = origin.hasConnections
      let phase = state.withLock { state -> Phase? in
        // Who waits behind other requests waits for a connection to become free: another limit.
        guard case .connecting(extended: false) = state.phase, isShared, let watch = state.watch else {
          return state.phase
        }
        state.phase = .connecting(extended: true)
        let connect = options.connectTimeout ?? .zero
        watchdog.move(watch, to: options.poolTimeout.map { max($0 - connect, .zero) })
        return nil
      }
      switch phase {
      case nil: break
      case .waiting:
        fail(ExchangeError.timeout(.pool, after: options.poolTimeout ?? .zero))
      case .connecting(extended: false):
        // There, since meanwhile the engine could send what is then said not to have been sent.
        state.withLock { $0.loop }?.eventLoop.execute {
          guard case .connecting(extended: false) = self.state.withLock({ $0.phase }) else { return }
          self.fail(ExchangeError.timeout(.connect, after: options.connectTimeout ?? .zero))
        }
      case .connecting(extended: true):
        var error = ExchangeError.timeout(.pool, after: options.poolTimeout ?? .zero)
        // A connection of another event loop may have taken it, and have yet to say so.
        error.requestMayHaveBeenSent = true
        fail(error)
      case .sending, .body:
        fail(ExchangeError.timeout(.idle, after: options.idleTimeout ?? .zero))
      case .waitingForHead:
        fail(ExchangeError.timeout(.head, after: options.headTimeout ?? .zero))
      }
    }
  }
#endif
