#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import StagecoachCore
  import Synchronization

  /// An AsyncHTTPClient: the connections that are made under one trust and through one proxy.
  ///
  /// It closes them when it is shut down or when the last reference to it and to its transfers goes away.
  final class Engine: Sendable {
    let client: HTTPClient
    let origins: Origins
    /// What it connects through, as text for people.
    let proxy: String?
    private let shutDown = Atomic(false)

    init(_ configuration: HTTPClient.Configuration, through proxy: Proxy?, on group: any EventLoopGroup) {
      self.proxy = proxy?.description
      client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
      origins = Origins(limit: configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit)
    }

    deinit {
      // AsyncHTTPClient insists on being shut down; it lives until that is done.
      let client = client
      if !shutDown.load(ordering: .sequentiallyConsistent) { client.shutdown { _ in } }
    }

    /// Closes all connections; what is under way fails. A failure to close cleanly leaves nothing that the caller
    /// could do.
    ///
    /// - Returns: Done when all are closed; nil if it was shut down before.
    func shutdown() -> EventLoopFuture<Void>? {
      guard !shutDown.exchange(true, ordering: .sequentiallyConsistent) else { return nil }
      return client.shutdown()
    }
  }
#endif
