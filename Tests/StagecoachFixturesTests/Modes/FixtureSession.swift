import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport

/// A fixture in a scratch folder, used in any mode, whatever the environment says.
struct FixtureSession {
  let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  var place: String { "\(folder.path)/users" }

  /// A handler that answers each request with its path.
  static func service(_ text: String = "") -> HandlerTransport {
    HandlerTransport { request in
      let body = Bytes("\(text)\(request.head.path ?? "")")
      return Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(body))
    }
  }

  /// Sends requests in a mode and ends the run.
  @discardableResult
  func use(
    _ mode: FixtureMode?,
    _ service: HandlerTransport? = FixtureSession.service(),
    paths: String...
  ) async throws -> FixtureRun.Findings {
    let run = try await start(mode, service)
    for path in paths { _ = try await Self.text(path, run.transport) }
    return try await run.finish()
  }

  func start(
    _ mode: FixtureMode?,
    _ service: HandlerTransport?,
    redaction: RedactionOptions = RedactionOptions()
  ) async throws -> FixtureRun {
    let live = service.map { service in
      { @Sendable () async throws -> any Transport in Pipeline(over: service) {} }
    }
    var options = FixtureOptions(
      "users",
      mode: mode,
      root: folder.path,
      live: live,
      filePath: #filePath,
      redaction: redaction
    )
    options.environment = [:]
    return try await FixtureRun(options, test: "userIsRead")
  }

  static func text(_ path: String, _ transport: any Transport) async throws -> String {
    let response = try await Pipeline(over: transport) {}.send(.get("https://api.test\(path)"))
    return String(decoding: try await response.body.collect(upTo: 1000))
  }

  func scenario() throws -> Scenario { try Scenario(folder: place) }

  /// Writes a scenario of GETs whose answers are their paths.
  func write(_ paths: String..., change: (inout Scenario) -> Void = { _ in }) throws {
    var scenario = Scenario(title: "users")
    scenario.origins = [.init(name: "api", origin: "https://api.test")]
    for (number, path) in paths.enumerated() {
      let head = Scenario.Head(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]))
      let reply = Scenario.Reply(head, body: Scenario.Body(Bytes(path), type: "text/plain"))
      scenario.exchanges.append(
        .init(id: "0\(number + 1)", request: .init("GET", "{api}\(path)"), reply: reply)
      )
    }
    change(&scenario)
    try scenario.write(folder: place)
  }
}
