#if canImport(Darwin)
  import Foundation
  public import StagecoachCore

  extension URLSessionTransport {
    /// Streaming responses, HTTP/2 and 3, trust, timings, the use of the network; fields are added and bodies
    /// delivered decoded.
    public var capabilities: TransportCapabilities {
      [
        .wire, .streamsResponseBodies, .http2, .http3, .decodesContent, .addsFields, .injectedClock,
        .connectionTimings, .newConnections, .customRoots, .pinsLeaf, .pinsChain, .evaluatesTrust,
        .tlsVersions, .cellularAccess, .serviceTypes,
      ]
    }

    func origin(of request: Request) throws -> LanePool.Origin {
      let trust = try check(request)
      // The engine speaks it wherever nothing newer is agreed on. That TLS takes HTTP/2 in is checked with the rest.
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
