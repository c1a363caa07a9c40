#if AsyncHTTPClient
  public import AsyncHTTPClient
  import HTTPTypes
  public import NIOCore
  public import NIOPosix
  public import StagecoachCore
  import Synchronization

  /// The transport over AsyncHTTPClient: SwiftNIO, HTTP/1.1 and HTTP/2, TLS by BoringSSL.
  ///
  /// Redirects and decompression of the engine are off, because those are stages; its retries of a
  /// failed connection are off, because they turn a refused connection into a timeout; its tracing is
  /// off unless the configuration sets a tracer. Bodies stream both ways at the pace of the slower
  /// side. A dropped response body closes its connection.
  ///
  /// There are as many connections to an origin as `connectionsPerOrigin` says, and with HTTP/2 one.
  /// Requests beyond that wait in order, at most for the request's `poolTimeout`. Connections under another trust and
  /// those of requests that ask for a new one (`networkUse.newConnection`) are counted apart.
  ///
  /// ```swift
  /// var connections = ConnectionOptions()
  /// connections.proxy = .environment
  /// let transport = AsyncHTTPClientTransport(connections: connections, trust: Trust(roots: .only(ourCA)))
  /// let client = try Client(over: transport, base: "https://api.example.com/")
  /// ```
  ///
  /// What the engine cannot do, and so the transport refuses with kind `unsupported` or does not claim:
  /// - Values of fields that are not UTF-8 are not sent; in trailer fields received, and over HTTP/2, such octets are
  ///   U+FFFD.
  /// - Its parser refuses what RFC 9112 would let it mend in a response: folded lines, lines of the head that end with
  ///   LF alone, a length that is repeated or stands beside chunks.
  /// - More than 1 KiB of extensions for a chunk, or 16 KiB for all of a message, fail with kind `limit(.responseHead)`.
  /// - Proxies are those of HTTP, which it asks for a tunnel with CONNECT for `http` too, with Basic authorization,
  ///   and those of SOCKS 5 without a password, which resolve names themselves whatever their kind says.
  /// - Of the certificates of a peer only its own can be seen: pins are compared with that, and an evaluation gets a
  ///   chain of one.
  /// - `https` behind a Unix socket, and to an IP address through a proxy or an override of addresses: it would
  ///   compare the certificate with the wrong address.
  /// - A certificate names a host by a subject alternative name, with `*` for the whole first label at most (RFC 9525): a
  ///   common name does not count.
  /// - An expired certificate is of kind `tls(.untrusted)`: NIOSSL does not say why BoringSSL refused one, nor
  ///   which certificates it was shown.
  ///
  /// A connection made under one trust is never used under another: each trust, of a host or of a request, and each
  /// proxy has an engine of its own, made when it is first needed; trusts with pins or an evaluation one for each
  /// host. There are up to 32 of these before the least recently used without transfers is shut down.
  ///
  /// The transport closes its connections when it is shut down or when the last reference to it and
  /// to its transfers goes away.
  public final class AsyncHTTPClientTransport: Transport {
    let engineRequests: EngineRequests
    let watchdog: Watchdog
    let time: any TimeSource
    private let loops: [LoadedEventLoop]
    private let sharesOrigin: Bool
    /// The failure is that of every request: what was asked for cannot be done.
    private let engines: Result<Engines, ExchangeError>
    private let shutDown = Atomic(false)

    /// A transport with connections of its own.
    ///
    /// Options and trusts that cannot be kept, and variables of the environment that name no proxy, make
    /// every request fail, with kind `unsupported` or `invalidRequest`.
    ///
    /// - Parameters:
    ///   - connections: Proxy, addresses, versions of HTTP and number of connections.
    ///   - trust: Whom it believes on TLS connections, and who it says it is.
    ///   - eventLoopGroup: The threads that connections run on; SwiftNIO's process-wide group by default, on which TLS is
    ///     BoringSSL's everywhere. Where it is the system's, trusts that look at certificates fail.
    ///   - time: The clock for the timeouts of connecting, waiting for a head and pausing in a body.
    ///   - configure: Changes the configuration of the engine where options and trust do not reach. What
    ///     this type's description says is off is switched off afterwards. Its TLS counts where the trust
    ///     is that of the transport.
    public init(
      connections: ConnectionOptions = .init(),
      trust: Trust = .init(),
      eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
      time: any TimeSource = SystemTime(),
      configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) {
      let loops = eventLoopGroup.makeIterator().map { LoadedEventLoop($0) }
      self.loops = loops
      self.time = time
      engines = Result {
        let configuration = try EngineConfiguration(
          connections: connections,
          trust: trust,
          loops: loops,
          time: time,
          configure: configure
        )
        return try Engines(
          connections: connections,
          trust: trust,
          configuration: configuration,
          group: eventLoopGroup
        )
      }.mapError { $0 as? ExchangeError ?? ExchangeError(.invalidRequest, "\($0)", underlying: $0) }
      engineRequests = EngineRequests(unixSocket: connections.unixSocket)
      sharesOrigin = connections.unixSocket != nil
      watchdog = Watchdog(time: time)
    }

    static let engineName = "AsyncHTTPClient"

    /// `AsyncHTTPClient`
    public var name: String { Self.engineName }

    static let allCapabilities: TransportCapabilities = [
      .streamsRequestBodies, .streamsResponseBodies, .exactFields, .exactChunks, .fullDuplex,
      .requestTrailers, .responseTrailers, .asteriskForm, .wire, .http2, .unixSockets, .httpProxies,
      .socksProxies, .addressOverrides, .localAddress,
      .connectionTimings, .injectedClock, .newConnections,
      .customRoots, .clientIdentity, .pinsLeaf, .evaluatesTrust, .tlsVersions,
    ]

    /// Streaming both ways, also at once, trailers, HTTP/2, exact fields, proxies, trust with pins on the leaf; no
    /// reason phrases, no `Expect: 100-continue`. Informational responses are told of where the connection runs on the
    /// event loop of the request, which is most often and not always.
    public var capabilities: TransportCapabilities { Self.allCapabilities }

    /// Sends a request and returns the response as soon as its head is there.
    ///
    /// - Throws: `ExchangeError`; `CancellationError`.
    public func send(_ request: StagecoachCore.Request) async throws -> StagecoachCore.Response {
      guard !isShutDown else { throw Self.wasShutDown }
      try Task.checkCancellation()
      let use = request.options.networkUse
      try capabilities.check(use, transport: name)
      let engine = try engines.get().engine(for: request, isNew: use?.newConnection == true)
      let transfer = Transfer(request, over: self, by: engine, to: origin(of: request, in: engine))
      let head = try await withTaskCancellationHandler {
        try await transfer.start()
      } onCancel: {
        transfer.fail(CancellationError())
      }
      do {
        return try transfer.response(head)
      } catch {
        transfer.cancel()
        throw error
      }
    }

    /// Closes all connections; transfers under way fail with kind `shutdown`. Attempts to connect, which the engine
    /// cannot call off, may go on for up to a minute and are not waited for. A second call
    /// does not wait for the first.
    public func shutdown() async {
      let first = !shutDown.exchange(true, ordering: .sequentiallyConsistent)
      guard let engines = try? engines.get() else { return }
      for transfer in engines.close() { transfer.fail(Self.wasShutDown) }
      if first { await engines.shutdown() }
    }

    private func origin(of request: StagecoachCore.Request, in engine: Engine) -> Origin {
      let authority = sharesOrigin ? "" : request.head.authority ?? ""
      return engine.origins[
        Origins.Name(isSecure: request.head.scheme == "https", authority: authority)
      ]
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

  extension AsyncHTTPClientTransport: CustomReflectable {
    /// The name: what it is made with may hold passwords and keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
  }
#endif
