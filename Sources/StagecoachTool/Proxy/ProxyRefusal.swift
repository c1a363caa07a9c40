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
    /// - Parameter prefix: What of the upstream is served: the path that precedes that of the request.
    /// - Returns: `nil` if it may be passed on.
    init?(of request: Request, at places: ProxyAuthorities, prefix: String) {
      let isSecure = request.head.scheme == "https"
      if !places.contains(request.head.authority, isSecure: isSecure) {
        status = .misdirectedRequest
        reason = "this proxy answers for \(places)"
      } else if request.method == .trace, !request.body.isEmpty {
        status = .badRequest
        reason = "TRACE has no content"
      } else if !prefix.isEmpty, Self.leavesItsPlace(request.head.path ?? "/") {
        status = .badRequest
        reason = "the path has a segment .., which may lead out of \(prefix)"
      } else if ForwardedFields.passages(request.fields) >= Self.mostPassages {
        status = .init(code: 508, reasonPhrase: "Loop Detected")
        reason = "the request came through \(Self.mostPassages) proxies like this one"
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
