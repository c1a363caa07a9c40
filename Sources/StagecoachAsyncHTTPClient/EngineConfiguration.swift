#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import StagecoachCore

  /// The configuration of the engines of a transport.
  struct EngineConfiguration: Sendable {
    private let base: HTTPClient.Configuration
    /// The trust policy of the transport.
    let trust: Trust
    private let loops: [LoadedEventLoop]
    private let time: any TimeSource

    /// - Throws: ``ExchangeError`` if the engine does not support the options, or a certificate or key of the trust
    ///   policy is unusable.
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
      // The timeout of the request is shorter by default; this one releases the attempt of the engine.
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
      var trust = trust
      if configuration.tlsConfiguration?.certificateVerification == CertificateVerification.none {
        trust.verification = .noneForTesting
      }
      self.trust = trust
      self.loops = loops
      self.time = time
    }

    private static func check(_ connections: ConnectionOptions) throws {
      let name = AsyncHTTPClientTransport.engineName
      try AsyncHTTPClientTransport.allCapabilities.check(connections, transport: name)
      for address in Array(connections.addresses.values) + [connections.localAddress].compactMap(\.self)
      where IPAddress(address) == nil {
        throw ExchangeError(.invalidRequest, "\(address) is not an IP address")
      }
      if case .server(let proxy) = connections.proxy, connections.unixSocket != nil {
        throw ExchangeError(
          .unsupported,
          "AsyncHTTPClient goes to a Unix socket or through the proxy \(proxy), not both"
        )
      }
    }

    /// Returns the configuration of an engine.
    ///
    /// - Parameters:
    ///   - trust: The trust policy; `nil` for that of the transport.
    ///   - host: The host of the connections, if the trust policy examines certificates.
    ///   - proxy: The proxy of the connections.
    /// - Throws: ``ExchangeError`` if the engine does not support the proxy, or the trust policy is unusable.
    func engine(trust: Trust?, host: String?, proxy: Proxy?) throws -> HTTPClient.Configuration {
      var configuration = base
      if let trust { configuration.tlsConfiguration = try TLSConfiguration(trust) }
      if let proxy { configuration.proxy = try HTTPClient.Configuration.Proxy(proxy) }
      let setup = ConnectionSetup(trust: trust ?? self.trust, host: host, loops: loops, time: time)
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
    /// - Throws: ``ExchangeError`` of kind `unsupported` unless the proxy is HTTP, or SOCKS 5 without a password.
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
    /// Converts a duration, clamped to the largest supported value.
    fileprivate init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
      // Half of the range, because the engine adds it to the time of its clock.
      let most = Int64.max / 2
      self = .nanoseconds(overflow || carry ? most : min(max(sum, 0), most))
    }
  }
#endif
