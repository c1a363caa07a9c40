#if AsyncHTTPClient
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import StagecoachCore

  /// Refuses heads on a stream of HTTP/2 that the codec behind it does not survive, or makes something else of.
  ///
  /// A status that is no number of three digits (RFC 9110 15) ends the process, in the codec or where a value is made of
  /// it. And of an informational response that ends its stream, which is malformed (RFC 9113 8.1), the codec passes the
  /// head on and drops the end, so that a final head would be waited for.
  final class StreamHeadGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .headers(let head) = unwrapInboundIn(data), let reason = Self.violation(of: head) else {
        return context.fireChannelRead(data)
      }
      context.fireErrorCaught(ExchangeError(.protocolViolation, reason))
      context.close(promise: nil)
    }

    /// What is wrong with a head; nil for trailers, which have no status.
    private static func violation(of head: HTTP2Frame.FramePayload.Headers) -> String? {
      for status in head.headers[":status"] {
        guard status.utf8.count == 3, status.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return "the peer sent the status \(status.prefix(16)), which is none (RFC 9110 15)"
        }
        if head.endStream, status.hasPrefix("1") { return "the peer ended a response before its final head" }
      }
      return nil
    }
  }
#endif
