#if Tool
  import NIOCore
  import Synchronization

  /// Counts the bytes of encoded responses on their way out.
  final class ByteCounter: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let state: OriginState

    init(_ state: OriginState) { self.state = state }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      state.bytesSent.wrappingAdd(unwrapOutboundIn(data).readableBytes, ordering: .relaxed)
      context.write(data, promise: promise)
    }
  }
#endif
