#if CURL
  import HTTPTypes
  import StagecoachCore
  import Synchronization

  /// One request and its response, as the tasks that wait for them see it.
  ///
  /// The engine's thread delivers what came; reading, cancelling and expiring come from anywhere. All state is
  /// behind one lock, and nothing is resumed while it is held.
  final class Transfer: BodySource {
    private enum Phase {
      /// Behind other transfers.
      case waiting
      case connecting
      case sending
      case waitingForHead
      case body
    }

    private struct State {
      var phase = Phase.waiting
      /// When it had to wait for others.
      var queued: ContinuousClock.Instant?
      var watch: Watchdog.Watch?
      /// Resumed exactly once: whoever takes it out of the state, under the lock, resumes it.
      var head: UnsafeContinuation<[UInt8], any Error>?
      var inbox = BodyInbox()
      /// How many bytes of the body came, and how many there are if that is known.
      var received: Int64 = 0
      var length: Int64?
      var trailers: HTTPFields?
      var isSent = false
      var isAllSent = false
      var isHeadReceived = false
      var connection: ConnectionInfo?

      var end: Result<Void, any Error>? { inbox.end }

      /// Ends the body if all of it came before the request was sent: nothing waits for the rest of that.
      ///
      /// - Returns: Whether it did.
      mutating func endIfWhole() -> Bool {
        guard let length, received >= length, !isAllSent, end == nil else { return false }
        inbox.finish(.success(()))
        return true
      }
    }

    let request: Request
    let place: Place
    let trust: Trust?
    /// The content, where a task has to pull it.
    let upload: Upload?
    private let engine: Engine
    private let state = Mutex(State())

    /// - Parameter trust: What counts for the host; nil on plain connections.
    init(_ request: Request, to place: Place, trust: Trust?, over engine: Engine) throws {
      self.request = request
      self.place = place
      self.trust = trust
      self.engine = engine
      let isStreamed = request.body.bytes == nil || request.body.hasTrailers
      // Opened before anything is sent: what cannot be sent again fails without a trace on the wire.
      upload = isStreamed ? Upload(try request.body.makeSource()) : nil
    }

    private var watchdog: Watchdog { engine.watchdog }

    // MARK: Starting

    /// Hands the request to the engine and waits for the head of the response.
    func start() async throws -> [UInt8] {
      try await withUnsafeThrowingContinuation { launch($0) }
    }

    private func launch(_ continuation: UnsafeContinuation<[UInt8], any Error>) {
      // Each transfer comes to an end, which lets go of the watch and so of this closure: a weak reference would make
      // all counting of references to it slower.
      let watch = watchdog.watch(for: request.options.poolTimeout) { self.expire() }
      let error = state.withLock { state -> (any Error)? in
        if case .failure(let error) = state.end { return error }
        state.head = continuation
        state.watch = watch
        return nil
      }
      if let error {
        watchdog.remove(watch)
        continuation.resume(throwing: error)
      } else {
        engine.post(.start(self))
      }
    }

    /// What is known of the connection, once the head came.
    var connection: ConnectionInfo? { state.withLock { $0.connection } }

    // MARK: The engine's thread

    /// The request has no place yet among those of its origin.
    func didQueue() {
      state.withLock { $0.queued = request.time.now }
      request.emit(.connection(.queued))
    }

    /// The request has a place among those of its origin.
    ///
    /// - Parameter isShared: Whether it may have to wait for others on a shared connection.
    /// - Returns: False if the transfer has ended already.
    func begin(isShared: Bool) -> Bool {
      let (goesOn, queued) = state.withLock { state in
        guard state.end == nil, let watch = state.watch else { return (false, state.queued) }
        guard !isShared else { return (true, state.queued) }
        state.phase = .connecting
        watchdog.move(watch, to: request.options.connectTimeout)
        return (true, state.queued)
      }
      if let queued { request.emit(.connection(.dequeued(after: request.time.now - queued))) }
      return goesOn
    }

    /// The connection is there, and nothing was sent yet.
    ///
    /// - Returns: False if nothing is to be sent, since the transfer has ended.
    func willSend(over connection: ConnectionInfo) -> Bool {
      let goesOn = state.withLock { state in
        guard state.end == nil else { return false }
        state.isSent = true
        state.phase = .sending
        state.connection = connection
        // Without content the end of the request follows at once and sets the next limit.
        if request.body.length != 0, let watch = state.watch {
          watchdog.move(watch, to: request.options.idleTimeout)
        }
        return true
      }
      guard goesOn else { return false }
      request.emit(.connection(.acquired(connection)))
      upload?.start { [weak self] in
        if let self { engine.post(.send(self)) }
      } fail: { [weak self] error in
        self?.fail(error)
      }
      return true
    }

    /// The engine is done with the request.
    ///
    /// - Parameter isKept: Whether others may use its connection.
    func didLeaveConnection(isKept: Bool) {
      let (isSent, isAllSent) = state.withLock { ($0.isSent, $0.isAllSent) }
      guard isSent else { return }
      if !isAllSent { request.emit(.requestFailed) }
      request.emit(.connection(isKept ? .released : .closed("libcurl does not keep it")))
    }

    /// More of the content was handed over.
    func didSend(_ count: Int64) {
      state.withLock { state in
        guard case .sending = state.phase, let watch = state.watch else { return }
        watchdog.move(watch, to: request.options.idleTimeout)
      }
      request.emit(.requestBodyProgress(bytes: count, of: request.body.length))
    }

    /// All of the request was written.
    func didSendAll() {
      state.withLock { state in
        state.isAllSent = true
        guard case .sending = state.phase else { return }
        state.phase = .waitingForHead
        if let watch = state.watch { watchdog.move(watch, to: request.options.headTimeout) }
      }
      request.exchange?.markRequestSent()
      request.emit(.requestSent)
    }

    /// What a turn of the engine's loop brought.
    struct Delivery {
      var head: [UInt8]?
      var chunks = ByteQueue()
      var end: Result<HTTPFields?, any Error>?

      var isEmpty: Bool { head == nil && chunks.isEmpty && end == nil }
    }

    /// Hands over what came.
    ///
    /// - Returns: How much memory waits for the reader, in bytes.
    func deliver(_ delivery: consuming Delivery) -> Int {
      var resumeHead: UnsafeContinuation<[UInt8], any Error>?
      var served: BodyInbox.Served?
      var watch: Watchdog.Watch?
      let end = delivery.end
      let (count, isWhole) = state.withLock { state -> (Int, Bool) in
        guard state.end == nil else { return (0, false) }
        if delivery.head != nil {
          (resumeHead, state.head) = (state.head, nil)
          state.isHeadReceived = true
          state.phase = .body
          if end == nil, let watch = state.watch { watchdog.move(watch, to: nil) }
        }
        state.received += Int64(delivery.chunks.count)
        state.inbox.append(contentsOf: delivery.chunks)
        let isWhole = end == nil && state.endIfWhole()
        if isWhole { (watch, state.watch) = (state.watch, nil) }
        if let end {
          state.inbox.finish(end.map { _ in })
          if case .success(let trailers) = end { state.trailers = trailers }
          (watch, state.watch) = (state.watch, nil)
          if case .failure = end, resumeHead == nil { (resumeHead, state.head) = (state.head, nil) }
        }
        served = state.inbox.serve()
        if served != nil, let watch = state.watch { watchdog.move(watch, to: nil) }
        return (state.inbox.footprint, isWhole)
      }
      if end != nil || isWhole { upload?.close() }
      if let watch { watchdog.remove(watch) }
      if isWhole { engine.post(.abandon(self)) }
      if served?.resumesEngine == true { engine.post(.receive(self)) }
      if let resumeHead {
        if let head = delivery.head {
          resumeHead.resume(returning: head)
        } else if case .failure(let error) = end {
          resumeHead.resume(throwing: error)
        }
      }
      served?.resume()
      return count
    }

    /// Whether the engine has to pause until the reader made room.
    ///
    /// - Parameter more: How much memory it holds besides, in bytes.
    func pauses(with more: Int) -> Bool {
      state.withLock { $0.inbox.pauses(with: more) }
    }

    // MARK: Reading

    func next() async throws -> Bytes? {
      if let ready = try take() { return ready.chunk }
      return try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { wait($0) }
      } onCancel: {
        fail(CancellationError())
      }
    }

    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// What the reader can have without waiting; nil if it must wait.
    private func take() throws -> BodyInbox.Taken? {
      let taken = try state.withLock { try $0.inbox.take() }
      if taken?.resumesEngine == true { engine.post(.receive(self)) }
      return taken
    }

    private func wait(_ reader: BodyInbox.Reader) {
      let result = Result {
        try state.withLock { state in
          let taken = try state.inbox.take(orKeep: reader)
          if taken == nil, let watch = state.watch {
            watchdog.move(watch, to: request.options.idleTimeout)
          }
          return taken
        }
      }
      switch result {
      case .success(let taken?):
        if taken.resumesEngine { engine.post(.receive(self)) }
        reader.resume(returning: taken.chunk)
      case .success(nil): break
      case .failure(let error): reader.resume(throwing: error)
      }
    }

    // MARK: Ending

    func cancel() {
      state.withLock { $0.inbox.discard() }
      fail(CancellationError())
    }

    /// The body has so many bytes: with the last of them it is complete, though the request may not be.
    func expect(_ length: Int64) {
      let (isWhole, watch) = state.withLock { state -> (Bool, Watchdog.Watch?) in
        state.length = length
        guard state.endIfWhole() else { return (false, nil) }
        defer { state.watch = nil }
        return (true, state.watch)
      }
      guard isWhole else { return }
      if let watch { watchdog.remove(watch) }
      upload?.close()
      engine.post(.abandon(self))
    }

    /// The response is complete without content: nothing waits for a request that is still being sent, nor for long for
    /// the end, which over HTTP/2 can come any time after its head.
    func endEarly() {
      let isSending = state.withLock { state in
        guard state.end == nil else { return false }
        if state.isAllSent, let watch = state.watch { watchdog.move(watch, to: request.options.idleTimeout) }
        return !state.isAllSent
      }
      if isSending { cancel() }
    }

    /// Ends the transfer, whatever the engine does.
    func fail(_ error: any Error) {
      let error = finished(error)
      let ended = state.withLock { state -> (before: State, reader: BodyInbox.Served?)? in
        guard state.end == nil else { return nil }
        let before = state
        state.inbox.finish(.failure(error))
        (state.head, state.watch) = (nil, nil)
        return (before, state.inbox.serve())
      }
      guard let (before, reader) = ended else { return }
      if let watch = before.watch { watchdog.remove(watch) }
      upload?.close()
      before.head?.resume(throwing: error)
      reader?.resume()
      engine.post(.abandon(self))
    }

    /// An error of ours that knows whether anything was sent.
    private func finished(_ error: any Error) -> any Error {
      if error is CancellationError { return error }
      var failure = error as? ExchangeError ?? ExchangeError(.requestBody, "\(error)", underlying: error)
      if failure.requestMayHaveBeenSent == nil {
        failure.requestMayHaveBeenSent = state.withLock { $0.isSent }
      }
      return failure
    }

    private func expire() {
      let options = request.options
      switch state.withLock({ $0.phase }) {
      case .waiting: fail(ExchangeError.timeout(.pool, after: options.poolTimeout ?? .zero))
      case .connecting: fail(ExchangeError.timeout(.connect, after: options.connectTimeout ?? .zero))
      case .waitingForHead: fail(ExchangeError.timeout(.head, after: options.headTimeout ?? .zero))
      case .sending, .body: fail(ExchangeError.timeout(.idle, after: options.idleTimeout ?? .zero))
      }
    }
  }
#endif
