public import HTTPTypes
public import StagecoachCore

/// One request over an engine that works with callbacks, on threads or on an event loop: the skeleton that all
/// transports share.
///
/// A conforming class keeps a ``TransferState`` under its lock and reports what its engine does. This protocol waits for
/// the head, hands out the body at the pace of its reader, keeps the timeouts of the request, and ends everything once:
///
/// ```swift
/// import Synchronization
///
/// /// An engine: calls back on a thread of its own, and sends what it gets.
/// protocol Line: Sendable {
///   func open(
///     _ request: Request,
///     onHead: @escaping @Sendable (HTTPResponse) -> Void,
///     onChunk: @escaping @Sendable (Bytes) -> Void,
///     onEnd: @escaping @Sendable (Result<Void, any Error>) -> Void
///   )
///   func pause()
///   func resume()
///   func close()
/// }
///
/// final class LineTransfer: EngineTransfer {
///   let request: Request
///   let watchdog: Watchdog
///   let line: any Line
///   let state = Mutex(TransferState<Response>())
///
///   init(_ request: Request, over line: any Line, watchdog: Watchdog) {
///     (self.request, self.line, self.watchdog) = (request, line, watchdog)
///   }
///
///   func withState<Result: Sendable>(
///     _ body: (inout TransferState<Response>) throws -> Result
///   ) rethrows -> Result {
///     try state.withLock { try body(&$0) }
///   }
///
///   func resumeReceiving() { line.resume() }
///   func release() { line.close() }
///
///   func run() {
///     guard didStartSending(over: nil) else { return }
///     line.open(request) { [self] head in
///       didSendRequest()
///       receive(head: Response(head: head, body: Response.Body(source: self)))
///     } onChunk: { [self] chunk in
///       if receive(chunk) { line.pause() }
///     } onEnd: { [self] result in
///       end(result)
///     }
///   }
/// }
///
/// struct LineTransport: Transport {
///   let watchdog = Watchdog(clock: SystemTime())
///   var connect: @Sendable () -> any Line
///
///   func send(_ request: Request) async throws -> Response {
///     let transfer = LineTransfer(request, over: connect(), watchdog: watchdog)
///     return try await transfer.start { transfer.run() }
///   }
/// }
/// ```
///
/// The engine's calls come in order; reading, cancelling and expiring may come from any thread. Transfer and engine hold
/// each other until ``release()``.
public protocol EngineTransfer: BodySource {
  /// The response head as the engine delivers it.
  associatedtype Head: Sendable

  /// The request.
  var request: Request { get }

  /// Runs the timeouts; one for all transfers of a transport.
  var watchdog: Watchdog { get }

  /// Calls a closure with the state, under the lock of the transfer. Nothing is resumed or emitted in it.
  func withState<Result: Sendable>(_ body: (inout TransferState<Head>) throws -> Result) rethrows -> Result

  /// Lets the engine receive again: the reader has made room after ``receive(_:)`` or `inbox.pauses()` returned true.
  ///
  /// Called on the thread of the reader, possibly before the engine has paused. Pass both to the thread of the engine, or
  /// let a call that finds nothing paused cancel the next pause.
  func resumeReceiving()

  /// Releases the engine after the transfer ended, and closes the connection unless the exchange is complete: the `end`
  /// of the state is a success, and its `isRequestSent` is true.
  ///
  /// Called once, by the default ``end(_:)``, possibly before the engine has started. Does nothing by default.
  func release()

  /// Ends the transfer, once. A transport whose engine needs another order implements its own, with
  /// ``TransferState/finish(_:)``.
  func end(_ result: Result<Void, any Error>)

  /// Called when the timeout of the phase has passed; fails with `timeout` by default.
  func expire()
}

