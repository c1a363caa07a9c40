#if Tool
  import NIOCore
  import NIOHTTP1

  /// Closes a connection whose client takes too long for a head or for the content of a request, however steadily it
  /// sends.
  final class HeadDeadline: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    /// The time for a head, since the connection or the last response, and for the rest of a request after its response.
    private static let headTime = TimeAmount.seconds(60)
    /// The time for content.
    private static let contentTime = TimeAmount.hours(1)
    private static let interval = TimeAmount.seconds(5)

    /// The requests without a complete response.
    private var openCount = 0
    private var deadline = NIODeadline.now() + headTime
    private var timer: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) {
        guard NIODeadline.now() <= self.deadline else { return context.close(promise: nil) }
        self.handlerAdded(context: context)
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head:
        openCount += 1
        deadline = .now() + Self.contentTime
      case .body: break
      case .end: deadline = openCount > 0 ? .distantFuture : .now() + Self.headTime
      }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) {
        openCount -= 1
        if openCount <= 0 { deadline = .now() + Self.headTime }
      }
      context.write(data, promise: promise)
    }
  }
#endif
