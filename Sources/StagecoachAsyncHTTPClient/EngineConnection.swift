#if AsyncHTTPClient
  import NIOCore
  import NIOHTTP2
  import StagecoachCore

  /// A connection of the engine, reported to the transfers that it serves.
  ///
  /// The engine reports neither to a request which connection it got, nor to a connection which request. But it writes
  /// a request to the end of a channel's pipeline, and calls the delegate of that request before the write returns, if
  /// both are on one event loop; on an HTTP/2 stream, before the event that makes it writable returns. So this handler
  /// is at the end and ``ResponseGuard`` in front of it, and the event loop records the connection of the current
  /// write. For a request of another event loop the connection stays unknown.
  ///
  /// Unchecked: all of it is used on the event loop of the connection only.
  final class EngineConnection: ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    /// A use of the connection. A reference, so that transfers whose connection is not queried stay small.
    final class Use: Sendable {
      let info: ConnectionInfo

      init(_ info: ConnectionInfo) {
        self.info = info
      }
    }

    /// The connection of the current write, and the handler of its response.
    struct Serving {
      let connection: EngineConnection
      let responses: ResponseGuard?
    }

    private let loop: LoadedEventLoop
    private let established: ContinuousClock.Instant
    private var first: ConnectionInfo?
    /// The last stream that the peer processes, from its GOAWAY frame (RFC 9113 6.8).
    private var lastStream: HTTP2StreamID?
    private let later: Use
    /// The handler of the responses; `nil` if each stream has a separate one.
    weak var responses: ResponseGuard?

    /// - Parameters:
    ///   - channel: The connection, ready for requests.
    ///   - applicationProtocol: The protocol that TLS negotiated, if known.
    ///   - loop: The event loop of the connection.
    ///   - established: The instant at which it became ready.
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

    /// Runs an operation that may make the engine send the head of a request.
    ///
    /// - Parameters:
    ///   - responses: The handler of the response.
    ///   - body: The operation.
    func whileServing(_ responses: ResponseGuard?, _ body: () -> Void) {
      // A transfer may begin the next one, which is then written within this call.
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

    /// Whether an error is the end of a stream that the peer did not process.
    func isOfUnseenStream(_ error: any Error) -> Bool {
      guard let lastStream, let closed = error as? NIOHTTP2Errors.StreamClosed else { return false }
      return closed.streamID > lastStream
    }

    /// Closes the connection: after an HTTP/2 protocol error the engine leaves it open, and its transfers wait.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    /// Registers a transfer on the connection.
    ///
    /// - Parameter begun: The instant at which the engine was asked for this connection, if it is new; `nil` if the
    ///   instant is uncertain.
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
