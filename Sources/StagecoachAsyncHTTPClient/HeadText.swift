#if AsyncHTTPClient
  import NIOCore

  /// Converts head lines from Latin-1, which old servers send (RFC 9110 5.5), to UTF-8.
  ///
  /// The following parser makes strings of values, and replaces octets that are not UTF-8 by U+FFFD
  /// (`HTTPDecoder.didReceiveHeaderValue`).
  final class HeadText: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The maximum number of bytes of a line that is held until its end arrives; more than the parser accepts.
    private static let heldLimit = 128 * 1024

    /// The handler that reports whether the parser is inside a head.
    private let responses: ResponseGuard
    /// A line from its first non-ASCII octet, until its end arrives.
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
        // The body is not converted. The next request may already be written when a response ends.
        guard responses.isInHead, responses.endCount == ended else { break }
      }
      guard rest.readableBytes > 0 else { return }
      guard responses.endCount == ended else {
        // If passed to the parser separately, the rest would be taken for the response to the next request.
        context.fireErrorCaught(ResponseGuard.violation("the peer sent bytes after the response"))
        return context.close(promise: nil)
      }
      context.fireChannelRead(wrapInboundOut(rest))
    }

    /// Returns the next part for the parser: everything before the first non-ASCII octet, or from there to the end of
    /// the line.
    ///
    /// - Returns: `nil` if the end of the line has not arrived.
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
        // Eight at a time, because the start of the body is examined too.
        while start + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          start += 8
        }
        return bytes[start...].firstIndex { $0 >= 0x80 } ?? bytes.count
      }
    }

    /// Whether a final head that begins here is ASCII, so that the buffer can stay in one piece whatever follows the
    /// head.
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

    /// A copy converted from Latin-1 to UTF-8; the buffer itself if it is valid UTF-8.
    fileprivate var transcodedFromLatin1: ByteBuffer {
      withUnsafeReadableBytes { bytes in
        guard String(validating: bytes, as: UTF8.self) == nil else { return self }
        return ByteBuffer(string: String(decoding: bytes.map(UInt16.init), as: UTF16.self))
      }
    }
  }
#endif
