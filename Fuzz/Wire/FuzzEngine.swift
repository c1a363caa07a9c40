#if Tool && CURL
  import ArgumentParser
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachCURL
  import StagecoachURLSession

  /// The engines whose transports are fuzzed.
  enum FuzzEngine: String, Codable, Sendable, CaseIterable, ExpressibleByArgument {
    case curl = "CURL"
    case asyncHTTPClient = "AsyncHTTPClient"
    /// On Linux a server can end its process: it is here to be looked at, and not for CI.
    case urlSession = "URLSession"

    /// Whether it speaks HTTP/2, and where: over CURL that depends on the version of libcurl.
    var http2: InputMaker.HTTP2 {
      switch self {
      case .curl: Self.curlHasHTTP2 ? .plain : .none
      case .asyncHTTPClient, .urlSession: .tls
      }
    }

    private static let curlHasHTTP2 = CURLTransport().capabilities.contains(.http2)

    func transport(_ connections: ConnectionOptions, _ trust: Trust) -> any Transport {
      switch self {
      case .curl: CURLTransport(connections: connections, trust: trust)
      case .asyncHTTPClient: AsyncHTTPClientTransport(connections: connections, trust: trust)
      case .urlSession: URLSessionTransport(connections: connections, trust: trust)
      }
    }
  }
#endif
