#if AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import StagecoachTransportKit

  /// Protects the engine on a channel: it stops responses that would crash the process or block the engine, and informs
  /// the connection when requests may be written.
  ///
  /// The engine treats every status below 200 except 101 as informational; the end of a response, or content, without
  /// another head then crashes the process (`HTTPRequestStateMachine.receivedHTTPResponseEnd`). So a status below 100
  /// is refused, and so is a response that ends before its final head, or whose end is ambiguous.
  ///
  /// The engine also cannot end a response whose request is still being sent. Over HTTP/2 it forgets the request, and
  /// the next event on the stream crashes the process (`HTTP2ClientRequestHandler.run`); over HTTP/1 its delegate may
  /// never learn of the end, and the connection stays in use (`RequestBag.StateMachine.receiveResponseEnd`). So such an
  /// end is passed on as content of no bytes, on which ``Transfer`` ends the exchange, and nothing else is passed on
  /// after it.
  ///
  /// Data that the engine would lose or change is converted: trailer fields are passed as content that carries them,
  /// targets that its URL type would change as a field, and octets of values that are not UTF-8 as escapes.
  final class ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private enum State {
      case waitingForHead, body
      /// The response is complete or refused; further input is ignored.
      case ended
    }

    /// The maximum number of bytes of a response held until its request ends; a head counts as `headSize`.
    private static let heldLimit = 64 * 1024
    private static let headSize = 4 * 1024
    /// The maximum time that a response is held. A request end that is not written by then may itself wait for the
    /// response.
    private static let longestWait = TimeAmount.milliseconds(200)

    private var state = State.waitingForHead
    /// Whether a request has begun and its end is not yet written.
    private var isSending = false
    /// The number of missing content bytes of the request, if its length was declared.
    private var missing: Int?
    /// The parts that arrived after all content of a request was written and before its end, which follows at once.
    private var held: [NIOAny] = []
    private var heldCount = 0
    /// Ends the wait for the end of a request.
    private var patience: Scheduled<Void>?
    private let connection: EngineConnection?
    /// The transfer of the awaited response, if known.
    weak var transfer: Transfer?
    private var informationalCount = 0
    /// The trailer fields of the request.
    private var requestTrailers: HTTPHeaders?
    /// Whether the preceding parser has not reached the end of an expected head.
    private(set) var isInHead = false
    /// Whether the preceding parser is in the trailer section of a response.
    var isInTrailers = false
    /// Whether a request has begun whose response is not complete.
    private(set) var isAwaited = false
    /// The number of complete responses.
    private(set) var endCount = 0
    /// The number of octets of content of the last response.
    private(set) var contentCount = 0
    /// A defect of the current response that its parser refuses without a useful description.
    var defect: String?
    /// Restores escaped octets behind the encoder; `nil` until a request needs it.
    private var outgoing: OctetRestorer?
    /// Whether the request was refused. Its parts are dropped.
    private var isRefused = false
    /// Whether the content of the last head is chunked.
    private(set) var isInChunks = false

    /// Whether the preceding parser is inside a head or a trailer section.
    var isInFields: Bool { isInHead || isInTrailers }

    /// The limits for the parts of the response outside its body.
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
      guard !isRefused else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      switch unwrapOutboundIn(data) {
      case .head(var head):
        isSending = true
        isInHead = true
        isAwaited = true
        defect = nil
        missing = head.method == .GET ? nil : head.headers.first(name: "Content-Length").flatMap { Int($0) }
        requestTrailers = nil
        if state == .ended { state = .waitingForHead }
        if let hasEscapes = EngineRequests.restoreTarget(of: &head) {
          if hasEscapes, !restoresNext(context) { return refuse(promise, context, isSent: false) }
          data = wrapOutboundOut(.head(head))
        }
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
        if let requestTrailers {
          if requestTrailers.contains(where: { FieldOctets.hasEscapes($0.value) }), !restoresNext(context) {
            return refuse(promise, context, isSent: true)
          }
          data = wrapOutboundOut(.end(requestTrailers))
        }
      }
      context.write(data, promise: promise)
      // Deferred, because the engine is writing.
      if !isSending, !held.isEmpty { context.eventLoop.assumeIsolated().execute { self.release(context) } }
    }

    /// Prepares the restoring of the escaped octets of the next part, behind the encoder.
    ///
    /// - Returns: Whether that is possible: over HTTP/2 it is not.
    private func restoresNext(_ context: ChannelHandlerContext) -> Bool {
      let pipeline = context.pipeline.syncOperations
      if outgoing == nil, let encoder = try? pipeline.handler(type: HTTPRequestEncoder.self) {
        let restorer = OctetRestorer()
        guard (try? pipeline.addHandler(restorer, position: .before(encoder))) != nil else { return false }
        outgoing = restorer
      }
      outgoing?.restoresNext = true
      return outgoing != nil
    }

    /// Fails a request with field values that cannot be sent.
    ///
    /// - Parameter isSent: Whether a part of the request was sent.
    private func refuse(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext, isSent: Bool) {
      isRefused = true
      var error = ExchangeError(
        .unsupported,
        "AsyncHTTPClient cannot send a field value over HTTP/2 that is not UTF-8, or holds U+10FF80 to U+10FFFF",
        advice: "encode the value, or use HTTP/1.1 or another transport"
      )
      error.requestMayHaveBeenSent = isSent
      promise?.fail(error)
      // Deferred, because the engine is writing.
      context.eventLoop.assumeIsolated().execute { self.fail(error, context) }
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
      // Unwrapped once, because unwrapping needs a dynamic cast.
      var part = unwrapInboundIn(data)
      switch part {
      case .head(var head):
        isInHead = head.isInformational
        contentCount = 0
        // Blanks around values are malformed in HTTP/2 (RFC 9113 8.2.1).
        if head.version.major == 1, head.headers.trimValues() {
          part = .head(head)
          data = wrapInboundOut(part)
        }
        isInChunks = head.headers.first(name: "Transfer-Encoding")?.lowercased() == "chunked"
      case .body(let bytes): contentCount += bytes.readableBytes
      case .end:
        (isInHead, isInTrailers, isAwaited) = (false, false, false)
        endCount += 1
      }
      guard state != .ended else { return }
      // A response is not early if only the end of its request is missing, which the engine writes a moment later; its
      // connection must be kept.
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
          let reason = "invalid status code \(head.status.code) (RFC 9110 15)"
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
              try transfer.receive(informational: HTTPResponse(head), count: informationalCount)
            } else {
              try ResponseHeadLimits().check(informationalResponses: informationalCount)
            }
          } catch {
            return fail(error, context)
          }
        }
      case (.body, .waitingForHead), (.end, .waitingForHead):
        return fail(Self.violation("the peer ended a response before its final head"), context)
      case (.body(let bytes), .body):
        // Content of no bytes marks an early end.
        guard bytes.readableBytes > 0 else { return }
      case (.end(let trailers), .body):
        // The next transfer may be unknown.
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
      if let defect, let parserError = error as? HTTPParserError, parserError != .invalidEOFState,
        parserError != .headerOverflow
      {
        return context.fireErrorCaught(Self.defective(defect, parserError))
      }
      context.fireErrorCaught(connection?.isOfUnseenStream(error) == true ? Self.unseen : error)
    }

    private static func defective(_ defect: String, _ error: HTTPParserError) -> ExchangeError {
      ExchangeError(
        .protocolViolation,
        "AsyncHTTPClient cannot read a response with \(defect)",
        advice: "repair the server, or use another transport, such as CURL",
        underlying: error
      )
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
    /// Whether another head follows; 101 is final (RFC 9110 15.2.2).
    fileprivate var isInformational: Bool { status.code < 200 && status != .switchingProtocols }
  }
#endif
