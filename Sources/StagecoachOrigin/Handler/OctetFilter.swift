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
      position.isFiltered = true
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
      // Content, behind which another head may come.
      position.isFiltered = false
      context.fireChannelRead(wrapInboundOut(rest))
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
      /// Whether the octets of a head that the parser reads are escaped.
      fileprivate var isFiltered = true
      fileprivate var writesEscapes = false

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
          isInHead = false
          // Behind the content of a request, in one piece with it.
          if !isFiltered, head.headers.contains(where: { $0.value.unicodeScalars.contains("\u{fffd}") }) {
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
          }
        case .body: break
        case .end: isInHead = true
        }
        context.fireChannelRead(data)
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

  extension ByteBuffer {
    /// The number of octets before the first one beyond ASCII.
    fileprivate var countInASCII: Int {
      readableBytesView.firstIndex { $0 >= 0x80 }.map { $0 - readerIndex } ?? readableBytes
    }
  }
#endif
