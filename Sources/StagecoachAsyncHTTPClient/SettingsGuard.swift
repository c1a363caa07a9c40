#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP2

  /// Delays a change of the concurrent stream limit on an idle HTTP/2 connection until something arrives on its next
  /// stream.
  ///
  /// On such a change the engine's pool starts its idle timer a second time (AsyncHTTPClient 1.37
  /// HTTPConnectionPool.swift, scheduleIdleTimerForConnection), which crashes a process compiled with assertions. The
  /// limit is still observed: the frame has passed NIO's own handler, which delays streams beyond it. The first
  /// SETTINGS frame, which makes the connection known to the pool, arrives before this handler is added.
  final class SettingsGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private var openStreams = 0
    private var held: HTTP2Setting?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if openStreams > 0 {
        if let setting = held { forward([setting], context) }
        held = nil
      } else if case .settings(.settings(let settings)) = unwrapInboundIn(data).payload {
        held = settings.last { $0.parameter == .maxConcurrentStreams } ?? held
        return forward(settings.filter { $0.parameter != .maxConcurrentStreams }, context)
      }
      context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is NIOHTTP2StreamCreatedEvent { openStreams += 1 }
      if event is StreamClosedEvent { openStreams -= 1 }
      context.fireUserInboundEventTriggered(event)
    }

    private func forward(_ settings: HTTP2Settings, _ context: ChannelHandlerContext) {
      context.fireChannelRead(
        wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: .settings(.settings(settings))))
      )
    }
  }
#endif
