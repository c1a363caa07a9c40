import StagecoachCore

/// The exchanges that a recorder has seen, as they are written: without secrets.
struct RecordingNotebook {
  private var base: Scenario
  private let redactor: Redactor
  private var writer: ScenarioWriter
  private var exchanges: [Int: Scenario.Exchange] = [:]
  /// The exchanges without the secrets that were known at that time.
  private var redacted: [Int: Scenario.Exchange] = [:]
  private var knownSecrets = 0

  init(_ scenario: Scenario, folder: String, _ redaction: RedactionOptions) {
    base = scenario
    writer = ScenarioWriter(folder: folder)
    redactor = Redactor(redaction)
  }

  /// Adds exchanges, with complete URLs as their targets, and writes all of them.
  ///
  /// - Throws: ``ScenarioError``; ``RedactionError`` if a secret would be written.
  mutating func write(_ added: [Int: Scenario.Exchange], _ recording: Scenario.Recording?) throws {
    base.recording = recording
    base.clock = recording?.date
    for (position, exchange) in added {
      exchanges[position] = exchange
      try redactor.learn(exchange.messages)
    }
    if redactor.secretCount != knownSecrets {
      redacted = [:]
      knownSecrets = redactor.secretCount
    }
    for (position, exchange) in exchanges where redacted[position] == nil {
      var copy = try redactor.redact(exchange)
      // Any name will do here; the numbers come with the order.
      copy.id = "00"
      try verify { $0.exchanges = [copy] }
      redacted[position] = copy
    }
    let scenario = scenario()
    try verify {
      $0 = scenario
      $0.exchanges = []
    }
    try writer.write(scenario)
  }

  /// Searches what will be written for secrets: each exchange once, for a scenario may have thousands.
  private func verify(_ part: (inout Scenario) -> Void) throws {
    var scenario = Scenario()
    part(&scenario)
    let files = try ScenarioWriter.files(of: scenario)
    try redactor.leakProof.verify(files.map { ($0.name, Bytes($0.bytes)) })
  }

  /// The exchanges in the order of their requests.
  private func scenario() -> Scenario {
    var scenario = base
    for (number, (_, exchange)) in redacted.sorted(by: { $0.key < $1.key }).enumerated() {
      var exchange = exchange
      exchange.id = Scenario.identifier(at: number)
      exchange.request.target = scenario.shorten(exchange.request.target)
      scenario.exchanges.append(exchange)
    }
    scenario.recording?.origin = scenario.origins.first?.origin
    return scenario
  }
}
