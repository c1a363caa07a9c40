extension TransportCapabilities {
  /// Checks that a transport with these capabilities supports the network use of a request.
  ///
  /// - Throws: ``ExchangeError`` of kind `unsupported`.
  public func check(_ use: NetworkUse?, transport: @autoclosure () -> String) throws {
    guard let use else { return }
    if use.allowsCellularAccess == false, !contains(.cellularAccess) {
      throw Self.unsupported("networkUse.allowsCellularAccess", transport())
    }
    if use.newConnection == true, !contains(.newConnections) {
      throw Self.unsupported("networkUse.newConnection", transport())
    }
    if use.pipelines == true, !contains(.pipelining) {
      throw Self.unsupported("networkUse.pipelines", transport())
    }
    if let type = use.serviceType, type != .standard, !contains(.serviceTypes) {
      throw Self.unsupported("networkUse.serviceType", transport())
    }
  }

  /// Checks that a transport with these capabilities supports the connection options.
  ///
  /// - Throws: ``ExchangeError`` of kind `unsupported`.
  public func check(_ options: ConnectionOptions, transport: @autoclosure () -> String) throws {
    if options.unixSocket != nil, !contains(.unixSockets) {
      throw Self.unsupported("unixSocket", transport())
    }
    if !options.addresses.isEmpty, !contains(.addressOverrides) {
      throw Self.unsupported("addresses", transport())
    }
    if options.localAddress != nil, !contains(.localAddress) {
      throw Self.unsupported("localAddress", transport())
    }
    let isPossible =
      options.versions.contains(.http1)
      || options.versions.contains(.http2) && contains(.http2PriorKnowledge)
      || options.versions.contains(.http3) && contains(.http3)
    if !isPossible { throw Self.unsupported("versions without HTTP/1.1", transport()) }
  }

  /// Checks that a transport with these capabilities supports the proxy.
  ///
  /// - Throws: ``ExchangeError`` of kind `unsupported`.
  public func check(_ proxy: Proxy, transport: @autoclosure () -> String) throws {
    let needed: TransportCapabilities =
      switch proxy.kind {
      case .http, .https: .httpProxies
      case .socks4, .socks4a, .socks5, .socks5h: .socksProxies
      }
    if !contains(needed) { throw Self.unsupported("the proxy \(proxy)", transport()) }
    if proxy.authentication == .digest, needed == .socksProxies || !contains(.proxyDigest) {
      throw Self.unsupported("Digest for the proxy \(proxy)", transport())
    }
  }

  /// Checks that a transport with these capabilities supports the trust policy.
  ///
  /// - Throws: ``ExchangeError`` of kind `unsupported`.
  public func check(_ trust: Trust, transport: @autoclosure () -> String) throws {
    if trust.roots != .system, !contains(.customRoots) { throw Self.unsupported("trust.roots", transport()) }
    if trust.pins != nil, isDisjoint(with: [.pinsLeaf, .pinsChain]) {
      throw Self.unsupported("trust.pins", transport())
    }
    if trust.identity != nil, !contains(.clientIdentity) {
      throw Self.unsupported("trust.identity", transport())
    }
    if trust.evaluation != nil, !contains(.evaluatesTrust) {
      throw Self.unsupported("trust.evaluation", transport())
    }
    if trust.minimumVersion != .tls12 || trust.maximumVersion != nil, !contains(.tlsVersions) {
      throw Self.unsupported("the versions of trust", transport())
    }
    if trust.verification != .full, !contains(.customRoots) {
      throw Self.unsupported("trust.verification", transport())
    }
  }

  private static func unsupported(_ what: String, _ transport: String) -> ExchangeError {
    ExchangeError(
      .unsupported,
      "\(transport) cannot do what \(what) asks for",
      advice: "leave it out, or use a transport that declares the capability"
    )
  }
}
