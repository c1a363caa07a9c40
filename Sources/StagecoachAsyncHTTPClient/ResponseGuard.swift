#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import Stagecoach

  /// Stands in front of the engine on a channel: keeps from it the responses that would end the process, and lets the
  /// connection know when requests may be written.
  ///
  /// To the engine every status below 200 but 101 is informational; the end of a response, or content, without
  /// another head then stops the process (`HTTPRequestStateMachine.receivedHTTPResponseEnd`). So a status below
  /// 100 is refused, and so is a response that ends before its final head came.
  final class ResponseGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private enum State {
      case waitingForHead, body, failed
    }

    private var state = State.waitingForHead
    private let connection: EngineConnection?

    init(_ connection: EngineConnection?) {
      self.connection = connection
    }

    func channelActive(context: ChannelHandlerContext) {
      guard let connection else { return context.fireChannelActive() }
      connection.whileServing { context.fireChannelActive() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      guard let connection else { return context.fireChannelWritabilityChanged() }
      connection.whileServing { context.fireChannelWritabilityChanged() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch (unwrapInboundIn(data), state) {
      case (_, .failed): return
      case (.head(let head), _):
        guard head.status.code >= 100 else {
          return fail("the peer sent the status \(head.status.code), which is none (RFC 9110 15)", context)
        }
        if head.status.code >= 200 || head.status == .switchingProtocols { state = .body }
      case (.body, .waitingForHead), (.end, .waitingForHead):
        return fail("the peer ended a response before its final head", context)
      case (.body, .body): break
      case (.end, .body): state = .waitingForHead
      }
      context.fireChannelRead(data)
    }

    private func fail(_ reason: String, _ context: ChannelHandlerContext) {
      state = .failed
      context.fireErrorCaught(ExchangeError(.protocolViolation, reason))
      context.close(promise: nil)
    }
  }
#endif
