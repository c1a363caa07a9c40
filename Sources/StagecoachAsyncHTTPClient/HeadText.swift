#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// Escapes field lines that are not UTF-8 (RFC 9110 5.5), in heads and trailer sections; see ``FieldOctets``.
  ///
  /// The following parser makes strings of values, and replaces octets that are not UTF-8 by U+FFFD
  /// (`HTTPDecoder.didReceiveHeaderValue`).
  final class HeadText: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The maximum number of bytes of a line that is held until its end arrives; more than the parser accepts.
    private static let heldLimit = 128 * 1024

    /// The handler that reports whether the parser is inside a head or a trailer section.
    private let responses: ResponseGuard
    /// A line from its first non-ASCII octet, until its end arrives.
    private var held = ByteBuffer()

    init(_ responses: ResponseGuard) {
      self.responses = responses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard responses.isInFields else { return context.fireChannelRead(data) }
      var rest = unwrapInboundIn(data)
      if held.readableBytes == 0, rest.hasHeadInASCII { return context.fireChannelRead(data) }
      let ended = responses.endCount
      while rest.readableBytes > 0 {
        guard let part = nextPart(of: &rest) else { return }
        context.fireChannelRead(wrapInboundOut(part))
        // The body is not converted. The next request may already be written when a response ends.
        guard responses.isInFields, responses.endCount == ended else { break }
      }
      // ``FramingGuard`` refuses what follows a response.
      guard rest.readableBytes > 0, responses.endCount == ended else { return }
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
      return held.withEscapedOctets
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

    /// A copy with escaped octets; the buffer itself if it can stay as it is.
    fileprivate var withEscapedOctets: ByteBuffer {
      withUnsafeReadableBytes { bytes in
        FieldOctets.escaped(bytes.bindMemory(to: UInt8.self)).map { ByteBuffer(bytes: $0) } ?? self
      }
    }
  }
#endif
