#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachCache
  import StagecoachOrigin

  /// `stagecoach proxy`: a reverse proxy with a cache.
  struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "proxy",
      abstract: "Pass requests on to a service, through a cache.",
      discussion: """
        For development and tests, and for a few users in a trusted network (--shared): one service, with answers kept \
        by the rules of HTTP caching, to see how it behaves behind a cache or to spare it. It is not a gateway to the \
        Internet: it speaks neither TLS nor HTTP/2 to clients, checks no users, balances no load, and opens no tunnels. \
        Put nginx, HAProxy or the like in front of it for that.

        Send requests to the address that is printed. The service gets its own host, and none of what a client says of \
        where it comes from: Forwarded, X-Forwarded-*, X-Real-IP and the like, and trailer fields. \
        \(ListeningArguments.hosts) A request that comes back to the proxy gets 508. Redirects and cookies of the \
        service pass unchanged. A request is sent again if only its connection failed: one that had \
        been kept, if the method is idempotent, or one on which the service did not look at it. \
        \(ListeningArguments.pace) What failed is written to standard error, and clients get a status and no details. \
        Without --cache nothing is kept. nginx compresses for proxies only with `gzip_proxied any`. Ends with 0 on \
        SIGINT and SIGTERM.
        """
    )

    @Option(help: ArgumentHelp("The service that answers.", valueName: "url"))
    var upstream: String

    @Option(
      help: ArgumentHelp("Keep responses in memory, or in a folder.", valueName: "memory|folder")
    )
    var cache: CachePlace?

    @OptionGroup var cacheSize: CacheSizeArguments

    @Flag(
      help:
        "Serve several users: the cache follows the rules for shared caches, and --listen takes any address."
    )
    var shared = false

    @OptionGroup var listening: ListeningArguments
    @OptionGroup(title: "Limits") var limits: UpstreamLimits
    @OptionGroup(title: "Connections") var connections: ConnectionArguments

    func validate() throws {
      if !shared, let address = listening.listen, !address.isLoopback {
        throw ValidationError(
          "--listen \(address.host) requires --shared: a private cache only serves users of this machine"
        )
      }
      try cache?.validate(with: connections)
      try cacheSize.validate(hasCache: cache != nil)
      _ = try Upstream(upstream, limits, of: Self.self)
    }

    func run() async throws {
      let upstream = try Upstream(self.upstream, limits, of: Self.self)
      let store = try await cache?.open(cacheSize.cacheSize)
      let pipeline = Pipeline(over: try await connections.makeTransport(isForProxy: true)) {
        if let store { Cache(store, isShared: shared) }
        Upstream.resending
      }
      let proxy = ReverseProxy(to: upstream, over: pipeline)
      try await listening.serve(standingFor: [upstream.url]) { _ in { try await proxy.answer($0) } }
      await Task { await proxy.shutdown() }.value
    }
  }

  extension ListeningArguments.Address {
    /// Whether only programs of this machine reach it.
    fileprivate var isLoopback: Bool { host == "::1" || host.isLoopbackHost }
  }
#endif
