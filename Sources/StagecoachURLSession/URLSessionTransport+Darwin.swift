#if canImport(Darwin)
  import Foundation
  public import StagecoachCore

  extension URLSessionTransport {
    /// Streaming responses, HTTP/2 and HTTP/3, trust policies, timings and network use; adds fields and decodes bodies.
    public var capabilities: TransportCapabilities {
      [
        .wire, .streamsResponseBodies, .http2, .http3, .decodesContent, .addsFields, .injectedClock,
        .connectionTimings, .newConnections, .customRoots, .pinsLeaf, .pinsChain, .evaluatesTrust,
        .tlsVersions, .cellularAccess, .serviceTypes,
      ]
    }

    func origin(of request: Request) throws -> LanePool.Origin {
      let trust = try check(request)
      // The engine always allows HTTP/1.1. Whether TLS includes HTTP/2 is checked with the other options.
      guard connections.versions.contains(.http1) else {
        throw ExchangeError(
          .unsupported,
          "\(name) cannot keep connections from HTTP/1.1",
          advice: "leave connections.versions at its default, or add .http3 to it"
        )
      }
      if case .none = connections.proxy { return LanePool.Origin(trust: trust) }
      throw ExchangeError(
        .unsupported,
        "\(name) goes through no proxy on Apple's systems, and not through those of the system's settings either",
        advice: "leave connections.proxy at .none, or use another transport"
      )
    }
  }
#endif
