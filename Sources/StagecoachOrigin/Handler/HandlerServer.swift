#if Tool
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  public import StagecoachCore
  import Synchronization

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
  /// The fields of a response go out as they are, without those that belong to a connection (RFC 9110 7.6.1); its framing
  /// is added where it is missing. A closure or a body that throws ends the connection. A connection without traffic is
  /// closed after a minute.
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
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let listener: NIOAsyncChannel<HandlerConnection.Channel, Never>
      do {
        listener = try await ServerBootstrap(group: group)
          .serverChannelOption(.backlog, value: 256)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .bind(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture { try HandlerConnection.wrap(channel) }
          }
      } catch {
        try? await group.shutdownGracefully()
        throw OriginError.cannotListen("\(error)")
      }
      let bound = listener.channel.localAddress?.port ?? port
      let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(bound)"
      let connections = Connections()
      let serving = Task {
        await withDiscardingTaskGroup { tasks in
          do {
            try await listener.executeThenClose { incoming in
              for try await channel in incoming {
                tasks.addTask { await HandlerConnection(channel, url, connections, handler).serve() }
              }
            }
          } catch {
            // The listener was closed.
          }
        }
      }
      return HandlerServer(url, bound, group, connections, serving)
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

  /// What the connections of a server share: whether they go on, and how many exchanges are under way.
  final class Connections: Sendable {
    private let closed = Atomic(false)
    private let count = Atomic(0)

    var isClosed: Bool { closed.load(ordering: .relaxed) }
    var underWay: Int { count.load(ordering: .relaxed) }

    func close() { closed.store(true, ordering: .relaxed) }
    func begin() { count.add(1, ordering: .relaxed) }
    func end() { count.subtract(1, ordering: .relaxed) }
  }
#endif
