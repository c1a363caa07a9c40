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
    var state = ReplayState(report.scenario)
    for exchange in live.exchanges {
      let request = LiveRequest(
        method: exchange.request.method,
        url: live.url(of: exchange.request.target) ?? exchange.request.target,
        fields: exchange.request.fields,
        body: exchange.request.body?.bytes ?? Bytes()
      )
      guard let found = state.take(index.exchanges(for: request), for: request, of: index.exchanges) else {
        let diagnosis = ReplayDiagnosis(request, index.exchanges, title: report.scenario.title, state)
        changes.append(
          FixtureError(.unmatched, fixture: fixture, file: report.manifest, diagnosis.text)
        )
        continue
      }
      let differences = try ReplyComparison(found.recorded).differences(exchange.reply)
      guard !differences.isEmpty else { continue }
      let id = found.recorded.id
      let title = "\(id) \(request.method) \(request.url): the reply is not as recorded:"
      changes.append(
        FixtureError(
          .changed,
          fixture: fixture,
          file: report.manifest,
          line: report.line(of: id),
          ([title] + differences.map { "  \($0)" }).joined(separator: "\n")
        )
      )
    }
    unused = state.unused(of: index.exchanges).map(\.recorded.id)
  }
}
