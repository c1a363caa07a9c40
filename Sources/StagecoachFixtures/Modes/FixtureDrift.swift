import HTTPTypes
import StagecoachCore

/// What changed since a recording: the replies of a service that are not as recorded.
struct FixtureDrift {
  /// The differences, in the order of the requests.
  private(set) var changes: [FixtureError] = []
  /// The identifiers of the exchanges that were used less often than they say.
  private(set) var unused: [String] = []

  /// - Parameters:
  ///   - live: What the service said now, recorded without secrets.
  ///   - report: The recording.
  /// - Throws: ``ScenarioError`` if a rule of the recording is malformed.
  init(of live: Scenario, from report: FixtureReport, fixture: String) throws {
    let index = try ReplayIndex(report.scenario)
    var state = ReplayState(report.scenario, index)
    for exchange in live.exchanges {
      let request = LiveRequest(
        method: exchange.request.method,
        url: live.url(of: exchange.request.target) ?? exchange.request.target,
        fields: exchange.request.fields,
        body: exchange.request.body?.bytes ?? Bytes()
      )
      guard let found = state.take(index.matches(for: request), for: request, of: index.exchanges) else {
        let diagnosis = try ReplayDiagnosis(request, index.exchanges, title: report.scenario.title, state)
        changes.append(
          FixtureError(.unmatched, fixture: fixture, file: report.manifest, diagnosis.text)
        )
        continue
      }
      let differences = try Self.differences(exchange.reply, found.exchange.recorded, report)
      guard !differences.isEmpty else { continue }
      let text = differences.map { "\n  \($0)" }.joined()
      changes.append(
        report.error(.changed, found.exchange.recorded, fixture: fixture, "the reply is not as recorded:\(text)")
      )
    }
    unused = state.unused(of: index.exchanges).map(\.recorded.id)
  }

  private static func differences(
    _ reply: Scenario.Reply,
    _ recorded: Scenario.Exchange,
    _ report: FixtureReport
  ) throws -> [String] {
    guard reply.outcome.kind == recorded.reply.outcome.kind else {
      return ["outcome: expected \(recorded.reply.outcome.kind) but was \(reply.outcome.kind)"]
    }
    // What came before a failure depends on its moment.
    guard reply.outcome.kind == .complete, let head = reply.head?.response else { return [] }
    let contract = try report.contract(of: recorded)
    if let omission = reply.body?.omission, contract.expected.body != .absent {
      return ["body: the content cannot be compared: \(omission.reason)"]
    }
    let actual = ComparedResponse(
      status: head.status.code,
      fields: FieldLine.lines(of: head.headerFields, relativeTo: contract.base),
      body: ComparedBody(.bytes(reply.body?.bytes ?? Bytes()))
    )
    let redactor = Redactor()
    try redactor.learn([contract.expected.message, actual.message])
    return try ReplyComparison(contract, actual, redactor).differences.filter(\.isMismatch)
      .map { "\($0.place): \($0.message)" }
  }
}
