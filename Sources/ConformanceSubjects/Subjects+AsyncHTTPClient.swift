#if AsyncHTTPClient
  import Stagecoach
  import StagecoachAsyncHTTPClient
  package import StagecoachConformance

  extension Subjects {
    /// The transport over AsyncHTTPClient.
    package static let asyncHTTPClient = Subject("AsyncHTTPClient", deviations: deviations, make: make)

    package static let asyncHTTPClientPipeline = pipeline(over: asyncHTTPClient, make)

    @Sendable
    private static func make(_ setup: Subject.Setup) throws -> any Transport {
      AsyncHTTPClientTransport(connections: setup.connections, trust: setup.trust, time: setup.time)
    }

    private static let deviations = [
      Subject.Deviation(
        "003b",
        "the engine takes targets as Foundation's URL, which encodes a bare [ or ]; other characters that it "
          + "encodes would be encoded twice, so the transport encodes the brackets itself",
        reference: "async-http-client 1.37 DeconstructedURL.swift, init(url: String)"
      ),
      Subject.Deviation(
        "053",
        "the parser turns values into Strings and replaces bytes that are no UTF-8, before any handler that could "
          + "be added sees them",
        reference: "swift-nio 2.101 HTTPDecoder.swift:676, didReceiveHeaderValue"
      ),
      Subject.Deviation(
        "072",
        "empty frames of data are counted as if they followed each other, and the second is refused; the engine "
          + "sets no other limit, so the transport closes the connection and fails with a typed error",
        reference:
          "swift-nio-http2 1.46 DOSHeuristics.swift:64; async-http-client HTTP2Connection.swift, start0"
      ),
      Subject.Deviation(
        "094e",
        "the call ends at once, and its connection attempt goes on until the engine's limit for connecting: "
          + "no handler is added before TLS is done, so nothing can close it",
        reference: "async-http-client 1.37 HTTPConnectionPool.swift, cancelRequest"
      ),
      Subject.Deviation(
        "105c",
        "the error of a refused certificate has one reason for all, CERTIFICATE_VERIFY_FAILED; the result of the "
          + "verification is not read, and the engine sets no verification callback",
        reference: "swift-nio-ssl 2.37 NIOSSLHandler.swift, handshakeFailed; async-http-client #285"
      ),
    ]
  }
#endif
