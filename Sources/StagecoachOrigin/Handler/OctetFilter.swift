#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// Keeps field values that are not UTF-8, of which the parser and the encoder would make U+FFFD; see `FieldOctets`.
  ///
  /// It is in front of both, and ``Position`` behind them.
  final class OctetFilter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The maximum number of bytes of a line that is held until its end arrives; more than the parser accepts.
    private static let heldLimit = 64 * 1024

    private let position: Position
    /// A line from its first octet beyond ASCII, until its end arrives.
    private var held = ByteBuffer()

    init(_ position: Position) {
      self.position = position
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var rest = unwrapInboundIn(data)
      while position.isInHead, rest.readableBytes > 0 {
        if held.readableBytes == 0, let part = rest.readSlice(length: rest.countInASCII),
          part.readableBytes > 0
        {
          context.fireChannelRead(wrapInboundOut(part))
          continue
        }
        let end = rest.readableBytesView.firstIndex(of: 0x0a).map { $0 - rest.readerIndex + 1 }
        guard var line = rest.readSlice(length: end ?? rest.readableBytes) else { return }
        held.writeBuffer(&line)
        guard end != nil || held.readableBytes > Self.heldLimit else { return }
        let octets = held.withUnsafeReadableBytes { FieldOctets.escaped($0.bindMemory(to: UInt8.self)) }
        let text = octets.map { ByteBuffer(bytes: $0) } ?? held
        held = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(text))
      }
      guard rest.readableBytes > 0 else { return }
      // Content, behind which other heads may come, and one may begin that later reads end.
      position.passContent()
      context.fireChannelRead(wrapInboundOut(rest))
      position.didPass(rest)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard position.writesEscapes, case .byteBuffer(let text) = unwrapOutboundIn(data) else {
        return context.write(data, promise: promise)
      }
      position.writesEscapes = false
      let octets = text.withUnsafeReadableBytes { FieldOctets.restored($0.bindMemory(to: UInt8.self)) }
      context.write(
        octets.map { wrapOutboundOut(.byteBuffer(ByteBuffer(bytes: $0))) } ?? data,
        promise: promise
      )
    }
  }

  extension OctetFilter {
    /// Tracks the position of the parser, and whether the encoder is about to write escapes.
    final class Position: ChannelDuplexHandler {
      typealias InboundIn = HTTPServerRequestPart
      typealias OutboundIn = HTTPServerResponsePart

      fileprivate private(set) var isInHead = true
      /// Whether all octets of the head that the parser reads next are escaped.
      private var isFiltered = true
      /// Whether the parser is being given what is not escaped.
      private var isPassing = false
      /// The number of octets of content in what is passed.
      private var contentCount = 0
      fileprivate var writesEscapes = false

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
          isInHead = false
          // It begins behind the content of a request, in one piece with it.
          if !isFiltered, head.headers.hasReplacements {
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
          }
          isFiltered = !isPassing
        case .body(let buffer): contentCount += buffer.readableBytes
        case .end(let trailers):
          // They are passed like content.
          if trailers?.hasReplacements == true {
            return context.fireErrorCaught(Refusal("a trailer field is not UTF-8"))
          }
          isInHead = true
        }
        context.fireChannelRead(data)
      }

      fileprivate func passContent() {
        isFiltered = false
        isPassing = true
        contentCount = 0
      }

      fileprivate func didPass(_ part: ByteBuffer) {
        isPassing = false
        // Nothing of a head is read if the part ends with content, or with an empty line: a chunked message does.
        isFiltered =
          !isInHead || contentCount == part.readableBytes
          || part.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8)
      }

      func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let fields: HTTPHeaders? =
          switch unwrapOutboundIn(data) {
          case .head(let head): head.headers
          case .body: nil
          case .end(let trailers): trailers
          }
        writesEscapes = fields?.contains { FieldOctets.hasEscapes($0.value) } == true
        context.write(data, promise: promise)
      }
    }
  }

  extension HTTPHeaders {
    /// Whether the parser may have replaced octets.
    fileprivate var hasReplacements: Bool {
      contains(where: { $0.value.unicodeScalars.contains("\u{fffd}") })
    }
  }

  extension ByteBuffer {
    /// The number of octets before the first one beyond ASCII.
    fileprivate var countInASCII: Int {
      readableBytesView.firstIndex { $0 >= 0x80 }.map { $0 - readerIndex } ?? readableBytes
    }
  }
#endif
