#if Tool
  import HTTPTypes
  import Stagecoach

  /// A response that `proxy`, `record` and `replay` make themselves, because a request is refused or has no response.
  ///
  /// The reasons are for any client: they do not name the upstream, which the log does.
  struct ProxyRefusal {
    let status: HTTPResponse.Status
    let reason: String

    /// An upstream ended its answer with an informational response, as one that changes the protocol.
    static let informational = ProxyRefusal(.badGateway, "the service changed the protocol, unasked")

    /// The upstream of a proxy is the proxy.
    static let loop = ProxyRefusal(
      .init(code: 508, reasonPhrase: "Loop Detected"),
      "the request came back to this proxy: its upstream is, or leads to, the proxy itself"
    )

    private init(_ status: HTTPResponse.Status, _ reason: String) {
      self.status = status
      self.reason = reason
    }

    /// Answers a request that must not be passed on, and says so on standard error; `nil` if it may.
    ///
    /// - Parameters:
    ///   - prefix: What of the upstream is served: the path that precedes that of the request.
    static func answer(_ request: Request, prefix: String) -> Response? {
      guard let refusal = ProxyRefusal(of: request, prefix: prefix) else { return nil }
      if refusal.status.kind == .serverError { StandardError.write("stagecoach: \(refusal.reason)\n") }
      return refusal.response
    }

    private init?(of request: Request, prefix: String) {
      if request.method == .trace, !request.body.isEmpty {
        status = .badRequest
        reason = "TRACE has no content"
      } else if !prefix.isEmpty, Self.leavesItsPlace(request.head.path ?? "/") {
        status = .badRequest
        reason = "the path has a segment .., which may lead out of the part that is served"
      } else if ForwardedFields.isLoop(request.fields) {
        self = .loop
      } else {
        return nil
      }
    }

    /// Whether a path has a segment `..` for any server, those that decode it before they split it among them.
    private static func leavesItsPlace(_ path: String) -> Bool {
      String(decoding: path.prefix { $0 != "?" }.utf8.percentDecoded, as: UTF8.self)
        .split { $0 == "/" || $0 == "\\" }
        .contains("..")
    }

    /// Judges a failure.
    init(because error: ExchangeError) {
      switch error.kind {
      case .timeout(.connect): self.init(.gatewayTimeout, "no connection to the service in time")
      case .timeout(.pool): self.init(.gatewayTimeout, "no connection to the service became free in time")
      case .timeout: self.init(.gatewayTimeout, "the service did not answer in time")
      case .invalidRequest: self.init(.badRequest, "the request cannot be passed on")
      case .limit(.requestHead):
        self.init(.requestHeaderFieldsTooLarge, "the head of the request is too large to be passed on")
      case .shutdown: self.init(.serviceUnavailable, "the proxy is being stopped")
      case .nameResolution, .connectionRefused, .connectionFailed, .tls:
        self.init(.badGateway, "the service cannot be reached")
      case .connectionReset, .incompleteBody:
        self.init(.badGateway, "the service ended the connection before it answered")
      case .protocolViolation, .limit(.responseHead):
        self.init(.badGateway, "the service sent an answer that is not valid HTTP or too large")
      default: self.init(.badGateway, "the request to the service failed")
      }
    }

    var response: Response {
      Response(
        status,
        fields: [.contentType: "text/plain; charset=utf-8"],
        body: .bytes(Bytes(reason + "\n"))
      )
    }
  }
#endif
