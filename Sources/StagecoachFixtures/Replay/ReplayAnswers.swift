import HTTPTypes
package import StagecoachCore
import StagecoachFormats

/// Answers the requests to a server from a scenario.
package struct ReplayAnswers: Sendable {
  private let pipeline: Pipeline
  private let base: String
  /// The service that the server stands for: the first origin of the scenario, for a server has only one.
  private let scheme: String
  private let authority: String
  /// The path of its URL; empty for the root.
  private let prefix: String

  package init(_ replay: ReplayTransport) {
    pipeline = Pipeline(over: replay) {}
    base = replay.scenario.origins.first?.origin ?? "http://localhost"
    // Not parsed as a URL: targets are compared as they were recorded.
    let service = LiveRequest(method: "GET", url: base, fields: [:], body: Bytes())
    (scheme, authority) = (service.scheme, service.authority)
    prefix = service.path == "/" ? "" : String(service.path)
  }

  /// Answers a request: with 500 and the reason if no exchange does.
  ///
  /// - Parameter report: Receives the reason.
  /// - Throws: The failure that was recorded, for which the connection ends, and that of a client which does not send its
  ///   content.
  package func answer(
    _ request: Request,
    _ report: @Sendable (String) -> Void = { _ in }
  ) async throws -> Response {
    var request = request
    let path = request.head.path ?? "/"
    request.head.scheme = scheme
    request.head.authority = authority
    request.head.path = path == "*" ? path : prefix + path
    do {
      var response = try await pipeline.send(request)
      response.fields = UpstreamFields.local(response.fields, base: base)
      return response
    } catch {
      return try Self.answer(for: error, report)
    }
  }

  /// Answers a request whose handling failed.
  ///
  /// - Throws: The error, if only the end of the connection can tell it.
  static func answer(
    for error: any Error,
    _ report: @Sendable (String) -> Void = { _ in }
  ) throws -> Response {
    let failure = error as? ExchangeError
    // The server answers a client that sends its content wrongly.
    guard Scenario.Outcome(error) == nil, failure?.kind != .requestBody else { throw error }
    let text = failure?.message ?? Format.describe(error)
    report(text)
    return Response(unrecorded: text)
  }
}

extension Response {
  /// The answer to a request that failed for a reason of which no recording says anything.
  package init(unrecorded text: String) {
    self.init(
      .internalServerError,
      fields: [.contentType: "text/plain; charset=utf-8"],
      body: .bytes(Bytes(text + "\n"))
    )
  }
}
