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

    private static let parser =
      "the parser refuses it, with a typed error that says what the message has; a parser in front of the engine's would "
      + "have to write all messages anew"
    private static let llhttp = "swift-nio 2.x NIOHTTP1, c_nio_llhttp.c, without its lenient flags"

    private static let deviations = [
      Subject.Deviation(
        "043b",
        failure: "cannot read an HTTP/1.0 response with Transfer-Encoding: chunked",
        "the engine keeps the connection of such a response, whose end another parser may see elsewhere",
        reference: "async-http-client 1.37 HTTP1ClientChannelHandler.swift"
      ),
      .init("046", failure: "a line that ends with a bare LF", parser, reference: llhttp),
      .init("047", failure: "a field on several lines", parser, reference: llhttp),
      .init("059b", failure: "Content-Length twice", parser, reference: llhttp),
      .init("061d", failure: "white space after a chunk size", parser, reference: llhttp),
      .init("064", failure: "Content-Length beside Transfer-Encoding", parser, reference: llhttp),
      .init("065b", failure: "Content-Length beside Transfer-Encoding", parser, reference: llhttp),
      .init(
        "108n",
        failure: "ef bf bd",
        "HPACK's decoder makes strings of values and replaces other octets, before any handler sees them",
        reference: "swift-nio-http2 1.46 NIOHPACK, ByteBuffer+HPACKStringEncoding.swift"
      ),
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
