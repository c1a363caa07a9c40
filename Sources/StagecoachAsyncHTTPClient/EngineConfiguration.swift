#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import StagecoachCore

  /// What the engines of a transport are configured with.
  struct EngineConfiguration: Sendable {
    private let base: HTTPClient.Configuration
    private let ownTrust: Trust
    private let loops: [LoadedEventLoop]
    private let time: any TimeSource

    /// - Throws: ``ExchangeError`` if the engine cannot do what the options say, or the trust holds a certificate
    ///   or key that cannot be used.
    init(
      connections: ConnectionOptions,
      trust: Trust,
      loops: [LoadedEventLoop],
      time: any TimeSource,
      configure: (inout HTTPClient.Configuration) -> Void
    ) throws {
      try Self.check(connections)
      var configuration = HTTPClient.Configuration()
      configuration.tlsConfiguration = try TLSConfiguration(trust)
      configuration.tracing.tracer = nil
      // The request's own limits are shorter by default; this one frees the engine's attempt.
      configuration.timeout.connect = .seconds(60)
      configuration.dnsOverride = connections.addresses
      configuration.localAddress = connections.localAddress
      configuration.httpVersion = connections.versions.contains(.http2) ? .automatic : .http1Only
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
        1,
        connections.connectionsPerOrigin
      )
      configuration.connectionPool.idleTimeout = TimeAmount(connections.idleTimeout)
      configure(&configuration)
      configuration.redirectConfiguration = .disallow
      configuration.decompression = .disabled
      configuration.connectionPool.retryConnectionEstablishment = false
      base = configuration
      ownTrust = trust
      self.loops = loops
      self.time = time
    }

    private static func check(_ connections: ConnectionOptions) throws {
      let name = AsyncHTTPClientTransport.engineName
      try AsyncHTTPClientTransport.allCapabilities.check(connections, transport: name)
      for address in Array(connections.addresses.values) + [connections.localAddress].compactMap(\.self)
      where IPAddress(address) == nil {
        throw ExchangeError(.invalidRequest, "\(address) is no IP address, as connections need it")
      }
      if case .server(let proxy) = connections.proxy, connections.unixSocket != nil {
        throw ExchangeError(
          .unsupported,
          "AsyncHTTPClient goes to a Unix socket or through the proxy \(proxy), not both"
        )
      }
    }

    /// The configuration of an engine.
    ///
    /// - Parameters:
    ///   - trust: Whom it believes; nil for whom the transport does.
    ///   - host: The host that it connects to, if the trust looks at certificates.
    ///   - proxy: What it connects through.
    /// - Throws: ``ExchangeError`` if the engine cannot go through the proxy, or the trust cannot be used.
    func engine(trust: Trust?, host: String?, proxy: Proxy?) throws -> HTTPClient.Configuration {
      var configuration = base
      if let trust { configuration.tlsConfiguration = try TLSConfiguration(trust) }
      if let proxy { configuration.proxy = try HTTPClient.Configuration.Proxy(proxy) }
      let setup = ConnectionSetup(trust: trust ?? ownTrust, host: host, loops: loops, time: time)
      let (http1, http2) = (base.http1_1ConnectionDebugInitializer, base.http2ConnectionDebugInitializer)
      let http2Stream = base.http2StreamChannelDebugInitializer
      configuration.http1_1ConnectionDebugInitializer = { channel in
        setup.connection(channel, applicationProtocol: nil, then: http1)
      }
      configuration.http2ConnectionDebugInitializer = { channel in
        setup.connection(channel, applicationProtocol: "h2", then: http2)
      }
      configuration.http2StreamChannelDebugInitializer = { channel in
        setup.stream(channel, then: http2Stream)
      }
      return configuration
    }
  }

  extension HTTPClient.Configuration.Proxy {
    /// - Throws: ``ExchangeError`` of kind `unsupported` for what is neither HTTP nor SOCKS 5 without a password.
    fileprivate init(_ proxy: StagecoachCore.Proxy) throws {
      try AsyncHTTPClientTransport.allCapabilities.check(
        proxy,
        transport: AsyncHTTPClientTransport.engineName
      )
      switch proxy.kind {
      case .http:
        let authorization = proxy.user.map {
          HTTPClient.Authorization.basic(username: $0, password: proxy.password ?? "")
        }
        self = .server(host: proxy.host, port: proxy.port, authorization: authorization)
      case .socks5 where proxy.user == nil, .socks5h where proxy.user == nil:
        self = .socksServer(host: proxy.host, port: proxy.port)
      default:
        throw ExchangeError(
          .unsupported,
          "AsyncHTTPClient cannot go through the proxy \(proxy)",
          advice: "it can go through http proxies and through socks5 ones without a password"
        )
      }
    }
  }

  extension TimeAmount {
    /// As long, or as long as it can be.
    fileprivate init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
      // Half of what fits, since the engine adds it to the time of its clock.
      let most = Int64.max / 2
      self = .nanoseconds(overflow || carry ? most : min(max(sum, 0), most))
    }
  }
#endif
