import HTTPTypes
package import StagecoachCore
import StagecoachFormats

/// Answers the requests to a server from a scenario.
package struct ReplayAnswers: Sendable {
  private let pipeline: Pipeline
  /// The services of the scenario that are served.
  package let services: [ServedService]

  /// - Parameter origin: The only service that is served; by default all of them.
  /// - Throws: ``ScenarioError`` if the scenario has no exchanges with that service.
  package init(_ replay: ReplayTransport, origin: String? = nil) throws {
    pipeline = Pipeline(over: replay) {}
    let known = replay.scenario.services.map(\.service)
    guard let origin else {
      services = known.isEmpty ? [ServedService("http://localhost")] : known
      return
    }
    let wanted = ServedService(origin.hasSuffix("/") ? String(origin.dropLast()) : origin)
    guard known.contains(wanted) else {
      let list = known.map(\.url).joined(separator: ", ")
      throw ScenarioError(
        .invalid,
        file: "scenario.json",
        "no exchange with \(origin); it has exchanges with \(list)"
      )
    }
    services = [wanted]
  }

  /// The service that a request is for: the one that its host names, and otherwise the first.
  private func service(for request: Request) -> ServedService {
    guard services.count > 1 else { return services[0] }
    let named = services.filter { $0.isNamed(by: request) }
    func fits(_ service: ServedService) -> Int {
      (service.covers(request.head.path ?? "/") ? 2 : 0) + (service.scheme == request.head.scheme ? 1 : 0)
    }
    let best = named.map(fits).max()
    return named.first { fits($0) == best } ?? services[0]
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
    let service = service(for: request)
    var directed = request
    directed.head.scheme = service.scheme
    directed.head.authority = service.authority
    directed.head.path = service.path(of: request)
    do {
      var response = try await pipeline.send(directed)
      response.fields = service.local(response.fields, for: request)
      return response
    } catch {
      return try Self.answer(for: error, report)
    }
  }

  /// Whether an error is the failure of a recorded exchange.
  private static func isRecorded(_ error: any Error) -> Bool {
    guard let error = error as? ExchangeError else { return error is CancellationError }
    switch error.kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody, .tls,
      .timeout,
      .protocolViolation, .bodyCancelled:
      return true
    default: return false
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
    guard !isRecorded(error), failure?.kind != .requestBody else { throw error }
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
