#if AsyncHTTPClient
  import StagecoachCore
  import StagecoachAsyncHTTPClient
  package import StagecoachConformance

  extension Subjects {
    /// The transport over AsyncHTTPClient.
    package static let asyncHTTPClient = Subject("AsyncHTTPClient", deviations: deviations, make: make)

    package static let asyncHTTPClientPipeline = pipeline(over: asyncHTTPClient, make)

    @Sendable
    private static func make(_ setup: Subject.Setup) throws -> any Transport {
      AsyncHTTPClientTransport(connections: setup.connections, trust: setup.trust, clock: setup.clock)
    }

    private static let deviations = [
      Subject.Deviation(
        "072",
        failure: "200, 3 bytes, incompleteBody",
        "empty frames of data are counted as if they followed each other, and the second is refused, with a typed "
          + "error; the engine sets no other limit, and lets nobody in front of the parser before the peer's settings "
          + "have come: where the next frame begins is not known by then",
        reference:
          "swift-nio-http2 1.46 DOSHeuristics.swift:64; async-http-client HTTP2Connection.swift, start0"
      ),
      Subject.Deviation(
        "092l",
        failure: "does not name CONNECT and 403",
        "the proxy is asked once, and the error names it and CONNECT; of its status the engine only tells 407, and no "
          + "handler is added before the proxy has answered",
        reference: "async-http-client 1.37 HTTP1ProxyConnectHandler.swift, handleHTTPHeadReceived"
      ),
      Subject.Deviation(
        "094e",
        failure: "the peer did not see the end",
        "the call ends at once, and its connection attempt goes on until the engine's limit for connecting: "
          + "no handler is added before TLS is done, and ending the engine itself does not end its attempts",
        reference: "async-http-client 1.37 HTTPConnectionPool.swift, cancelRequest"
      ),
      Subject.Deviation(
        "105c",
        failure: "it fails as tls.untrusted",
        "the error of a refused certificate has one reason for all, CERTIFICATE_VERIFY_FAILED, and no chain; the result of the "
          + "verification is not read, and the engine sets no verification callback; to verify by hand instead would be "
          + "to switch its verification off",
        reference: "swift-nio-ssl 2.37 NIOSSLHandler.swift, handshakeFailed; async-http-client #285"
      ),
    ]
  }
#endif
