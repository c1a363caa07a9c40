#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// Stands in front of the engine on a channel: keeps from it the responses that would end the process or leave it
  /// waiting, and lets the connection know when requests may be written.
  ///
  /// To the engine every status below 200 but 101 is informational; the end of a response, or content, without
  /// another head then stops the process (`HTTPRequestStateMachine.receivedHTTPResponseEnd`). So a status below
  /// 100 is refused, and so is a response that ends before its final head came, or whose end is not certain.
  ///
  /// Nor can the engine end a response whose request is still being sent. Over HTTP/2 it forgets the request, and what
  /// happens on the stream next stops the process (`HTTP2ClientRequestHandler.run`); over HTTP/1 its delegate may never
  /// hear of the end, and the connection stays taken (`RequestBag.StateMachine.receiveResponseEnd`). So such an end is
  /// told as content of no bytes, on which ``Transfer`` ends the exchange, and nothing else is passed on after it.
  ///
  /// What the engine would lose or change passes it in another form: trailer fields as content that carries them, and
  /// targets that its URL type would change as a field.
  final class ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private enum State {
      case waitingForHead, body
      /// The response is complete, or refused: what comes is of no use any more.
      case ended
    }

    /// How much of a response waits for the end of its request, in bytes, heads counted as this many.
    private static let heldLimit = 64 * 1024
    private static let headSize = 4 * 1024
    /// How long it waits: an end that is not written by then needs something else first, maybe the response.
    private static let longestWait = TimeAmount.milliseconds(200)

    private var state = State.waitingForHead
    /// Whether a request was begun and its end not yet written.
    private var isSending = false
    /// How many bytes of the request's content are missing, where its length was declared.
    private var missing: Int?
    /// What came after all content of a request was written, and before its end, which follows at once.
    private var held: [NIOAny] = []
    private var heldCount = 0
    /// Ends the wait for the end of a request that does not follow at once.
    private var patience: Scheduled<Void>?
    private let connection: EngineConnection?
    /// Whose response is waited for, where that is known.
    weak var transfer: Transfer?
    private var informationalCount = 0
    /// What follows the content of the request.
    private var requestTrailers: HTTPHeaders?
    /// Whether the parser in front has yet to come to the end of a head that was asked for.
    private(set) var isInHead = false
    /// How many responses came to their end.
    private(set) var endCount = 0
    /// Whether the content of the last head is in chunks.
    private(set) var isInChunks = false

    /// How much of the response may come beside its content.
    var headLimits: ResponseHeadLimits {
      transfer?.request.options.responseHeadLimits ?? ResponseHeadLimits()
    }

    init(_ connection: EngineConnection?) {
      self.connection = connection
    }

    func channelActive(context: ChannelHandlerContext) {
      guard let connection else { return context.fireChannelActive() }
      connection.whileServing(self) { context.fireChannelActive() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      guard state != .ended else { return }
      guard let connection else { return context.fireChannelWritabilityChanged() }
      connection.whileServing(self) { context.fireChannelWritabilityChanged() }
    }

    // MARK: The request

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      var data = data
      switch unwrapOutboundIn(data) {
      case .head(var head):
        isSending = true
        isInHead = true
        missing = head.method == .GET ? nil : head.headers.first(name: "Content-Length").flatMap { Int($0) }
        requestTrailers = nil
        if state == .ended { state = .waitingForHead }
        if EngineRequests.restoreTarget(of: &head) { data = wrapOutboundOut(.head(head)) }
      case .body(.byteBuffer(let part)):
        if let fields = part.carriedFields {
          requestTrailers = fields
          promise?.succeed()
          return
        }
        missing = missing.map { $0 - part.readableBytes }
      case .body: break
      case .end:
        isSending = false
        if let requestTrailers { data = wrapOutboundOut(.end(requestTrailers)) }
      }
      context.write(data, promise: promise)
      // Not while the engine writes.
      if !isSending, !held.isEmpty { context.eventLoop.assumeIsolated().execute { self.release(context) } }
    }

    private func release(_ context: ChannelHandlerContext) {
      guard !held.isEmpty else { return }
      patience?.cancel()
      patience = nil
      let parts = held
      held = []
      heldCount = 0
      for part in parts { receive(part, unwrapInboundIn(part), context) }
      context.fireChannelReadComplete()
    }

    // MARK: The response

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var data = data
      // Unwrapped once: it takes a dynamic cast.
      var part = unwrapInboundIn(data)
      switch part {
      case .head(var head):
        isInHead = head.isInformational
        // In HTTP/2 they are malformed (RFC 9113 8.2.1).
        if head.version.major == 1, head.headers.trimValues() {
          part = .head(head)
          data = wrapInboundOut(part)
        }
        isInChunks = head.headers.first(name: "Transfer-Encoding")?.lowercased() == "chunked"
      case .body: break
      case .end:
        isInHead = false
        endCount += 1
      }
      guard state != .ended else { return }
      // The response to a request that is complete but for its end, which the engine writes a moment later, is no early
      // one: its connection is to be kept.
      let waits = isSending && missing == 0 && heldCount < Self.heldLimit
      guard waits || !isSending && !held.isEmpty else {
        release(context)
        return receive(data, part, context)
      }
      if case .body(let bytes) = part {
        heldCount += bytes.readableBytes
      } else {
        heldCount += Self.headSize
      }
      held.append(data)
      guard patience == nil else { return }
      patience = context.eventLoop.assumeIsolated().scheduleTask(in: Self.longestWait) {
        self.missing = nil
        self.release(context)
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      patience?.cancel()
    }

    private func receive(_ data: NIOAny, _ part: HTTPClientResponsePart, _ context: ChannelHandlerContext) {
      switch (part, state) {
      case (_, .ended): return
      case (.head(let head), _):
        guard head.status.code >= 100 else {
          let reason = "the peer sent the status \(head.status.code), which is none (RFC 9110 15)"
          return fail(Self.violation(reason), context)
        }
        if let error = head.framingError { return fail(error, context) }
        if !head.isInformational {
          state = .body
          informationalCount = 0
        } else {
          informationalCount += 1
          do {
            if let transfer {
              try transfer.didReceiveInformational(head, number: informationalCount)
            } else {
              try ResponseHeadLimits().checkInformational(number: informationalCount)
            }
          } catch {
            return fail(error, context)
          }
        }
      case (.body, .waitingForHead), (.end, .waitingForHead):
        return fail(Self.violation("the peer ended a response before its final head"), context)
      case (.body(let bytes), .body):
        // Content of no bytes has a meaning of its own.
        guard bytes.readableBytes > 0 else { return }
      case (.end(let trailers), .body):
        // Of the next one nothing may be known.
        transfer = nil
        if let trailers, !trailers.isEmpty {
          context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(carrying: trailers))))
        }
        guard !isSending else {
          state = .ended
          return context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
        }
        state = .waitingForHead
      }
      context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      release(context)
      guard state != .ended else { return }
      context.fireErrorCaught(connection?.isOfUnseenStream(error) == true ? Self.unseen : error)
    }

    func channelInactive(context: ChannelHandlerContext) {
      release(context)
      guard state != .ended || !isSending else { return }
      context.fireChannelInactive()
    }

    private static var unseen: ExchangeError {
      var error = ExchangeError(
        .connectionReset,
        "the peer is closing its connection, and has not looked at the request"
      )
      error.requestMayHaveBeenSent = false
      return error
    }

    static func violation(_ reason: String) -> ExchangeError {
      ExchangeError(.protocolViolation, reason)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
      state = .ended
      isSending = false
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  extension HTTPResponseHead {
    /// Whether another head follows: 101 is final (RFC 9110 15.2.2).
    fileprivate var isInformational: Bool { status.code < 200 && status != .switchingProtocols }
  }
#endif
