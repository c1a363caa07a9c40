#if canImport(Darwin)
  import Foundation
  public import Stagecoach

  extension URLSessionTransport {
    /// Streaming responses, HTTP/2 and 3, trust, timings; fields are added and bodies delivered decoded.
    public var capabilities: TransportCapabilities {
      [
        .wire, .streamsResponseBodies, .http2, .http3, .decodesContent, .addsFields, .injectedClock,
        .connectionTimings, .newConnections, .customRoots, .pinsLeaf, .pinsChain, .evaluatesTrust,
        .tlsVersions,
      ]
    }

    func origin(of request: Request) throws -> LanePool.Origin {
      let trust = try check(request)
      if case .none = connections.proxy { return LanePool.Origin(trust: trust) }
      throw ExchangeError(.unsupported, "URLSession uses no proxy but through the settings of the system")
    }
  }
#endif
