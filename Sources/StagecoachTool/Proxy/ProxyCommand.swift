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
        Send requests to the address that is printed. The service gets its own host and none of the fields Forwarded \
        and X-Forwarded; requests for other hosts than the two get 421. Redirects and cookies of the service pass \
        unchanged. Without --cache nothing is kept. nginx compresses for proxies only with `gzip_proxied \
        any`. Ends with 0 on SIGINT and SIGTERM.
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
    @OptionGroup(title: "Connections") var connections: ConnectionArguments

    func validate() throws {
      if !shared, let address = listening.listen, !address.isLoopback {
        throw ValidationError(
          "--listen \(address.host) requires --shared: a private cache only serves users of this machine"
        )
      }
      try cache?.validate(with: connections)
      try cacheSize.validate(hasCache: cache != nil)
      _ = try base()
    }

    /// The URL of the service.
    private func base() throws -> TargetURI {
      let base: TargetURI
      do {
        base = try TargetURI(parsing: upstream)
      } catch {
        throw ValidationError("--upstream is not a URL: \(error)")
      }
      guard !base.requestTarget.contains("?"), base.fragment == nil else {
        throw ValidationError("--upstream takes a URL without query and fragment")
      }
      return base
    }

    func run() async throws {
      let base = try base()
      let store = try await cache?.open(cacheSize.cacheSize)
      let pipeline = Pipeline(over: try await connections.makeTransport(isForProxy: true)) {
        if let store { Cache(store, isShared: shared) }
      }
      let proxy = ReverseProxy(to: base, over: pipeline)
      try await listening.serve(making: { url in
        let places = ProxyAuthorities(listening: url, upstream: base)
        return { try await proxy.answer($0, at: places) }
      })
      await Task { await proxy.shutdown() }.value
    }
  }

  extension ListeningArguments.Address {
    /// Whether only programs of this machine reach it.
    fileprivate var isLoopback: Bool { host == "::1" || host.isLoopbackHost }
  }
#endif
