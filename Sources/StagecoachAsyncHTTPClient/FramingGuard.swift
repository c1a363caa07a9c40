#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// Filters the input of the HTTP/1.1 parser. It limits what the parser accepts in any amount: empty lines before a
  /// status line, reason phrases and chunk extensions. And it replaces tabs around values by spaces, because the parser
  /// would treat them as a part of the value.
  final class FramingGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The handler that tracks the position of the parser.
    private let responses: ResponseGuard
    private var head = HeadMeter()
    /// Follows chunked content.
    private var chunks: ChunkMeter?

    init(_ responses: ResponseGuard) {
      self.responses = responses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard responses.isInHead || chunks != nil else { return context.fireChannelRead(data) }
      var rest = unwrapInboundIn(data)
      do {
        while responses.isInHead {
          chunks = nil
          let finding = try rest.withUnsafeReadableBytes { try head.add($0, limits: responses.headLimits) }
          for tab in finding.tabs { rest.setInteger(UInt8(ascii: " "), at: rest.readerIndex + tab) }
          // Passed on in one piece if nothing else has to be examined.
          guard let end = finding.end, finding.mayHaveChunks || !rest.beginsFinalHead,
            let part = rest.readSlice(length: end)
          else {
            return context.fireChannelRead(wrapInboundOut(rest))
          }
          let ended = responses.endCount
          context.fireChannelRead(wrapInboundOut(part))
          // The next request may already be written when a response ends. If the rest were passed to the parser
          // separately, it would be taken for the response to that request.
          guard responses.endCount == ended || rest.readableBytes == 0 else {
            throw ResponseGuard.violation("the peer sent bytes after the response")
          }
          if !responses.isInHead, responses.isInChunks { chunks = ChunkMeter() }
          guard rest.readableBytes > 0 else { return }
        }
        try rest.withUnsafeReadableBytes { try chunks?.add($0) }
      } catch {
        context.fireErrorCaught(error)
        return context.close(promise: nil)
      }
      context.fireChannelRead(wrapInboundOut(rest))
    }
  }

  extension ByteBuffer {
    /// Whether a final head begins here, as far as its status code shows; 101 counts as informational.
    var beginsFinalHead: Bool {
      withUnsafeReadableBytes { bytes in
        bytes.count > 9 && bytes.starts(with: "HTTP/1.".utf8) && bytes[9] != UInt8(ascii: "1")
      }
    }
  }
#endif
