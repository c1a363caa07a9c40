#if Tool
  import HTTPTypes
  import Stagecoach

  /// What the proxy answers itself, because it does not pass a request on or gets no response.
  struct ProxyRefusal {
    /// The most proxies like this one that a request passes: more of them send it in a circle.
    private static let mostPassages = 10

    let status: HTTPResponse.Status
    let reason: String

    /// An upstream ended its answer with an informational response, as one that changes the protocol.
    static let informational = ProxyRefusal(.badGateway, "the upstream changed the protocol, unasked")

    private init(_ status: HTTPResponse.Status, _ reason: String) {
      self.status = status
      self.reason = reason
    }

    /// Judges a request before it is passed on.
    ///
    /// - Returns: `nil` if it may be passed on.
    init?(of request: Request, at places: ProxyAuthorities) {
      let isSecure = request.head.scheme == "https"
      if !places.contains(request.head.authority, isSecure: isSecure) {
        status = .misdirectedRequest
        reason = "this proxy answers for \(places)"
      } else if request.method == .trace, !request.body.isEmpty {
        status = .badRequest
        reason = "TRACE has no content"
      } else if ForwardedFields.passages(request.fields) >= Self.mostPassages {
        status = .init(code: 508, reasonPhrase: "Loop Detected")
        reason = "the request came through \(Self.mostPassages) proxies like this one"
      } else {
        return nil
      }
    }

    /// Judges a failure.
    init(because error: ExchangeError) {
      status =
        switch error.kind {
        case .timeout: .gatewayTimeout
        case .invalidRequest, .requestBody: .badRequest
        case .limit(.requestHead): .requestHeaderFieldsTooLarge
        case .shutdown: .serviceUnavailable
        default: .badGateway
        }
      reason = "\(error)"
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
