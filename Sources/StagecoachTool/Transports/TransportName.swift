#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachCURL
  import StagecoachURLSession

  /// The transports of `--transport`.
  enum TransportName: String, ExpressibleByArgument, CaseIterable {
    case asyncHTTPClient = "AsyncHTTPClient"
    case urlSession = "URLSession"
    #if CURL
      case curl = "CURL"
    #endif

    init?(argument: String) {
      guard let name = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() })
      else {
        return nil
      }
      self = name
    }

    /// Whether the transport authenticates to proxies with Digest.
    var canUseProxyDigest: Bool {
      #if CURL
        self == .curl
      #else
        false
      #endif
    }

    /// - Parameter isForProxy: Whether all informational responses must be reported.
    func makeTransport(connections: ConnectionOptions, trust: Trust, isForProxy: Bool) -> any Transport {
      switch self {
      case .asyncHTTPClient where isForProxy:
        AsyncHTTPClientTransport.onOneLoop(connections: connections, trust: trust)
      case .asyncHTTPClient: AsyncHTTPClientTransport(connections: connections, trust: trust)
      case .urlSession: URLSessionTransport(connections: connections, trust: trust)
      #if CURL
        case .curl: CURLTransport(connections: connections, trust: trust)
      #endif
      }
    }
  }
#endif
