public import HTTPTypes
public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Verifies that a service answers as recorded scenarios or Pact files say.
///
/// Each recorded request is sent, one after the other, and the reply is compared under the `expect` rules of its
/// exchange: status, Content-Type, Location of a redirect, fields that a rule names, and content; of an interaction of a
/// Pact file, all that it expects. More fields and more members of JSON objects are allowed.
///
/// A service in the same process needs no socket:
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// let service = HandlerTransport { request in
///   Response(.ok, fields: [.contentType: "application/json"], body: .bytes(#"{"id":"42","name":"Ada"}"#))
/// }
/// var verification = try Verification(contract: "Fixtures/users", against: service)
/// verification.states["a user exists"] = ProviderStateHandler { parameters in ["id": "42"] }
/// let report = try await verification.run()
/// if !report.isAgreed { print(report) }
/// ```
public struct Verification: Sendable {
  /// What sets up the states that exchanges require, by their names. A state without a handler is a warning.
  public var states: [String: ProviderStateHandler] = [:]
  /// Fields that replace recorded ones, such as the credentials of today. A field that no request of a scenario has is
  /// added to all of its requests; to those of a Pact file all are added.
  public var fields: HTTPFields = [:]
  /// The time for an exchange, including its content; 30 s by default.
  public var timeout = Duration.seconds(30)
  /// The values of the secrets in requests, and which others are secret, in addition to those that are found by themselves
  /// and those that `redaction.json` names. An exchange that needs the value of another secret is not sent; those that an
  /// earlier reply holds, such as the token of a login, are known.
  public var redaction = RedactionOptions()

  /// Who gives the values of secrets. Stages of generated tests add credentials: fields with secrets of which no value is
  /// known are sent as they are then.
  package var caller = Caller.code

  /// Who gives the values of secrets, for texts that say how.
  package enum Caller: Sendable {
    /// Swift code.
    case code
    /// A user of the tool.
    case tool
    /// A generated test.
    case test
  }

  package private(set) var interactions: [ContractInteraction]
  /// The handler of states that have none of their own.
  package var otherStates: (@Sendable (_ name: String) -> ProviderStateHandler)?
  private let transport: any Transport
  private let base: String?
  /// The names of the fields in the requests of each contract.
  private let recordedNames: [String: Set<HTTPField.Name>]

  /// Creates a verification of scenarios.
  ///
  /// - Parameters:
  ///   - scenarios: The scenarios.
  ///   - transport: What answers: a transport, or a `HandlerTransport` for a service in the same process.
  ///   - base: The URL that stands in for the origin of the recording, with a path if that has one; by default the
  ///     recorded origin. Exchanges with other origins than that of the first exchange are skipped.
  /// - Throws: ``ScenarioError`` if a rule is malformed.
  public init(_ scenarios: [Scenario], against transport: any Transport, base: String? = nil) throws {
    let interactions = try scenarios.enumerated().flatMap { index, scenario in
      try ScenarioContract(scenario, source: scenario.title ?? "scenario \(index + 1)").interactions()
    }
    self.init(interactions, against: transport, base: base)
  }

  package init(_ interactions: [ContractInteraction], against transport: any Transport, base: String? = nil) {
    self.interactions = interactions
    self.transport = transport
    self.base = base.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    recordedNames = interactions.reduce(into: [:]) { names, interaction in
      names[interaction.source, default: []].formUnion(interaction.request.fields.map(\.name))
    }
  }

  /// The number of exchanges.
  public var count: Int { interactions.count }

  /// Keeps only the exchanges whose identifier is a text, or whose title or source contains it.
  public mutating func keep(mentioning text: String) {
    interactions.removeAll { $0.id != text && !$0.title.contains(text) && !$0.source.contains(text) }
  }

  /// Keeps only the exchanges that require a state.
  public mutating func keep(requiring state: String) {
    interactions.removeAll { interaction in !interaction.states.contains { $0.name == state } }
  }

