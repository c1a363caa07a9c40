#if AsyncHTTPClient
  import NIOCore

  /// Makes UTF-8 of the lines of a head that are Latin-1, which old servers send (RFC 9110 5.5).
  ///
  /// The parser behind it makes strings of values, in which octets that are no UTF-8 become U+FFFD
  /// (`HTTPDecoder.didReceiveHeaderValue`).
  final class HeadText: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How much of a line is held until its end comes, in bytes: more than the parser takes.
    private static let heldLimit = 128 * 1024

    /// Knows whether the parser is inside of a head.
    private let responses: ResponseGuard
    /// A line from its first octet beyond ASCII, until its end comes.
    private var held = ByteBuffer()

    init(_ responses: ResponseGuard) {
      self.responses = responses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard responses.isInHead else { return context.fireChannelRead(data) }
      var rest = unwrapInboundIn(data)
      if held.readableBytes == 0, rest.hasHeadInASCII { return context.fireChannelRead(data) }
      let ended = responses.endCount
      while rest.readableBytes > 0 {
        guard let part = nextPart(of: &rest) else { return }
        context.fireChannelRead(wrapInboundOut(part))
        // The body is left as it is. At the end of a response the next request may have been written already.
        guard responses.isInHead, responses.endCount == ended else { break }
      }
      guard rest.readableBytes > 0 else { return }
      guard responses.endCount == ended else {
        // Given to the parser apart, it would pass for the response to the next request.
        context.fireErrorCaught(ResponseGuard.violation("the peer sent more than a response"))
        return context.close(promise: nil)
      }
      context.fireChannelRead(wrapInboundOut(rest))
    }

    /// What the parser may have next: all before the first octet beyond ASCII, or from there to the end of the line.
    ///
    /// - Returns: Nil if the end of the line has not come yet.
    private func nextPart(of rest: inout ByteBuffer) -> ByteBuffer? {
      if held.readableBytes == 0 {
        let count = rest.bytesBeforeOctetBeyondASCII
        guard count == 0 else { return rest.readSlice(length: count) }
      }
      let line = rest.readableBytesView.firstIndex(of: 0x0a).map { $0 - rest.readerIndex + 1 }
      var part = rest.readSlice(length: line ?? rest.readableBytes) ?? ByteBuffer()
      held.writeBuffer(&part)
      guard line != nil || held.readableBytes > Self.heldLimit else { return nil }
      defer { held = ByteBuffer() }
      return held.transcodedFromLatin1
    }

    func channelInactive(context: ChannelHandlerContext) {
      if held.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(held)) }
      held = ByteBuffer()
      context.fireChannelInactive()
    }
  }

  extension ByteBuffer {
    fileprivate var bytesBeforeOctetBeyondASCII: Int {
      withUnsafeReadableBytes { bytes in
        var start = 0
        // Eight at a time: the start of the body is looked through as well.
        while start + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          start += 8
        }
        return bytes[start...].firstIndex { $0 >= 0x80 } ?? bytes.count
      }
    }

    /// Whether nothing is beyond ASCII but what follows a final head that begins here, so that all of it can stay in one
    /// piece.
    fileprivate var hasHeadInASCII: Bool {
      let count = bytesBeforeOctetBeyondASCII
      guard count < readableBytes else { return true }
      guard beginsFinalHead else { return false }
      return withUnsafeReadableBytes { bytes in
        var line = 0
        while let end = bytes[line..<count].firstIndex(of: 0x0a) {
          if end == line || end == line + 1 && bytes[line] == 0x0d { return true }
          line = end + 1
        }
        return false
      }
    }

    /// The same if it is UTF-8.
    fileprivate var transcodedFromLatin1: ByteBuffer {
      withUnsafeReadableBytes { bytes in
        guard String(validating: bytes, as: UTF8.self) == nil else { return self }
        return ByteBuffer(string: String(decoding: bytes.map(UInt16.init), as: UTF16.self))
      }
    }
  }
#endif
