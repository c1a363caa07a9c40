#if AsyncHTTPClient
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import StagecoachCore

  /// Refuses heads on an HTTP/2 stream that the following codec does not handle.
  ///
  /// A status that is not a number of three digits (RFC 9110 15) crashes the process, in the codec or when a value is
  /// made of it. For an informational response that ends its stream, which is malformed (RFC 9113 8.1), the codec
  /// passes the head on and drops the end, so the transfer would wait for a final head.
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

    /// Returns a description of a malformed head; `nil` for a valid head and for trailers, which have no status.
    private static func violation(of head: HTTP2Frame.FramePayload.Headers) -> String? {
      for status in head.headers[":status"] {
        guard status.utf8.count == 3, status.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return "invalid status code \(status.prefix(16)) (RFC 9110 15)"
        }
        if head.endStream, status.hasPrefix("1") { return "the peer ended a response before its final head" }
      }
      return nil
    }
  }
#endif
