#if Tool
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  public import StagecoachCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// An HTTP/1.1 server that a closure answers, with bodies streamed both ways.
  ///
  /// ```swift
  /// let server = try await HandlerServer.start { request in
  ///   Response(.ok, body: .bytes("hello"))
  /// }
  /// // send requests to server.url ...
  /// await server.stop()
  /// ```
  ///
  /// Fields that belong to a connection end here, in both directions (RFC 9110 7.6.1); the others are passed on as they
  /// are, and the framing of a response is added where it is missing. A closure or a body that throws ends the
  /// connection, and so does a body that is not as long as its Content-Length. A client that closes the connection
  /// cancels the closure.
  ///
  /// A request that could be read in two ways is refused before the closure sees it, with 400 or 501 (RFC 9112 11.2):
  /// two lengths, a length and a transfer coding, another coding than chunked, no or two hosts. An offer to change to
  /// HTTP/2 is declined by answering in HTTP/1.1; a WebSocket handshake gets 501. `100-continue` is answered when the
  /// closure reads the content, and informational responses to what it sends on with the options of its request are
  /// passed on to clients of HTTP/1.1.
  ///
  /// Limits: 64 KiB and 256 fields for a head, 16 KiB for a target, a minute for a head; 800 connections, half of them
  /// for one client address (one network of 64 bits for IPv6), others get 503. A client that sends content at less than
  /// 500 bytes a second for 20 s is answered with 408; one that reads a response at less than 500 bytes a second for a
  /// minute is reset. Time in which the closure does not read the content, or gives none, does not count.
  public final class HandlerServer: Sendable {
    /// Answers a request, whose target is complete. Its body can be read once.
    public typealias Handler = @Sendable (Request) async throws -> Response

    /// The URL without a trailing slash: `http://127.0.0.1:PORT`.
    public let url: String
    /// The TCP port.
    public let port: Int

    private let group: MultiThreadedEventLoopGroup
    private let serving: Task<Void, Never>
    private let connections: Connections

    private init(
      _ url: String,
      _ port: Int,
      _ group: MultiThreadedEventLoopGroup,
      _ connections: Connections,
      _ serving: Task<Void, Never>
    ) {
      self.url = url
      self.port = port
      self.group = group
      self.connections = connections
      self.serving = serving
    }

    deinit {
      serving.cancel()
      group.shutdownGracefully { _ in }
    }

    /// Starts a server, which stops when it is released; only ``stop(patience:)`` waits for the end.
    ///
    /// - Parameters:
    ///   - host: The address to listen at.
    ///   - port: The port; 0 lets the system choose one.
    ///   - handler: Answers the requests, those of different connections at the same time.
    /// - Throws: ``OriginError`` if the address cannot be listened at.
    public static func start(
      host: String = "127.0.0.1",
      port: Int = 0,
      _ handler: @escaping Handler
    ) async throws -> HandlerServer {
      try await start(host: host, port: port, making: { _ in handler })
    }

    /// Starts a server that answers only for some authorities: other requests are refused before the handler sees them,
    /// with 421 those for another host, and with 403 those of a page of another site.
    ///
    /// - Parameters:
    ///   - limits: The limits for clients.
    ///   - rules: The authorities, beside the address of the server.
    ///   - makeHandler: Makes what answers the requests.
    package static func start(
      host: String,
      port: Int,
      limits: HandlerLimits = HandlerLimits(),
      answeringFor rules: ServedAuthorities.Rules,
      making makeHandler: (ServedAuthorities) -> Handler
    ) async throws -> HandlerServer {
      try await start(host: host, port: port, limits: limits) { url in
        let served = ServedAuthorities(listening: url, rules)
        let handler = makeHandler(served)
        return { request in
          if let refusal = served.refusal(of: request) { return refusal }
          return try await handler(request)
        }
      }
    }

    /// Starts a server as ``start(host:port:_:)`` does.
    ///
    /// - Parameters:
    ///   - limits: The limits for clients.
    ///   - makeHandler: Makes what answers the requests, from the URL of the server.
    package static func start(
      host: String,
      port: Int,
      limits: HandlerLimits = HandlerLimits(),
      making makeHandler: (String) -> Handler
    ) async throws -> HandlerServer {
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let listener: NIOAsyncChannel<HandlerConnection.Channel, Never>
      do {
        listener = try await ServerBootstrap(group: group)
          .serverChannelOption(.backlog, value: 256)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .bind(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture { try HandlerConnection.wrap(channel, limits) }
          }
      } catch {
        try? await group.shutdownGracefully()
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
        throw OriginError.cannotListen("\(reason ?? "\(error)") (\(host), port \(port))")
      }
      let bound = listener.channel.localAddress?.port ?? port
      let authority = "\(host.contains(":") ? "[\(host)]" : host):\(bound)"
      let (connections, handler) = (
        Connections(limit: limits.connections), makeHandler("http://\(authority)")
      )
      let serving = Task {
        await withDiscardingTaskGroup { tasks in
          do {
            try await listener.executeThenClose { incoming in
              for try await channel in incoming {
                tasks.addTask { await HandlerConnection(channel, authority, connections, handler).serve() }
              }
            }
          } catch {
            // The listener was closed.
          }
        }
      }
      return HandlerServer("http://\(authority)", bound, group, connections, serving)
    }

    /// Stops: takes no further connections, lets the exchanges that are under way end, and closes the rest.
    ///
    /// - Parameter patience: How long exchanges may take to end.
    public func stop(patience: Duration = .seconds(5)) async {
      connections.close()
      let limit = ContinuousClock.now + patience
      while connections.underWay > 0, ContinuousClock.now < limit {
        try? await Task.sleep(for: .milliseconds(5))
      }
      serving.cancel()
      await serving.value
      try? await group.shutdownGracefully()
    }
  }
#endif
