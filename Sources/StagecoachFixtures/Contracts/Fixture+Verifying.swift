import HTTPTypes
public import StagecoachCore

extension Fixture {
  /// Sends a recorded request to a service and compares the reply under the `expect` rules of its exchange.
  ///
  /// Compared are the status, the media type, the content, and the fields that a rule names; a recorded failure has to
  /// fail in the same way. Members and elements that were not recorded are no difference. The plug-in
  /// `FixtureContractTests` generates a test for each exchange that calls this function.
  ///
  /// - Parameters:
  ///   - id: The identifier of the exchange.
  ///   - service: What answers: a client's stack, a pipeline that adds credentials, or a handler in the process. It is
  ///     not shut down.
  ///   - limit: The maximum size of the reply's content, in bytes; 64 MiB by default.
  ///   - filePath: The file of the test, by which the package is found.
  /// - Throws: ``FixtureError`` of kind `changed` if the reply differs, `missing` if there is no such exchange;
  ///   `ScenarioError` if the fixture is malformed; `CancellationError`.
  public func verify(
    exchange id: String,
    against service: any Transport,
    limit: Int = 64 << 20,
    filePath: String = #filePath
  ) async throws {
    let folder = try FixtureRoot(root, filePath: filePath).folder(of: name)
    guard let report = try await StoredFixture(folder: folder).report() else {
      throw FixtureError(.missing, fixture: name, "there is no scenario in \(folder)")
    }
    guard let exchange = report.scenario.exchanges.first(where: { $0.id == id }) else {
      throw FixtureError(
        .missing,
        fixture: name,
        file: report.manifest,
        "there is no exchange \"\(id)\"; build again, so that the tests are those of the fixture"
      )
    }
    let comparison = try ReplyComparison(exchange)
    let reply = try await ServiceReply(to: exchange, in: report.scenario, from: service, limit: limit)
    let differences = comparison.differences(try reply.withoutSecrets())
    guard !differences.isEmpty else { return }
    let title = "\(id) \(exchange.request.method) \(exchange.request.target): the reply is not as recorded:"
    throw FixtureError(
      .changed,
      fixture: name,
      file: report.manifest,
      line: report.line(of: id),
      ([title] + differences.map { "  \($0)" }).joined(separator: "\n")
    )
  }
}

/// The reply of a service to a recorded request.
private struct ServiceReply {
  private let scenario: Scenario
  private var exchange: Scenario.Exchange

  init(
    to recorded: Scenario.Exchange,
    in scenario: Scenario,
    from service: any Transport,
    limit: Int
  ) async throws {
    self.scenario = scenario
    exchange = recorded
    exchange.request.target = scenario.url(of: recorded.request.target) ?? recorded.request.target
    let request = try Request(exchange.request)
    do {
      let response = try await Pipeline(over: service) {}.send(request)
      var body = Scenario.Body(
        try await response.body.collect(upTo: limit),
        type: response.fields[.contentType]
      )
      body = await CodedBody.decoded(body, response.fields, isComplete: true)
      exchange.reply = Scenario.Reply(
        Scenario.Head(response.head),
        body: body.bytes.isEmpty && body.omission == nil ? nil : body
      )
    } catch let error as CancellationError {
      throw error
    } catch let error as ExchangeError where error.isOfService {
      exchange.reply = Scenario.Reply(Scenario.Outcome(error))
    }
  }

  /// The reply with the placeholders of the scenario.
  func withoutSecrets() throws -> Scenario.Reply {
    let redactor = Redactor()
    try redactor.learn(scenario.exchanges.flatMap(\.messages))
    return try redactor.redact(exchange).reply
  }
}

extension ExchangeError {
  /// Whether the failure is one that a recording can hold.
  fileprivate var isOfService: Bool {
    switch kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody, .tls,
      .timeout,
      .protocolViolation:
      true
    default: false
    }
  }
}

extension Request {
  /// A recorded request, to be sent again. Fields that a connection makes are left out.
  ///
  /// - Throws: ``ScenarioError`` if its content was not recorded.
  fileprivate init(_ recorded: Scenario.Request) throws {
    guard let method = HTTPRequest.Method(recorded.method) else {
      throw ScenarioError(.invalid, file: "scenario.json", "\"\(recorded.method)\" is not a method")
    }
    let ofConnection: Set<HTTPField.Name> = [.contentLength, .transferEncoding, .connection]
    let fields = HTTPFields(recorded.fields.filter { !ofConnection.contains($0.name) })
    self.init(method, recorded.target, fields: fields)
    guard let content = recorded.body else { return }
    if let omission = content.omission {
      throw ScenarioError(
        .invalid,
        file: "scenario.json",
        "the content of the request was not recorded, and it cannot be sent: \(omission.reason)"
      )
    }
    body = .bytes(
      Bytes(content.codings.reduce(content.bytes.array) { StoredCoding.encode($0, as: $1) ?? $0 })
    )
  }
}
