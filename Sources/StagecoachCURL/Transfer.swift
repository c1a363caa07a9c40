#if CURL
  import HTTPTypes
  import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  /// One request and its response, in the form that tasks use, independent of curl.
  ///
  /// The engine's thread delivers data; reads, cancellation and timeouts come from any thread.
  final class Transfer: EngineTransfer {
    private struct State {
      var transfer = TransferState<[UInt8]>()
      /// The number of received body bytes, and the total length, if known.
      var received: Int64 = 0
      var length: Int64?
      /// Whether the body ends with its length, although curl waits for more.
      var endsAtLength = false
      var connection: ConnectionInfo?

      /// Ends the body if it is complete before the request is sent, for the rest of which nothing waits, or before curl
      /// takes note of its end.
      mutating func endIfWhole() -> TransferEnding<[UInt8]>? {
        guard let length, received >= length, endsAtLength || !transfer.isRequestSent else { return nil }
        return transfer.finish(.success(()))
      }
    }

    let request: Request
    let place: Place
    /// Whose connections it waits for.
    let origin: TargetURI.Origin?
    let trust: Trust?
    /// The content, if a task has to read it.
    let upload: Upload?
    private let engine: Engine
    private let state = Mutex(State())

    /// - Parameter trust: The trust policy for the host; `nil` on plaintext connections.
    init(_ request: Request, to place: Place, trust: Trust?, over engine: Engine) throws {
      self.request = request
      self.place = place
      origin = TargetURI.Origin(request.head)
      self.trust = trust
      self.engine = engine
      let isStreamed = request.body.bytes == nil || request.body.hasTrailers
      // Opened before anything is sent: a body that cannot be sent again fails without network traffic.
      upload = isStreamed ? Upload(try request.body.makeSource()) : nil
    }

    var watchdog: Watchdog { engine.watchdog }

    func withState<Result: Sendable>(
      _ body: (inout TransferState<[UInt8]>) throws -> Result
    ) rethrows -> Result {
      try state.withLock { try body(&$0.transfer) }
    }

    /// Hands the request to the engine and waits for the head of the response.
    func start() async throws -> [UInt8] {
      try await start { engine.post(.start(self)) }
    }

    /// The connection, known once the head has arrived.
    var connection: ConnectionInfo? { state.withLock { $0.connection } }

    func expire() {
      let error = withState { $0.phase }.expiry(of: request.options)
      let proxy = try? engine.configuration.proxy(for: place, place.parts())
      end(.failure(proxy.map { ProxyAnswer(of: $0, to: request.head).named(error) } ?? error))
    }

    func resumeReceiving() { engine.post(.receive(self)) }

    func release() {
      upload?.close()
      engine.post(.abandon(self))
    }

    func fail(_ error: any Error) {
      let isKnown = error is ExchangeError || error is CancellationError
      end(.failure(isKnown ? error : ExchangeError(.requestBody, "\(error)", underlying: error)))
    }

    // MARK: The engine's thread

    /// Called when the request has a place at its origin.
    ///
    /// - Parameter isShared: Whether it may have to wait for others on a shared connection.
    /// - Returns: False if the transfer has already ended.
    func begin(isShared: Bool) -> Bool {
      isShared ? didLeaveQueue() : didStartConnecting()
    }

    /// Called when the connection is ready and nothing is sent yet.
    ///
    /// - Returns: False if nothing must be sent, because the transfer has ended.
    func willSend(over connection: ConnectionInfo) -> Bool {
      let goesOn = state.withLock { state in
        state.connection = connection
        return state.transfer.enter(.sending, of: request)
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

    /// Called when the engine has finished a request that was sent.
    ///
    /// - Parameter isKept: Whether the connection can be reused.
    func didLeaveConnection(isKept: Bool) {
      if !withState({ $0.isRequestSent }) { request.emit(.requestFailed) }
      request.emit(.connection(isKept ? .released : .closed("libcurl does not keep it")))
    }

    /// The data of one turn of the engine's loop.
    struct Delivery {
      var head: [UInt8]?
      var chunks = ByteQueue()
      var end: Result<HTTPFields?, any Error>?

      var isEmpty: Bool { head == nil && chunks.isEmpty && end == nil }
    }

    /// Delivers data to the waiting tasks.
    ///
    /// - Returns: The amount of data that waits for the reader, in bytes.
    func deliver(_ delivery: consuming Delivery) -> Int {
      var waiting: UnsafeContinuation<[UInt8], any Error>?
      var served: BodyInbox.Served?
      let (head, end) = (delivery.head, delivery.end)
      let (count, ending) = state.withLock { state -> (Int, TransferEnding<[UInt8]>?) in
        guard state.transfer.end == nil else { return (0, nil) }
        if head != nil {
          waiting = state.transfer.takeHead()
          state.transfer.enter(.receiving, of: request)
        }
        state.received += Int64(delivery.chunks.count)
        state.transfer.inbox.append(contentsOf: delivery.chunks)
        var ending: TransferEnding<[UInt8]>?
        if let end {
          if case .success(let trailers) = end { state.transfer.trailers = trailers }
          ending = state.transfer.finish(end.map { _ in })
        } else {
          ending = state.endIfWhole()
        }
        if ending == nil { served = state.transfer.serve() }
        return (state.transfer.inbox.footprint, ending)
      }
      if let head { waiting?.resume(returning: head) }
      if let ending {
        upload?.close()
        ending.resume()
        if end == nil { engine.post(.abandon(self)) }
      }
      if served?.resumesEngine == true { resumeReceiving() }
      served?.resume()
      return count
    }

    /// Whether the engine must pause until the reader has made room.
    ///
    /// - Parameter more: The amount of data that the engine holds besides, in bytes.
    func pauses(with more: Int) -> Bool {
      withState { $0.inbox.pauses(with: more) }
    }

    // MARK: The end of the response

    /// Makes the body end with its length: curl would wait for the end of the connection.
    func endAtLength() { state.withLock { $0.endsAtLength = true } }

    /// Sets the length of the body, which is complete with its last byte even if the request is not.
    func expect(_ length: Int64) {
      let ending = state.withLock { state in
        state.length = length
        return state.endIfWhole()
      }
      guard let ending else { return }
      ending.resume()
      release()
    }

    /// Ends a response without content. It does not wait for the rest of a request, nor for long for the end of the
    /// stream, which over HTTP/2 can come any time after the head.
    func endEarly() {
      let endsNow = state.withLock { state in
        guard state.transfer.end == nil else { return false }
        if state.endsAtLength || !state.transfer.isRequestSent { return true }
        state.transfer.restartTimeout(after: request.options.idleTimeout)
        return false
      }
      if endsNow { cancel() }
    }
  }
#endif