  /// Keeps only the exchanges that did not agree last time.
  ///
  /// - Parameter report: A report in JSON.
  /// - Throws: `JSONSyntaxError`, or ``VerificationReportError`` if it is JSON of another kind.
  public mutating func keep(failedIn report: [UInt8]) throws {
    let failed = try FailedExchanges(report: report)
    interactions.removeAll { !failed.contains($0) }
  }

  // MARK: Running

  private struct Answer {
    var exchange: VerificationReport.Exchange
    var sent: OutgoingRequest?
    var reply: LiveReply?
    var actual: ComparedResponse?
    var failures: [String] = []
  }

  /// Sends the requests and compares the replies. If the first of them finds nobody who answers, the others are
  /// skipped.
  ///
  /// - Throws: ``RedactionError`` if a reply cannot be searched for secrets; `CancellationError`.
  @concurrent
  public func run() async throws -> VerificationReport {
    let start = ContinuousClock.now
    var answers: [Answer] = []
    var hasService = true
    var correlation = Correlation()
    let given = givenSecrets
    for interaction in interactions {
      var answer = Answer(exchange: VerificationReport.Exchange(interaction))
      if let obstacle = interaction.obstacle {
        answer.exchange.skip(obstacle)
      } else if !hasService {
        answer.exchange.skip("the service does not answer")
      } else {
        let current = correlation.applied(to: interaction)
        let known = { (secret: Placeholder) -> [UInt8]? in
          given[secret.identifier].map { Array($0.utf8) } ?? correlation.value(of: secret, for: interaction)
            ?? given[secret.name].map { Array($0.utf8) }
        }
        let missing = current.missingSecrets(fields(for: current), known)
        let stagesAddFields = caller == .test
        if stagesAddFields, !missing.inFields.isEmpty {
          let text = caller.sentence(lacking: missing.inFields, inFields: true)
          answer.exchange.warnings.append(text)
        }
        let needed =
          missing.inContent
          + (stagesAddFields ? [] : missing.inFields.filter { !missing.inContent.contains($0) })
        if needed.isEmpty {
          let isFound = try await verify(current, &answer, known, since: start)
          hasService = isFound || answers.contains { $0.reply != nil }
          if let actual = answer.actual { correlation.learn(actual, to: interaction) }
        } else {
          answer.exchange.outcome = .skipped
          answer.exchange.lack = caller.sentence(lacking: needed, inFields: missing.inContent.isEmpty)
        }
      }
      answers.append(answer)
    }
    return try report(answers)
  }

  /// The values of secrets that were given, by the identifier of a placeholder or the name of all with it.
  private var givenSecrets: [String: String] {
    redaction.secrets.reduce(into: [:]) { given, secret in
      let isIdentifier = Placeholder(identifier: secret.key) != nil
      given[isIdentifier ? secret.key : Placeholder.name(from: secret.key)] = secret.value
    }
  }

  /// - Returns: Whether a service was found.
  private func verify(
    _ interaction: ContractInteraction,
    _ answer: inout Answer,
    _ known: (Placeholder) -> [UInt8]?,
    since start: ContinuousClock.Instant
  ) async throws -> Bool {
    let states = InteractionStates(states: interaction.states) { [handlers = self.states, otherStates] in
      handlers[$0] ?? otherStates?($0)
    }
    let setUp = try await states.setUp()
    answer.exchange.warnings += setUp.warnings
    if let failure = setUp.failure {
      answer.failures.append(failure)
      answer.exchange.outcome = .broken
      return true
    }
    var isFound = true
    do {
      let outgoing = try OutgoingRequest(
        interaction,
        base: base ?? interaction.base ?? "http://localhost",
        values: setUp.values,
        fields: fields(for: interaction),
        secrets: known
      )
      answer.exchange.warnings += outgoing.warnings
      answer.sent = outgoing
      let sent = ContinuousClock.now
      var reply = try await LiveReply(to: outgoing.request, over: transport, within: timeout)
      reply.timing.start = sent - start
      answer.reply = reply
      answer.actual = ComparedResponse(
        status: reply.head.status.code,
        fields: FieldLine.lines(of: reply.head.headerFields, relativeTo: base ?? interaction.base),
        body: ComparedBody(.bytes(reply.body))
      )
      if let failure = reply.failure { answer.failures.append(failure) }
    } catch {
      if error is CancellationError, Task.isCancelled { throw error }
      answer.failures.append((error as? ExchangeError)?.message ?? Format.describe(error))
      answer.exchange.outcome = answer.sent == nil ? .broken : .unanswered
      isFound = (error as? ExchangeError)?.isOfConnection != true
    }
    if let failure = try await states.tearDown() { answer.failures.append(failure) }
    return isFound
  }

