import HTTPTypes
package import StagecoachCore

/// Answers the requests to a server from a scenario.
package struct ReplayAnswers: Sendable {
  private let pipeline: Pipeline
  /// What stands before the target of a request: the first origin of the scenario, for a server has only one.
  private let base: String

  package init(_ replay: ReplayTransport) {
    pipeline = Pipeline(over: replay) {}
    base = replay.scenario.origins.first?.origin ?? "http://localhost"
  }

  /// Answers a request: with 500 and the reason if no exchange does.
  ///
  /// - Parameter report: Receives the reason.
  /// - Throws: The failure that was recorded, for which the connection ends.
  package func answer(
    _ request: Request,
    _ report: @Sendable (String) -> Void = { _ in }
  ) async throws -> Response {
    let path = request.head.path ?? "/"
    var copy = Request(
      request.method,
      path == "*" ? base : base + path,
      fields: request.fields,
      body: request.body
    )
    copy.options = request.options
    do {
      if path == "*" {
        // The target of OPTIONS for the whole server is no part of a URL (RFC 9112 3.2.4).
        try copy.resolve(against: nil)
        copy.head.path = path
      }
      var response = try await pipeline.send(copy)
      response.fields = UpstreamFields.local(response.fields, base: base)
      return response
    } catch let error as ExchangeError {
      guard case .stageFailure = error.kind else { throw error }
      report(error.message)
      return Response(
        .internalServerError,
        fields: [.contentType: "text/plain; charset=utf-8"],
        body: .bytes(Bytes(error.message + "\n"))
      )
    }
  }
}
