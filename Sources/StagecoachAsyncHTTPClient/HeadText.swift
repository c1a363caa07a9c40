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
    private static let longestLine = 128 * 1024

    /// Knows whether the parser is inside of a head.
    private let responses: ResponseGuard
    /// The start of a line with octets beyond ASCII.
    private var held: ByteBuffer?

    init(_ responses: ResponseGuard) {
      self.responses = responses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard responses.isInHead else { return context.fireChannelRead(data) }
      var rest = unwrapInboundIn(data)
      if var held {
        held.writeBuffer(&rest)
        rest = held
        self.held = nil
      }
      // What the parser is given may end the head, and the body is left as it is.
      while responses.isInHead, let length = rest.bytesBeforeLineBeyondASCII {
        if length > 0, let lines = rest.readSlice(length: length) {
          context.fireChannelRead(wrapInboundOut(lines))
          continue
        }
        guard let line = rest.readLine() else {
          guard rest.readableBytes < Self.longestLine else { break }
          held = rest
          return
        }
        context.fireChannelRead(wrapInboundOut(line.transcodedFromLatin1))
      }
      if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
      if let held { context.fireChannelRead(wrapInboundOut(held)) }
      held = nil
      context.fireChannelInactive()
    }
  }

  extension ByteBuffer {
    /// How many bytes stand before the first line with an octet beyond ASCII; nil if there is none.
    fileprivate var bytesBeforeLineBeyondASCII: Int? {
      withUnsafeReadableBytes { bytes in
        var start = 0
        // Eight at a time: the start of the body is looked through as well.
        while start + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          start += 8
        }
        guard let octet = bytes[start...].firstIndex(where: { $0 >= 0x80 }) else { return nil }
        return bytes[..<octet].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
      }
    }

    /// Takes a line with its end; nil if that has not come yet.
    fileprivate mutating func readLine() -> ByteBuffer? {
      readableBytesView.firstIndex(of: 0x0a).flatMap { readSlice(length: $0 - readerIndex + 1) }
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
