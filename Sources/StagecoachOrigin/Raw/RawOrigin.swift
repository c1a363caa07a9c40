#if Tool
  import NIOCore
  import NIOPosix

  /// A listener that plays scripts of bytes, pauses and resets, for the cases that no HTTP server produces.
  ///
  /// Start one with ``Origin/raw(_:host:limit:)`` or ``Origin/raw(inOrder:host:limit:)``.
  public final class RawOrigin: Sendable {
    /// The base URL without a trailing slash: `http://127.0.0.1:PORT`.
    public let url: String
    /// The TCP port.
    public let port: Int

    private let state: RawState
    private let listener: any Channel

    private init(_ state: RawState, _ listener: any Channel, host: String) {
      self.state = state
      self.listener = listener
      port = listener.localAddress?.port ?? 0
      url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    deinit {
      listener.close(promise: nil)
    }

    static func start(_ state: RawState, host: String, limit: Duration) async throws -> RawOrigin {
      guard limit > .zero else { throw OriginError.invalidConfiguration("limit must be positive") }
      let time = TimeAmount(limit)
      do {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .serverChannelOption(.backlog, value: 1024)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
          .childChannelOption(.autoRead, value: false)
          .childChannelOption(.allowRemoteHalfClosure, value: true)
          .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              let (index, script) = state.accept(channel)
              let handler = RawHandler(state, index: index, script: script, limit: time)
              try channel.pipeline.syncOperations.addHandler(handler)
            }
          }
          .bind(host: host, port: 0).get()
        return RawOrigin(state, listener, host: host)
      } catch {
        throw OriginError.cannotListen("\(error)")
      }
    }

    /// All connections so far, the first 1 MiB of each, in the order of acceptance.
    public var connections: [RawConnection] { state.connections }

    /// Returns the connection that ended first and that this method has not returned yet, or waits for the
    /// next one to end.
    ///
    /// - Parameter timeout: How long to wait; 10 seconds by default.
    /// - Throws: ``OriginError/timedOut(waitingFor:)``, ``OriginError/stopped``, or `CancellationError`.
    public func nextEndedConnection(timeout: Duration = .seconds(10)) async throws -> RawConnection {
      try await state.ended.take(within: timeout, waitingFor: "the end of a connection") { _ in true }
    }

    /// Waits until a connection has come to ``RawScript/Step/awaitCommand``, and lets it go on.
    ///
    /// - Parameter timeout: How long to wait; 10 seconds by default.
    /// - Throws: ``OriginError/timedOut(waitingFor:)``, ``OriginError/stopped``, or `CancellationError`.
    public func proceed(timeout: Duration = .seconds(10)) async throws {
      let command = try await state.waiting.take(within: timeout, waitingFor: "an awaitCommand step") { _ in
        true
      }
      command.proceed()
    }

    /// Stops listening and closes every connection. A second call returns at once.
    public func stop() async {
      try? await listener.close()
      await state.close()
    }
  }

  extension Origin {
    /// Starts a listener on a free port that plays the same script on every connection.
    ///
    /// - Parameters:
    ///   - script: The steps.
    ///   - host: The address to listen on; `127.0.0.1` by default.
    ///   - limit: The longest time a connection may last; 60 seconds by default.
    /// - Throws: ``OriginError`` if it cannot listen.
    public static func raw(
      _ script: RawScript,
      host: String = "127.0.0.1",
      limit: Duration = .seconds(60)
    ) async throws -> RawOrigin {
      try await RawOrigin.start(RawState(scripts: [script], repeats: true), host: host, limit: limit)
    }

    /// Starts a listener on a free port that plays one script on each connection, in order, and closes any
    /// further connection at once.
    ///
    /// - Parameters:
    ///   - scripts: The steps for the first connection, for the second one, and so on.
    ///   - host: The address to listen on; `127.0.0.1` by default.
    ///   - limit: The longest time a connection may last; 60 seconds by default.
    /// - Throws: ``OriginError`` if it cannot listen.
    public static func raw(
      inOrder scripts: [RawScript],
      host: String = "127.0.0.1",
      limit: Duration = .seconds(60)
    ) async throws -> RawOrigin {
      try await RawOrigin.start(RawState(scripts: scripts, repeats: false), host: host, limit: limit)
    }
  }
#endif
