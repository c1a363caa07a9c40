#if AsyncHTTPClient
  import NIOCore
  import StagecoachCore

  /// Restores escaped octets of field values in what the encoder has written; see ``FieldOctets``.
  final class OctetRestorer: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Whether the next part is a head or a trailer section with escapes. Nothing else may be changed.
    var restoresNext = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard restoresNext, case .byteBuffer(let text) = unwrapOutboundIn(data) else {
        return context.write(data, promise: promise)
      }
      restoresNext = false
      let octets = text.withUnsafeReadableBytes { FieldOctets.restored($0.bindMemory(to: UInt8.self)) }
      context.write(
        octets.map { wrapOutboundOut(.byteBuffer(ByteBuffer(bytes: $0))) } ?? data,
        promise: promise
      )
    }
  }
#endif
