#if AsyncHTTPClient
  public import AsyncHTTPClient
  import HTTPTypes
  public import NIOCore
  public import Stagecoach
  import Synchronization

  /// The transport over AsyncHTTPClient: SwiftNIO, HTTP/1.1 and HTTP/2, TLS by BoringSSL.
  ///
  /// Redirects and decompression of the engine are off, because those are stages; its retries of a
  /// failed connection are off, because they turn a refused connection into a timeout; its tracing is
  /// off unless the configuration sets a tracer. Bodies stream both ways at the pace of the slower
  /// side. A dropped response body closes its connection.
  ///
  /// There are as many connections to a server as the engine's pool is configured for, 8 by default, and
  /// with HTTP/2 one. Requests beyond that wait in order, at most for the request's `poolTimeout`.
  ///
  /// The engine sends no trailer fields and hands over none. It cannot send a bare `[` or `]` in a
  /// target, so these go out percent-encoded.
  ///
  /// ```swift
  /// let transport = AsyncHTTPClientTransport { configuration in
  ///   configuration.tlsConfiguration = tls
  ///   configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
  /// }
  /// let client = try Client(over: transport, base: "https://api.example.com/", ownsTransport: true)
  /// ```
  ///
  /// The transport closes its connections when it is shut down or when the last reference to it and
  /// to its transfers goes away.
  public final class AsyncHTTPClientTransport: Transport {
    let client: HTTPClient
    let engineRequests = EngineRequests()
    let watchdog: Watchdog
    private let loops: [LoadedEventLoop]
    private let origins: Origins
    private let shutDown = Atomic(false)

    /// A transport with connections of its own.
    ///
    /// - Parameters:
    ///   - eventLoopGroup: The threads that connections run on; the process-wide group by default.
    ///   - time: The clock for the timeouts of connecting, waiting for a head and pausing in a body.
    ///   - configure: Changes the configuration of the engine: TLS, proxy, pool, HTTP versions. What
    ///     this type's description says is off is switched off afterwards.
    public init(
      eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
      time: any TimeSource = SystemTime(),
      configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) {
      var configuration = HTTPClient.Configuration()
      configuration.tracing.tracer = nil
      // The request's own limits are shorter by default; this one frees the engine's attempt.
      configuration.timeout.connect = .seconds(60)
      configure(&configuration)
      configuration.redirectConfiguration = .disallow
      configuration.decompression = .disabled
      configuration.connectionPool.retryConnectionEstablishment = false
      client = HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
      loops = eventLoopGroup.makeIterator().map { LoadedEventLoop($0) }
      origins = Origins(limit: configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit)
      watchdog = Watchdog(time: time)
    }

    deinit {
      // The engine insists on being shut down; it lives until that is done.
      let client = client
      if !isShutDown { client.shutdown { _ in } }
    }

    /// `AsyncHTTPClient`
    public var name: String { "AsyncHTTPClient" }

    /// Streaming both ways, HTTP/2, exact fields; no trailers.
    public var capabilities: TransportCapabilities {
      [.streamsRequestBodies, .streamsResponseBodies, .http2, .exactFields]
    }

    /// Sends a request and returns the response as soon as its head is there.
    ///
    /// - Throws: `ExchangeError`; `CancellationError`.
    public func send(_ request: Stagecoach.Request) async throws -> Stagecoach.Response {
      guard !isShutDown else { throw Self.wasShutDown }
      try Task.checkCancellation()
      let transfer = Transfer(request, over: self, to: origin(of: request))
      let head = try await withTaskCancellationHandler {
        try await transfer.start()
      } onCancel: {
        transfer.fail(CancellationError())
      }
      return try transfer.response(head)
    }

    /// Closes all connections; transfers under way fail with kind `shutdown`.
    public func shutdown() async {
      let first = !shutDown.exchange(true, ordering: .sequentiallyConsistent)
      for transfer in origins.removeWaiting() { transfer.fail(Self.wasShutDown) }
      // A failure to close cleanly leaves nothing that the caller could do.
      if first { try? await client.shutdown().get() }
    }

    private func origin(of request: Stagecoach.Request) -> Origin {
      origins[Origins.Name(isSecure: request.head.scheme == "https", authority: request.head.authority ?? "")]
    }

    static let wasShutDown = ExchangeError(.shutdown, "the transport was shut down")

    var isShutDown: Bool { shutDown.load(ordering: .sequentiallyConsistent) }

    /// The event loop with the fewest transfers, the first of equals. Connections are made on the loop
    /// that asked for them, so a transfer mostly finds one of its own loop that became idle, and nothing
    /// hops between threads on its way.
    func takeEventLoop() -> LoadedEventLoop {
      var least = loops[0]
      var load = least.load
      for loop in loops.dropFirst() where load > 0 {
        let other = loop.load
        if other < load { (least, load) = (loop, other) }
      }
      least.add(1)
      return least
    }
  }
#endif
