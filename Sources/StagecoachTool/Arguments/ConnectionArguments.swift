#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachCURL
  import StagecoachURLSession

  /// The options of `fetch` for connections and trust.
  struct ConnectionArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The transport to use.", valueName: "name"))
    var transport = TransportName.asyncHTTPClient

    @Option(
      name: .customLong("proxy"),
      help: ArgumentHelp(
        "Use a proxy, http://[user:password@]host:port or socks5h://host:port, or none. Overrides the "
          + "variables http_proxy, https_proxy, all_proxy and no_proxy.",
        valueName: "url|none"
      )
    )
    var proxyArgument: Concealed<ProxyArgument>?

    @Flag(help: "Only use Digest to authenticate to the proxy (requires --transport CURL).")
    var proxyDigest = false

    @Option(help: ArgumentHelp("Connect to a Unix socket instead of the host of the URL.", valueName: "path"))
    var unixSocket: String?

    @Option(
      name: .customLong("cacert"),
      help: ArgumentHelp("Only trust the certificates in a PEM file.", valueName: "file")
    )
    var authorities: String?

    @Option(
      name: .customLong("cert"),
      help: ArgumentHelp(
        "Use the client certificates in a PEM file if the server asks for them.",
        valueName: "file"
      )
    )
    var certificate: String?

    @Option(
      help: ArgumentHelp("The private key of --cert, if that file does not contain it.", valueName: "file")
    )
    var key: String?

    @Option(
      name: .customLong("pin"),
      help: ArgumentHelp(
        "Only accept a server with this public key. May be repeated: one of them must match.",
        valueName: "sha256/..."
      )
    )
    var pins: [PinArgument] = []

    @Flag(help: "Do not verify the certificate of the server. Insecure: others can impersonate it.")
    var insecure = false

    private func proxy() throws -> ProxyArgument? {
      try proxyArgument?.value(of: "--proxy", as: "the URL of a proxy or none")
    }

    func validate() throws {
      let proxy = try proxy()
      if key != nil, certificate == nil { throw ValidationError("--key requires --cert") }
      if insecure, authorities != nil { throw ValidationError("--insecure and --cacert cannot be combined") }
      if unixSocket != nil, case .server = proxy {
        throw ValidationError("--unix-socket and --proxy cannot be combined")
      }
      if proxyDigest {
        guard case .server(let proxy) = proxy, proxy.user != nil, [.http, .https].contains(proxy.kind) else {
          throw ValidationError("--proxy-digest requires --proxy with an HTTP proxy, a name and a password")
        }
        guard transport.canUseProxyDigest else {
          throw ValidationError("--proxy-digest requires --transport CURL")
        }
      }
    }

    /// The transport that these options ask for.
    ///
    /// - Parameter isForProxy: Whether all informational responses must be reported, and many clients are served.
    /// - Throws: `ExchangeError` of kind `file` if a file cannot be read or holds something else.
    func makeTransport(isForProxy: Bool = false) async throws -> any Transport {
      var connections = ConnectionOptions()
      connections.unixSocket = unixSocket
      if isForProxy {
        connections.connectionsPerOrigin = OpenFiles.raiseLimit()
        // Many servers close idle connections after five seconds: a request on its way by then fails.
        connections.idleTimeout = .seconds(4)
      }
      connections.proxy =
        switch try proxy() {
        case .server(let proxy): .server(proxyDigest ? proxy.withDigest : proxy)
        case .direct: .none
        case nil: unixSocket == nil ? .environment : .none
        }
      var trust = Trust(pins: pins.isEmpty ? nil : Set(pins.map(\.pin)))
      if insecure { trust.verification = .noneForTesting }
      if let authorities {
        trust.roots = .only(try await Self.read(authorities) { try Certificate.fromPEM($0) })
      }
      if let certificate {
        let chain = try await Self.read(certificate) {
          _ = try Certificate.fromPEM($0)
          return $0
        }
        trust.identity = try await Self.read(key ?? certificate) {
          try ClientIdentity(chainPEM: chain, privateKeyPEM: $0)
        }
      }
      return transport.makeTransport(connections: connections, trust: trust, isForProxy: isForProxy)
    }

    /// The most bytes that are read of a file: all authorities that systems come with are a third of that.
    private static let limit = 1 << 20

    private static func read<Value>(_ path: String, _ parse: (String) throws -> Value) async throws -> Value {
      let content = try await BlockingQueue.files.run { try Descriptor.read(path, limit: limit) }
      do {
        return try parse(String(decoding: content, as: UTF8.self))
      } catch {
        var failure = ExchangeError(.file, "\(path) cannot be used: \(error)", underlying: error)
        // The reason says what to do.
        failure.advice = nil
        throw failure
      }
    }
  }

  /// A proxy, as `--proxy` takes it.
  enum ProxyArgument: ExpressibleByArgument {
    case direct
    case server(Proxy)

    init?(argument: String) {
      if argument == "none" {
        self = .direct
      } else if let proxy = try? Proxy(argument) {
        self = .server(proxy)
      } else {
        return nil
      }
    }
  }

  extension Proxy {
    fileprivate var withDigest: Proxy {
      var proxy = self
      proxy.authentication = .digest
      return proxy
    }
  }

  /// A pin, as `--pin` takes it.
  struct PinArgument: ExpressibleByArgument {
    let pin: Pin

    init?(argument: String) {
      guard let pin = try? Pin(argument) else { return nil }
      self.pin = pin
    }
  }
#endif
