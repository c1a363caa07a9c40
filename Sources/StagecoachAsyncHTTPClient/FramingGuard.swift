#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// Stands in front of the parser of HTTP/1.1, bounds what that takes any amount of, which is empty lines before a status
  /// line, reason phrases and extensions of chunks, and makes spaces of tabs that it would take for a part of a value.
  final class FramingGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Knows what the parser has come to.
    private let responses: ResponseGuard
    private var head = HeadMeter()
    /// Follows the content, where that is in chunks.
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
          // In one piece where nothing else has to be looked at.
          guard let end = finding.end, finding.mayHaveChunks || !rest.beginsFinalHead,
            let part = rest.readSlice(length: end)
          else {
            return context.fireChannelRead(wrapInboundOut(rest))
          }
          let ended = responses.endCount
          context.fireChannelRead(wrapInboundOut(part))
          // At the end of a response the next request may have been written already: given to the parser apart, the rest
          // would pass for the response to that.
          guard responses.endCount == ended || rest.readableBytes == 0 else {
            throw ResponseGuard.violation("the peer sent more than a response")
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
    /// Whether a head begins here that no other head follows, as far as its code tells: 101 is not told apart.
    var beginsFinalHead: Bool {
      withUnsafeReadableBytes { bytes in
        bytes.count > 9 && bytes.starts(with: "HTTP/1.".utf8) && bytes[9] != UInt8(ascii: "1")
      }
    }
  }
#endif
