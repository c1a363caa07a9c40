#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachCache
  import StagecoachOrigin

  /// Passes requests on to an upstream, as an intermediary of RFC 9110 7.6.
  struct ReverseProxy: Sendable {
    private let upstream: Upstream
    private let pipeline: Pipeline
    /// Where stale responses are validated that were served already.
    private let background = BackgroundScope()

    /// - Parameter pipeline: Sends the requests.
    init(to upstream: Upstream, over pipeline: Pipeline) {
      self.upstream = upstream
      self.pipeline = pipeline
    }

    /// Answers a request.
    ///
    /// - Throws: What only the end of the connection can tell the client: the task was cancelled.
    func answer(_ request: Request) async throws -> Response {
      var response = try await undated(request)
      // What arrives without a date gets that of its arrival (RFC 9110 6.6.1).
      if response.fields[.date] == nil { response.fields[.date] = HTTPDate(Date.now)?.description }
      return response
    }

    /// Ends what is done in the background, and closes the connections to the upstream.
    func shutdown() async {
      await background.close()
      await pipeline.shutdown()
    }

    private func undated(_ request: Request) async throws -> Response {
      if let refusal = ProxyRefusal.answer(request, prefix: upstream.prefix) { return refusal }
      if let response = FinalRecipient.answer(request) { return response }
      // A client that sends its content wrongly or too slowly is answered by the server.
      let forwarded = try await forwarded(request)
      do {
        var response = try await pipeline.send(forwarded)
        guard response.status.code >= 200 else { return ProxyRefusal.informational.response }
        response.fields = ForwardedFields.response(response.fields, version: response.version ?? .http11)
        return response
      } catch let error as ExchangeError where error.kind != .requestBody {
        let refusal = ProxyRefusal(because: error)
        if refusal.status.kind == .serverError { upstream.log(error) }
        return refusal.response
      }
    }

    private func forwarded(_ request: Request) async throws -> Request {
      var forwarded = try await upstream.direct(request)
      forwarded.exchange = Exchange(background: background)
      if request.body.hasTrailers {
        // What a client sends as a trailer field some services take for a field.
        let body = request.body
        forwarded.body = .source(length: body.length, isReplayable: body.isReplayable) {
          try body.makeSource()
        }
      }
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
