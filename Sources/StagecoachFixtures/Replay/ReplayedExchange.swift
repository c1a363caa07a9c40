import StagecoachCore

/// An exchange of a scenario, prepared once for all that it answers.
final class ReplayedExchange: Sendable {
  let position: Int
  let recorded: Scenario.Exchange
  let comparison: RequestComparison
  let reply: ReplayedReply
  /// How often it answers; `nil` if that has no limit.
  let limit: Int?
  /// How often it has to answer.
  let minimum: Int
  /// The states of the recorded exchange.
  let requires: [Scenario.State]
  let sets: [Scenario.State]

  /// - Parameter secrets: Those of the request, if they are known of an equal one.
  /// - Throws: ``ScenarioError`` if a rule is malformed.
  init(at position: Int, in scenario: Scenario, secrets: RedactedMessage? = nil) throws {
    self.position = position
    let recorded = scenario.exchanges[position]
    self.recorded = recorded
    let rules = try (recorded.match + scenario.defaults).map { [id = recorded.id] in
      try MatchRule($0, of: id, in: "match")
    }
    var message = recorded.request.message
    message.target = scenario.url(of: recorded.request.target) ?? recorded.request.target
    comparison = RequestComparison(
      LiveRequest(recorded.request, in: scenario),
      MatchRules(rules),
      secrets: secrets ?? RedactedMessage(message, side: "request", of: recorded),
      hasContent: recorded.request.body?.omission == nil,
      isOmitted: recorded.omission != nil
    )
    reply = ReplayedReply(
      recorded.reply,
      recorded.reply.message.flatMap { RedactedMessage($0, side: "reply", of: recorded) }
    )
    let (limit, minimum): (Int?, Int) =
      switch recorded.times {
      case .exactly(let count): (count, count)
      case .last: (1, 1)
      case .atLeastOnce: (nil, 1)
      case .any: (nil, 0)
      }
    self.limit = limit
    (requires, sets) = (recorded.requires, recorded.sets)
    self.minimum = recorded.isOptional ? 0 : minimum
  }

  /// Whether there is nothing to answer with.
  var isOmitted: Bool { comparison.isOmitted || reply.isOmitted }

  /// The error if there is nothing to answer with.
  var omission: ExchangeError {
    let reason = recorded.omission ?? recorded.reply.body?.omission?.reason ?? ""
    return ExchangeError(
      .stageFailure(ReplayFailure.omitted),
      comparison.isOmitted
        ? "exchange \(recorded.id) was not recorded: \(reason)"
        : "the content of exchange \(recorded.id) was not recorded: \(reason)",
      advice: comparison.isOmitted
        ? "record it again without that, or write it into the scenario"
        : "record it again with a higher bodyLimit, or write its body into the scenario"
    )
  }
}

extension LiveRequest {
  fileprivate init(_ recorded: Scenario.Request, in scenario: Scenario) {
    self.init(
      method: recorded.method,
      url: scenario.url(of: recorded.target) ?? recorded.target,
      fields: recorded.fields,
      body: recorded.body?.bytes ?? Bytes()
    )
  }
}

extension MatchRule {
  /// Creates a rule from one of a scenario, whose condition is a matcher or, as in Pact files, several ones:
  /// `{"matchers": [...], "combine": "OR"}`.
  ///
  /// - Parameter list: The name of the list that the rule is in, for errors.
  /// - Throws: ``ScenarioError``.
  init(_ rule: Scenario.Rule, of exchange: String, in list: String) throws {
    let place = "\(list) of exchange \(exchange): \(rule.place)"
    do {
      let condition = rule.condition.stringValue.map { ["match": .string($0)] as JSONValue } ?? rule.condition
      let (part, path) = try Self.place(of: rule.place)
      self = try PactRulesReader().rule(condition, part, path, place)
    } catch let error as PactFormatError {
      // It names the place.
      throw ScenarioError(.invalid, file: RuleCheck.file, "\(error)")
    } catch {
      throw ScenarioError(.invalid, file: RuleCheck.file, "\(place): \(error)")
    }
  }
}
