#if Tool
  import NIOCore
  import NIOHTTP1

  /// Ends a connection whose client is too slow: to send a head, to send the content of a request, or to read a response.
  ///
  /// Only time in which the server waits for the client counts. A client that sends content too slowly is answered with
  /// 408 (RFC 9110 15.5.9), as far as no response has begun; one that reads too slowly is reset.
  final class ClientPace: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    /// A number of octets, counted from or taken at an instant.
    private struct Window {
      var start = NIODeadline.now()
      var count = 0
    }

    private let limits: HandlerLimits
    /// The requests without a complete response.
    private var openCount = 0
    /// The end of the time for a head, or for the rest of a request after its response.
    private var deadline: NIODeadline
    private var timer: Scheduled<Void>?
    /// Whether the content of a request is being received.
    private var isReceiving = false
    /// Whether the client may wait for 100 before it sends the content.
    private var awaitsContinue = false
    /// Whether the connection is read: otherwise what the client has sent waits for the server.
    private var isReading = false
    private var content = Window()
    /// The octets of content given to the connection.
    private var written = 0
    /// The octets that had left the connection at an instant; `nil` while the client keeps up.
    private var reading: Window?

    init(_ limits: HandlerLimits) {
      self.limits = limits
      deadline = .now() + TimeAmount(limits.headTime)
    }

    func handlerAdded(context: ChannelHandlerContext) {
      let interval = TimeAmount(min(limits.headTime, limits.contentTime, limits.readTime) / 4)
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: interval) {
        guard self.check(context) else { return }
        self.handlerAdded(context: context)
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    // MARK: What passes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        openCount += 1
        deadline = .distantFuture
        isReceiving = true
        awaitsContinue = head.version == .http1_1 && head.headers.contains(name: "Expect")
        content = Window()
      case .body(let buffer):
        content.count += buffer.readableBytes
        awaitsContinue = false
      case .end:
        isReceiving = false
        if openCount <= 0 { startHead() }
      }
      context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
      isReading = true
      context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      isReading = false
      context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      switch unwrapOutboundIn(data) {
      case .head(let head):
        guard head.status.code == 100 else { break }
        awaitsContinue = false
        content = Window()
      case .body(.byteBuffer(let buffer)): written += buffer.readableBytes
      case .body: break
      case .end:
        openCount -= 1
        if openCount <= 0 { startHead() }
      }
      context.write(data, promise: promise)
    }

    private func startHead() { deadline = .now() + TimeAmount(limits.headTime) }

    // MARK: The check

    /// - Returns: Whether the connection goes on.
    private func check(_ context: ChannelHandlerContext) -> Bool {
      let now = NIODeadline.now()
      guard now <= deadline else {
        context.close(promise: nil)
        return false
      }
      guard !readsTooSlowly(context, now) else {
        // In a way that no client takes for the end of the content.
        _ = context.channel.resetOnClose()
        context.close(promise: nil)
        return false
      }
      if sendsTooSlowly(now) {
        isReceiving = false
        context.fireErrorCaught(Refusal(.requestTimeout, "the content of the request came too slowly"))
      }
      return true
    }

    private func sendsTooSlowly(_ now: NIODeadline) -> Bool {
      guard isReceiving, isReading, !awaitsContinue else {
        content = Window()
        return false
      }
      guard now - content.start >= TimeAmount(limits.contentTime) else { return false }
      defer { content = Window() }
      return content.count < limits.octets(in: limits.contentTime)
    }

    private func readsTooSlowly(_ context: ChannelHandlerContext, _ now: NIODeadline) -> Bool {
      let channel = context.channel
      guard !channel.isWritable else {
        reading = nil
        return false
      }
      let buffered = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
      let left = Window(start: now, count: written - (buffered ?? 0))
      let before = reading ?? left
      guard now - before.start >= TimeAmount(limits.readTime) else {
        reading = before
        return false
      }
      reading = left
      return left.count - before.count < limits.octets(in: limits.readTime)
    }
  }
#endif
