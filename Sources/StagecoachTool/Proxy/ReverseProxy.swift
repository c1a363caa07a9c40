#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachCache
  import StagecoachOrigin

  /// Passes requests on to an upstream, as an intermediary of RFC 9110 7.6.
  struct ReverseProxy: Sendable {
    private let scheme: String
    private let authority: String
    /// The path of the upstream's URL, which precedes that of each request; empty for the root.
    private let prefix: String
    private let pipeline: Pipeline
    /// Where stale responses are validated that were served already.
    private let background = BackgroundScope()

    /// - Parameters:
    ///   - upstream: The URL of the upstream. Its path precedes that of each request.
    ///   - pipeline: Sends the requests.
    init(to upstream: TargetURI, over pipeline: Pipeline) {
      scheme = upstream.scheme
      authority = upstream.authority
      let path = upstream.requestTarget
      prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
      self.pipeline = pipeline
    }

    /// Answers a request.
    ///
    /// - Throws: What only the end of the connection can tell the client: the task was cancelled.
    func answer(_ request: Request, at places: ProxyAuthorities) async throws -> Response {
      var response = try await undated(request, places)
      // What arrives without a date gets that of its arrival (RFC 9110 6.6.1).
      if response.fields[.date] == nil { response.fields[.date] = HTTPDate(Date.now)?.description }
      return response
    }

    /// Ends what is done in the background, and closes the connections to the upstream.
    func shutdown() async {
      await background.close()
      await pipeline.shutdown()
    }

    private func undated(_ request: Request, _ places: ProxyAuthorities) async throws -> Response {
      if let refusal = ProxyRefusal(of: request, at: places, prefix: prefix) { return refusal.response }
      if let response = FinalRecipient.answer(request) { return response }
      do {
        var response = try await pipeline.send(forwarded(request))
        guard response.status.code >= 200 else { return ProxyRefusal.informational.response }
        response.fields = ForwardedFields.response(response.fields, version: response.version ?? .http11)
        return response
      } catch let error as ExchangeError {
        let refusal = ProxyRefusal(because: error)
        if refusal.status.kind == .serverError { StandardError.write("stagecoach: \(error)\n") }
        return refusal.response
      }
    }

    private func forwarded(_ request: Request) -> Request {
      var forwarded = request
      forwarded.exchange = Exchange(background: background)
      forwarded.head.scheme = scheme
      forwarded.head.authority = authority
      let path = request.head.path ?? "/"
      forwarded.head.path = path == "*" ? path : prefix + path
      forwarded.fields = ForwardedFields.request(
        request.fields,
        version: request.options.receivedVersion
      )
      FinalRecipient.countDown(&forwarded)
      if let passOn = request.options.informationalResponseHandler {
        forwarded.options.informationalResponseHandler = { head in
          var head = head
          head.headerFields = ForwardedFields.response(head.headerFields, version: .http11)
          passOn(head)
        }
      }
      return forwarded
    }
  }
#endif
