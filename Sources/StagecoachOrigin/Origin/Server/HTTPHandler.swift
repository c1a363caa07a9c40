#if Tool
  import NIOCore
  import NIOHTTP1
  import Synchronization

  /// One HTTP/1 connection: takes requests in, one at a time, and hands them to their routes.
  ///
  /// The pipeline handler before it holds back pipelined requests until the answer to the current one is
  /// complete, and stops reading meanwhile.
  final class HTTPHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private let state: OriginState
    private let connection: Int
    private var request: IncomingRequest?
    private var sender: ResponseSender?
    private var pacer: ReadPacer?
    private var lastRead = NIODeadline.now()
    private var idleTimer: Scheduled<Void>?
    private var isReadHeld = false
    private var isOpen = false

    init(_ state: OriginState) {
      self.state = state
      connection = state.acceptedConnections.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func handlerAdded(context: ChannelHandlerContext) {
      isOpen = true
      state.openConnections.wrappingAdd(1, ordering: .relaxed)
      sender = ResponseSender(context, state)
      scheduleIdleCheck(context, after: state.idleTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    private func end() {
      guard isOpen else { return }
      isOpen = false
      state.openConnections.wrappingSubtract(1, ordering: .relaxed)
      idleTimer?.cancel()
      pacer?.cancel()
      sender?.cancel()
      sender = nil
      if let request { record(request, isComplete: false) }
      request = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      lastRead = .now()
      switch unwrapInboundIn(data) {
      case .head(let head): begin(head, context)
      case .body(let part):
        request?.receive(part)
        pacer?.received(part.readableBytes)
      case .end(let trailers): finish(trailers, context)
      }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
      let request = IncomingRequest(head, in: state.configuration, at: lastRead)
      self.request = request
      // HTTP/1.0 has no informational responses (RFC 9110 15.2).
      if head.version != .http1_0, head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
        sender?.send(interim: HTTPResponseHead(version: head.version, status: .continue))
      }
      guard request.route.intake == .slow else { return }
      do {
        let rate = try request.number("rate", default: 65_536, in: UploadRoutes.paces)
        pacer = try ReadPacer(bytesPerSecond: rate, context)
      } catch {
        // The route finds the same mistake in the query and answers with it.
      }
    }

    private func finish(_ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
      guard var request else { return }
      self.request = nil
      pacer?.cancel()
      pacer = nil
      if let trailers { request.trailers = trailers }
      record(request, isComplete: true)
      guard sender?.isEndingResponse != true else {
        // The end of the last response let this request in: answering it right here would let the next one
        // in, and a long pipeline would exhaust the stack.
        context.eventLoop.assumeIsolated().execute { self.answer(request, context) }
        return
      }
      answer(request, context)
    }

    private func answer(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
      let outcome: Outcome
      do {
        outcome = try request.route.answer(request, state)
      } catch {
        outcome = .reply(Reply(error.status, text: error.reason + "\n"))
      }
      switch outcome {
      case .reply(let reply): sender?.send(reply, to: request.head)
      case .hang: break
      case .close: context.close(promise: nil)
      }
    }

    private func record(_ request: IncomingRequest, isComplete: Bool) {
      guard state.configuration.recordsRequests else { return }
      let limit = state.configuration.recordedBodyLimit
      state.log.append(
        RecordedRequest(request, limit: limit, connection: connection, isComplete: isComplete)
      )
    }

    // MARK: Pace and time

    func read(context: ChannelHandlerContext) {
      if let pacer {
        pacer.read()
      } else if context.channel.isWritable {
        context.read()
      } else {
        // Who does not take the answers cannot send more requests.
        isReadHeld = true
      }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      sender?.writabilityChanged()
      if isReadHeld, context.channel.isWritable {
        isReadHeld = false
        context.read()
      }
      context.fireChannelWritabilityChanged()
    }

    private func scheduleIdleCheck(_ context: ChannelHandlerContext, after delay: TimeAmount) {
      idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
        let lastWrite = self.sender?.lastActivity ?? self.lastRead
        let rest = max(self.lastRead, lastWrite) + self.state.idleTimeout - .now()
        if rest <= .zero {
          context.close(promise: nil)
        } else {
          self.scheduleIdleCheck(context, after: rest)
        }
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
#endif
