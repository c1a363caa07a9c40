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

  /// - Throws: ``ScenarioError`` if a rule is malformed.
  init(at position: Int, in scenario: Scenario) throws {
    self.position = position
    recorded = scenario.exchanges[position]
    let rules = try (recorded.match + scenario.defaults).map { [id = recorded.id] in
      try MatchRule($0, of: id, in: "match")
    }
    comparison = RequestComparison(
      LiveRequest(recorded.request, in: scenario),
      MatchRules(rules),
      hasContent: recorded.request.body?.omission == nil
    )
    reply = ReplayedReply(recorded.reply)
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