extension EngineTransfer {
  /// Starts the transfer, in the phase `waiting` with its `poolTimeout`, and waits for the response head. Cancelling the
  /// task ends the transfer.
  ///
  /// - Parameter launch: Hands the request to the engine and returns soon. An error that it throws ends the transfer. It
  ///   is not called if the task was cancelled before.
  /// - Throws: The error that ended the transfer.
  @inlinable
  public func start(_ launch: () throws -> Void) async throws -> Head {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { launchAndWait($0, launch) }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  /// Not part of `start`, whose frame lives as long as the request waits.
  @inlinable
  @inline(never)
  func launchAndWait(
    _ continuation: UnsafeContinuation<Head, any Error>,
    _ launch: () throws -> Void
  ) {
    // Each transfer ends, which releases the closure: a weak reference would make counting references slower.
    let timeout = TransferState<Head>.Timeout(request.options.poolTimeout, on: watchdog) { self.expire() }
    let error = withState { state -> (any Error)? in
      if case .failure(let error) = state.end { return error }
      state.head = continuation
      state.timeout = timeout
      return nil
    }
    if let error {
      timeout.end()
      return continuation.resume(throwing: error)
    }
    do {
      try launch()
    } catch {
      end(.failure(error))
    }
  }

  // MARK: Sending

  /// Reports that the transfer waits behind others.
  @inlinable
  public func didQueue() {
    let now = request.clock.now
    withState { $0.queue(at: now) }
    request.emit(.connection(.queued))
  }

  /// Reports that the request has its turn, and a connection is made or taken for it.
  ///
  /// - Returns: False if the transfer has ended: ``release()`` was called already, so close what was opened since.
  @inlinable
  public func didStartConnecting() -> Bool {
    let (goesOn, queued) = withState { ($0.enter(.connecting, of: request), $0.queued) }
    if let queued { request.emit(.connection(.dequeued(after: request.clock.now - queued))) }
    return goesOn
  }

  /// Reports that the request has its turn, and may have to wait for others on a shared connection: its timeout goes on.
  ///
  /// - Returns: False if the transfer has ended; see ``didStartConnecting()``.
  @inlinable
  public func didLeaveQueue() -> Bool {
    let (goesOn, queued) = withState { ($0.end == nil, $0.queued) }
    if let queued { request.emit(.connection(.dequeued(after: request.clock.now - queued))) }
    return goesOn
  }

  /// Reports that the request is about to be written.
  ///
  /// - Parameter connection: What is known of the connection; `nil` emits no event.
  /// - Returns: False if the transfer has ended, and nothing must be sent; see ``didStartConnecting()``.
  @inlinable
  @discardableResult
  public func didStartSending(over connection: ConnectionInfo?) -> Bool {
    guard withState({ $0.enter(.sending, of: request) }) else { return false }
    if let connection { request.emit(.connection(.acquired(connection))) }
    return true
  }

  /// Reports how many bytes of the request body were written so far.
  @inlinable
  public func didSend(_ bytes: Int64) {
    withState { state in
      if state.phase == .sending { state.restartTimeout(of: request) }
    }
    request.emit(.requestBodyProgress(bytes: bytes, of: request.body.length))
  }

  /// Reports that the request was written completely.
  @inlinable
  public func didSendRequest() {
    withState { state in
      state.isRequestSent = true
      if state.phase == .sending { state.enter(.waitingForHead, of: request) }
    }
    emitRequestSent()
  }

  @usableFromInline
  func emitRequestSent() {
    request.exchange?.markRequestSent()
    request.emit(.requestSent)
  }

  // MARK: Receiving

  /// Reports an informational response (RFC 9110 15.2). Its event shows no secrets.
  ///
  /// - Parameters:
  ///   - head: Its status and fields.
  ///   - count: How many there were, with this one.
  /// - Throws: `ExchangeError` of kind `limit(.responseHead)` if there were too many.
  public func receive(informational head: HTTPResponse, count: Int) throws {
    request.emit(.informationalResponse(Redaction.head(head)))
    request.options.informationalResponseHandler?(head)
    try request.options.responseHeadLimits.check(informationalResponses: count)
  }

  /// Hands over the response head: once, also for an empty body. A body that is dropped unread cancels the transfer, so
  /// create one body over it and keep no reference, not even in a variable of a task that goes on.
  public func receive(head: Head) {
    let waiting = withState { state in
      state.enter(.receiving, of: request)
      return state.takeHead()
    }
    waiting?.resume(returning: head)
  }

  /// Hands over a chunk of the response body.
  ///
  /// - Returns: Whether the engine must pause until ``resumeReceiving()``, which may come before it has paused.
  public func receive(_ chunk: Bytes) -> Bool {
    let (served, pauses) = withState { state -> (BodyInbox.Served?, Bool) in
      guard state.end == nil else { return (nil, false) }
      state.inbox.append(chunk)
      return (state.serve(), state.inbox.pauses())
    }
    served?.resume()
    return pauses
  }

  // MARK: Reading

  /// The next chunk of the response body.
  @inlinable
  public func next() async throws -> Bytes? {
    if let taken = try withState({ try $0.inbox.take() }) {
      if taken.resumesEngine { resumeReceiving() }
      return taken.chunk
    }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { wait($0) }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  @inlinable
  @inline(never)
  func wait(_ reader: BodyInbox.Reader) {
    let result = Result {
      try withState { state in
        let taken = try state.inbox.take(orKeep: reader)
        // Under the lock, or a chunk that comes meanwhile would lift the limit before it is set.
        if taken == nil { state.restartTimeout(after: request.options.idleTimeout) }
        return taken
      }
    }
    switch result {
    case .success(let taken?):
      if taken.resumesEngine { resumeReceiving() }
      reader.resume(returning: taken.chunk)
    case .success(nil): break
    case .failure(let error): reader.resume(throwing: error)
    }
  }

  /// The trailer fields of the response.
  @inlinable
  public var trailers: HTTPFields? { withState { $0.trailers } }

  // MARK: Ending

  /// Ends the transfer and drops what was not read.
  @inlinable
  public func cancel() {
    withState { $0.inbox.discard() }
    end(.failure(CancellationError()))
  }

  /// Ends the transfer, resumes the tasks that wait for it and releases the engine.
  @inlinable
  public func end(_ result: Result<Void, any Error>) {
    guard let ending = withState({ $0.finish(result) }) else { return }
    ending.resume()
    release()
  }

  /// Does nothing.
  public func release() {}

  /// Fails with the timeout of the phase.
  public func expire() {
    end(.failure(withState { $0.phase }.expiry(of: request.options)))
  }
}
