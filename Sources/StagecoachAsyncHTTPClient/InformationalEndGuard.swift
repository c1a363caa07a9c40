#if AsyncHTTPClient
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import Stagecoach

  /// Refuses an informational response that ends its stream of HTTP/2, which is malformed (RFC 9113 8.1): the codec
  /// passes the head on and drops the end, so that a final head would be waited for.
  final class InformationalEndGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .headers(let head) = unwrapInboundIn(data), head.endStream,
        head.headers.first(name: ":status")?.hasPrefix("1") == true
      else { return context.fireChannelRead(data) }
      let error = ExchangeError(.protocolViolation, "the peer ended a response before its final head")
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }
#endif
