#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// Filters the input of the HTTP/1.1 parser.
  ///
  /// It limits what the parser accepts in any amount: empty lines before a status line, reason phrases and chunk
  /// extensions. It replaces tabs around values by spaces, because the parser would treat them as a part of the value.
  /// And it closes a connection on which anything arrives beside the awaited response: in the parser, an unfinished head
  /// would become the start of the next response.
  final class FramingGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The handler that tracks the position of the parser.
    private let responses: ResponseGuard
    private var head = HeadMeter()
    /// Follows chunked content.
    private var chunks: ChunkMeter?
    /// The number of octets that followed the last head, if its content is not chunked.
    private var contentCount = 0
    /// Whether the connection is being closed. Further input is dropped.
    private var isClosed = false

    init(_ responses: ResponseGuard) {
      self.responses = responses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !isClosed else { return }
      let bytes = unwrapInboundIn(data)
      guard bytes.readableBytes > 0 else { return }
      do {
        guard responses.isAwaited else {
          throw ResponseGuard.violation("the peer sent bytes that no request asked for")
        }
        try receive(bytes, context)
      } catch {
        isClosed = true
        context.fireErrorCaught(error)
        context.close(promise: nil)
      }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) throws {
      var rest = bytes
      while responses.isInHead {
        (chunks, contentCount) = (nil, 0)
        let finding = try rest.withUnsafeReadableBytes { try head.add($0, limits: responses.headLimits) }
        for tab in finding.tabs { rest.setInteger(UInt8(ascii: " "), at: rest.readerIndex + tab) }
        if let defect = finding.defect { responses.defect = defect }
        // Passed on in one piece if nothing else has to be examined.
        guard let end = finding.end, finding.mayHaveChunks || !rest.beginsFinalHead,
          let part = rest.readSlice(length: end)
        else {
          return try pass(
            rest,
            withContent: rest.readableBytes - (finding.end ?? rest.readableBytes),
            context
          )
        }
        try pass(part, before: rest.readableBytes, context)
        if !responses.isInHead, responses.isInChunks { chunks = ChunkMeter() }
        guard rest.readableBytes > 0 else { return }
      }
      guard chunks != nil else { return try pass(rest, withContent: rest.readableBytes, context) }
      try receiveChunks(rest, context)
    }

    private func receiveChunks(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) throws {
      var rest = bytes
      let finding = try rest.withUnsafeReadableBytes { try chunks?.add($0) } ?? ChunkMeter.Finding()
      if let defect = chunks?.defect { responses.defect = defect }
      let beyond = rest.readableBytes - (finding.end ?? rest.readableBytes)
      // In one piece if there are no trailer fields.
      if let start = finding.trailers, finding.end.map({ $0 - start > 2 }) ?? true {
        if let content = rest.readSlice(length: start) {
          try pass(content, before: rest.readableBytes, context)
        }
        responses.isInTrailers = true
      }
      guard let part = rest.readSlice(length: rest.readableBytes - beyond), part.readableBytes > 0 else {
        return
      }
      try pass(part, before: beyond, context)
      if beyond > 0 { throw Self.surplus }
    }

    /// Passes a part of the input on.
    ///
    /// - Parameter count: The number of octets that follow in the input. The next request may already be written when a
    ///   response ends: if they were passed on separately, they would be taken for the response to that request.
    private func pass(_ part: ByteBuffer, before count: Int, _ context: ChannelHandlerContext) throws {
      let ended = responses.endCount
      context.fireChannelRead(wrapInboundOut(part))
      if responses.endCount != ended, count > 0 { throw Self.surplus }
    }

    /// Passes on the rest of the input, of which the last octets are content that is not chunked.
    private func pass(_ rest: ByteBuffer, withContent count: Int, _ context: ChannelHandlerContext) throws {
      let ended = responses.endCount
      contentCount += count
      context.fireChannelRead(wrapInboundOut(rest))
      if responses.endCount != ended, contentCount > responses.contentCount { throw Self.surplus }
    }

    /// It reaches only a request that was already written to the connection, which is not to blame for it.
    private static var surplus: ExchangeError {
      ExchangeError(
        .connectionReset,
        "the connection was closed: the peer sent bytes after an earlier response"
      )
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
