#if AsyncHTTPClient
  public import AsyncHTTPClient
  import HTTPTypes
  public import NIOCore
  public import NIOPosix
  public import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  /// The transport over AsyncHTTPClient: SwiftNIO, HTTP/1.1 and HTTP/2, TLS by BoringSSL.
  ///
  /// The engine's redirects and decompression are off, because stages do both; its retries of a failed connection are
  /// off, because they turn a refused connection into a timeout; its tracing is off unless the configuration sets a
  /// tracer. Bodies stream in both directions with backpressure. Dropping a response body closes its connection.
  ///
  /// The number of connections to an origin is limited by `connectionsPerOrigin`; HTTP/2 uses one. Further requests
  /// wait, first in first out, for at most the request's `poolTimeout`. Connections under another trust policy, and
  /// connections of requests that ask for a new one (`networkUse.newConnection`), are counted separately.
  ///
  /// ```swift
  /// var connections = ConnectionOptions()
  /// connections.proxy = .environment
  /// let trust = Trust(roots: .only(try Certificate.fromPEM(ourCA)))
  /// let transport = AsyncHTTPClientTransport(connections: connections, trust: trust)
  /// let client = try Client(over: transport, base: "https://api.example.com/")
  /// ```
  ///
  /// Limitations of the engine. Requests that need more are refused with kind `unsupported`:
  /// - Over HTTP/2, field values that are not UTF-8, or hold U+10FF80 to U+10FFFF, are not sent, and invalid octets of
  ///   received values become U+FFFD.
  /// - The parser refuses some responses that RFC 9112 asks or allows a client to read, and the error names the reason:
  ///   folded lines, lines that end with a bare LF, a Content-Length that is repeated or combined with
  ///   Transfer-Encoding, chunks of HTTP/1.0, white space after a chunk size.
  /// - More than 1 KiB of chunk extensions for one chunk, or 16 KiB for a message, fail with kind
  ///   `limit(.responseHead)`.
  /// - Supported proxies are HTTP proxies with Basic authentication, which tunnel `http` requests with CONNECT too, and
  ///   SOCKS 5 proxies without a password, which always resolve host names themselves.
  /// - Only the leaf certificate of a peer is visible: pins are compared with it, and an evaluation gets a chain of
  ///   one.
  /// - `https` over a Unix socket is refused, and so is `https` to an IP address through a proxy or an address
  ///   override: the engine would compare the certificate with the wrong address.
  /// - A certificate must name the host in a subject alternative name, with `*` at most for the whole first label (RFC
  ///   9525). The common name is ignored.
  /// - Of a proxy that refuses CONNECT, only the status 407 is reported; other refusals, also a 502 or 503 that passes,
  ///   have kind `proxyRefused` and are not retried.
  /// - An expired certificate has kind `tls(.untrusted)`: NIOSSL reports neither the reason for which BoringSSL refused
  ///   a certificate, nor the certificates of the peer.
  ///
  /// A connection made under one trust policy is never reused under another. Each trust policy, of a host or of a
  /// request, and each proxy has a separate engine, created on first use; a policy with pins or an evaluation has one
  /// per host. Up to 32 of these engines are kept; then the least recently used one without transfers is shut down.
  ///
  /// The transport closes its connections when it is shut down, or when the last reference to it and to its transfers
  /// is released.
  public final class AsyncHTTPClientTransport: Transport {
    let engineRequests: EngineRequests
    let watchdog: Watchdog
    let time: any TimeSource
    /// The trust policy for requests that set none.
    public let trust: Trust
    /// The connection settings.
    public let connections: ConnectionOptions
    private let loops: [LoadedEventLoop]
    private let sharesOrigin: Bool
    /// A failure applies to every request: the transport cannot support its options.
    private let engines: Result<Engines, ExchangeError>
    private let shutDown = Atomic(false)

    /// Creates a transport with a new connection pool.
    ///
    /// Every request fails with kind `unsupported`, `invalidRequest` or `tls(.identity)` if the options or the trust
    /// policy, with its client identity, cannot be used. A request fails with kind `invalidRequest` if its proxy is
    /// named by an environment variable that is not a valid proxy URL.
    ///
    /// - Parameters:
    ///   - connections: The proxy, address overrides, HTTP versions and number of connections.
    ///   - trust: The trust policy and the client identity for TLS connections.
    ///   - eventLoopGroup: The event loops of the connections; SwiftNIO's process-wide group by default, which uses
    ///     BoringSSL on all systems. On a group that uses the TLS of the system, trust policies that examine
    ///     certificates fail.
    ///   - clock: The clock for the timeouts of connecting, waiting for a head and pausing in a body.
    ///   - configure: Changes engine settings that the options and the trust policy do not cover. The features that the
    ///     description of this type lists as off are switched off afterwards. The TLS settings apply where the
    ///     transport's own trust policy does.
    public init(
      connections: ConnectionOptions = .init(),
      trust: Trust = .init(),
      eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
      clock: any TimeSource = SystemTime(),
      configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) {
      let loops = eventLoopGroup.makeIterator().map { LoadedEventLoop($0) }
      self.loops = loops
      self.time = clock
      self.connections = connections
      var ownTrust = trust
      engines = Result {
        let configuration = try EngineConfiguration(
          connections: connections,
          trust: trust,
          loops: loops,
          time: clock,
          configure: configure
        )
        ownTrust = configuration.trust
        return try Engines(
          connections: connections,
          trust: trust,
          configuration: configuration,
          group: eventLoopGroup
        )
      }.mapError { $0 as? ExchangeError ?? ExchangeError(.invalidRequest, "\($0)", underlying: $0) }
      self.trust = ownTrust
      engineRequests = EngineRequests(unixSocket: connections.unixSocket)
      sharesOrigin = connections.unixSocket != nil
      watchdog = Watchdog(clock: clock)
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

    /// Streaming in both directions, also at the same time, trailers, HTTP/2, exact fields, proxies, and trust policies
    /// with pins on the leaf certificate; no reason phrases, no `Expect: 100-continue`. Informational responses are
    /// reported if the connection runs on the event loop of the request, which is usual but not guaranteed.
    public var capabilities: TransportCapabilities { Self.allCapabilities }

    /// Sends a request and returns the response as soon as its head has arrived.
    ///
    /// - Throws: `ExchangeError`; `CancellationError`.
    public func send(_ request: StagecoachCore.Request) async throws -> StagecoachCore.Response {
      guard !isShutDown else { throw Self.wasShutDown }
      try Task.checkCancellation()
      let use = request.options.networkUse
      try capabilities.check(use, transport: name)
      let engine = try engines.get().engine(for: request, isNew: use?.newConnection == true)
      let transfer = Transfer(request, over: self, by: engine, to: origin(of: request, in: engine))
      let head = try await transfer.start()
      do {
        return try transfer.response(head)
      } catch {
        transfer.cancel()
        throw error
      }
    }

    /// Closes all connections. Transfers in progress fail with kind `shutdown`. Connection attempts, which the engine
    /// cannot cancel, may continue for up to a minute and are not waited for. A second call does not wait for the
    /// first.
    public func shutdown() async {
      let first = !shutDown.exchange(true, ordering: .sequentiallyConsistent)
      guard let engines = try? engines.get() else { return }
      for transfer in engines.close() { transfer.fail(Self.wasShutDown) }
      if first { await engines.shutdown() }
    }

    private func origin(of request: StagecoachCore.Request, in engine: Engine) -> Origin {
      engine.origins[sharesOrigin ? nil : TargetURI.Origin(request.head)]
    }

    static let wasShutDown = ExchangeError(.shutdown, "the transport was shut down")

    var isShutDown: Bool { shutDown.load(ordering: .sequentiallyConsistent) }

    /// Returns the event loop with the fewest transfers, the first one if several are equal. A connection is made on
    /// the loop that asked for it, so a transfer mostly finds an idle connection of its own loop and needs no change of
    /// thread.
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
    /// The name only: the settings may contain passwords and keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
  }
#endif