  private func fields(for interaction: ContractInteraction) -> HTTPFields {
    // A Pact file says what matters; a recording holds a challenge beside its answer.
    let names = interaction.recordedFields == nil ? [] : recordedNames[interaction.source] ?? []
    return HTTPFields(
      fields.filter { interaction.request.fields.contains($0.name) || !names.contains($0.name) }
    )
  }

  // MARK: Reporting

  /// Everything is known before anything is reported: a secret of the last reply may be in the first one as well.
  private func report(_ answers: [Answer]) throws -> VerificationReport {
    // What was a secret in the recording is one today.
    var known: [Placeholder: [UInt8]] = [:]
    for (interaction, answer) in zip(interactions, answers) {
      known.merge(secrets(of: interaction, answer)) { $1 }
    }
    let redactor = Redactor(redaction, knowing: known)
    for interaction in interactions {
      try redactor.learn([interaction.request.message, interaction.expected.message])
    }
    for answer in answers {
      try redactor.learn([answer.sent?.message, answer.actual?.message].compactMap(\.self))
    }
    var report = VerificationReport()
    for (interaction, answer) in zip(interactions, answers) {
      report.exchanges.append(try exchange(interaction, answer, redactor))
    }
    return report
  }

  /// What stands today where the recording has secrets.
  private func secrets(of interaction: ContractInteraction, _ answer: Answer) -> [Placeholder: [UInt8]] {
    var found: [(Placeholder, [UInt8])] = []
    if let sent = answer.sent, let recorded = interaction.redactedRequest {
      found += recorded.aligned(sent.message).values
      // A given field may be of another kind, such as another scheme.
      for field in fields(for: interaction) {
        let name = field.name.canonicalName
        let secret = recorded.placeholders { $0.fieldName == name }.min { $0.text < $1.text }
        if let secret { found.append((secret, field.octets)) }
      }
    }
    if let actual = answer.actual, let recorded = interaction.redactedReply {
      found += recorded.aligned(actual.message).values
    }
    return Dictionary(found.filter { !SecretJudge.isOneTime($0.0.name) }) { $1 }
  }

  private func exchange(
    _ interaction: ContractInteraction,
    _ answer: Answer,
    _ redactor: Redactor
  ) throws -> VerificationReport.Exchange {
    var exchange = answer.exchange
    try exchange.redactTexts(redactor)
    exchange.request = try VerificationReport.Message(
      answer.sent?.shown(for: interaction) ?? interaction.request.message,
      of: interaction,
      redactor
    )
    exchange.timing = answer.reply?.timing
    for failure in answer.failures {
      let isOfState = failure.hasPrefix("State change")
      exchange.differences.append(
        VerificationReport.Difference(
          place: isOfState ? "state" : "reply",
          message: Format.oneLine(try redactor.redact(text: failure)),
          expected: nil,
          actual: nil,
          drift: .breaking,
          isMismatch: true
        )
      )
    }
    if let actual = answer.actual {
      let comparison = try ReplyComparison(interaction, actual, redactor)
      exchange.expected = VerificationReport.Message(comparison.shown.expected)
      exchange.reply = VerificationReport.Message(comparison.shown.actual)
      exchange.differences += comparison.differences
    } else {
      exchange.expected = VerificationReport.Message(
        try redactor.redact(interaction.expected, of: interaction)
      )
    }
    exchange.judge(isPending: interaction.isPending)
    return exchange
  }
}

extension ExchangeError {
  /// Whether no connection came to be.
  fileprivate var isOfConnection: Bool {
    switch kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .proxyRefused, .tls, .timeout(.connect): true
    default: false
    }
  }
}
