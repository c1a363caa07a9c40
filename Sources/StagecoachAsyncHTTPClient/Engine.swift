#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import StagecoachCore
  import Synchronization

  /// An AsyncHTTPClient for the connections of one trust policy and one proxy.
  ///
  /// It closes them when it is shut down, or when the last reference to it and to its transfers is released.
  final class Engine: Sendable {
    let client: HTTPClient
    let origins: Origins
    let proxy: Proxy?
    /// The proxy, as text for events.
    let proxyName: String?
    private let shutDown = Atomic(false)

    init(_ configuration: HTTPClient.Configuration, through proxy: Proxy?, on group: any EventLoopGroup) {
      self.proxy = proxy
      proxyName = proxy?.description
      client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
      origins = Origins(limit: configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit)
    }

    deinit {
      // AsyncHTTPClient must be shut down, and lives until that is done.
      let client = client
      if !shutDown.load(ordering: .sequentiallyConsistent) { client.shutdown { _ in } }
    }

    /// Closes all connections; transfers in progress fail. An error while closing is ignored, because the caller cannot
    /// handle it.
    ///
    /// - Returns: A future that completes when all are closed; `nil` if the engine was already shut down.
    func shutdown() -> EventLoopFuture<Void>? {
      guard !shutDown.exchange(true, ordering: .sequentiallyConsistent) else { return nil }
      return client.shutdown()
    }
  }
#endif
