#if AsyncHTTPClient
  import NIOCore
  import NIOPosix
  package import StagecoachCore

  extension AsyncHTTPClientTransport {
    /// Creates a transport whose connections are all on one event loop, so that each informational response is reported:
    /// for a proxy, which passes them on.
    package static func onOneLoop(connections: ConnectionOptions, trust: Trust) -> AsyncHTTPClientTransport {
      AsyncHTTPClientTransport(
        connections: connections,
        trust: trust,
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton.next()
      )
    }
  }
#endif
