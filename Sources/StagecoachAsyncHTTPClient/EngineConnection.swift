#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP2
  import StagecoachCore

  /// A connection of the engine, which tells transfers that they are served by it.
  ///
  /// The engine says neither to a request which connection it got nor to a connection which request. But it
  /// writes a request to the end of a channel's pipeline, and calls the delegate of that request before the
  /// write returns, if both are on one event loop; on a stream of HTTP/2, before the event that makes it writable
  /// returns. So this stands at the end, and ``ResponseGuard`` in front, and the event loop knows whose write is
  /// going on. For a request of another event loop nothing is known.
  ///
  /// Unchecked: all of it is used on the event loop of the connection only.
  final class EngineConnection: ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    /// A use of the connection: a reference, so that transfers that nobody asks about it stay small.
    final class Use: Sendable {
      let info: ConnectionInfo

      init(_ info: ConnectionInfo) {
        self.info = info
      }
    }

    /// A connection to which a request is being written, and what sees the response to it.
    struct Serving {
      let connection: EngineConnection
      let responses: ResponseGuard?
    }

    private let loop: LoadedEventLoop
    private let established: ContinuousClock.Instant
    private var first: ConnectionInfo?
    /// The last stream that the peer looks at, once it has told so (RFC 9113 6.8).
    private var lastStream: HTTP2StreamID?
    private let later: Use
    /// What sees the responses; nil where each stream has one of its own.
    weak var responses: ResponseGuard?

    /// - Parameters:
    ///   - channel: The connection, ready for requests.
    ///   - applicationProtocol: What TLS agreed on, where that is known.
    ///   - loop: Where it runs.
    ///   - established: When it became ready.
    init(
      _ channel: any Channel,
      applicationProtocol: String?,
      on loop: LoadedEventLoop,
      established: ContinuousClock.Instant
    ) {
      self.loop = loop
      self.established = established
      var info = ConnectionInfo(remoteAddress: channel.remoteAddress?.text, isReused: false)
      info.applicationProtocol = applicationProtocol
      first = info
      info.isReused = true
      later = Use(info)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      whileServing(responses) { context.write(data, promise: promise) }
    }

    /// Does what may make the engine send the head of a request.
    ///
    /// - Parameters:
    ///   - responses: What sees the response to it.
    ///   - body: What is done.
    func whileServing(_ responses: ResponseGuard?, _ body: () -> Void) {
      // A transfer may begin the next one, which is written inside of this.
      let outer = loop.serving
      loop.serving = Serving(connection: self, responses: responses)
      body()
      loop.serving = outer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if let frame = unwrapInboundIn(data) as? HTTP2Frame, case .goAway(let last, _, _) = frame.payload {
        lastStream = last
      }
      context.fireChannelRead(data)
    }

    /// Whether an error is the end of a stream that the peer has not looked at.
    func isOfUnseenStream(_ error: any Error) -> Bool {
      guard let lastStream, let closed = error as? NIOHTTP2Errors.StreamClosed else { return false }
      return closed.streamID > lastStream
    }

    /// The engine leaves connections of HTTP/2 open on which the peer broke the protocol, and their transfers wait.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    /// Serves a transfer.
    ///
    /// - Parameter begun: When the engine was asked for this connection, if it is a new one; nil if that may have
    ///   been another time.
    func serve(since begun: @autoclosure () -> ContinuousClock.Instant?) -> Use {
      guard var info = first else { return later }
      first = nil
      if let begun = begun(), begun <= established { info.connecting = established - begun }
      return Use(info)
    }
  }

  extension SocketAddress {
    /// The address with its port, an IPv6 address in brackets, or the path of a socket.
    fileprivate var text: String? {
      switch self {
      case .v4: ipAddress.map { "\($0):\(port ?? 0)" }
      case .v6: ipAddress.map { "[\($0)]:\(port ?? 0)" }
      case .unixDomainSocket: pathname
      }
    }
  }
#endif
