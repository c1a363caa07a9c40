import HTTPTypes
import StagecoachCore

/// Compares the reply of a service with the recorded one: status, media type and content, and the fields that a rule of
/// `expect` names. Members of objects and elements that were not recorded are no difference.
struct ReplyComparison {
  private let recorded: Scenario.Reply
  private let rules: MatchRules
  private let expected: ComparedResponse

  /// - Throws: ``ScenarioError`` if a rule is malformed.
  init(_ exchange: Scenario.Exchange) throws {
    recorded = exchange.reply
    rules = MatchRules(try exchange.expect.map { try MatchRule($0, of: exchange.id) })
    let names = Set(
      rules.rules.compactMap { rule -> String? in
        guard rule.part == .header, case .key(let name)? = rule.path.steps.first else { return nil }
        return name.lowercased()
      }
    )
    var expected = recorded.compared
    expected.fields.removeAll { !names.contains($0.name.lowercased()) }
    self.expected = expected
  }

  /// What differs, one line each; empty if the reply is as recorded.
  func differences(_ actual: Scenario.Reply) -> [String] {
    guard actual.outcome.kind == recorded.outcome.kind else {
      return ["outcome: expected \(recorded.outcome.text) but was \(actual.outcome.text)"]
    }
    // What was received before a failure depends on its moment.
    guard actual.outcome.kind == .complete else { return [] }
    if let omission = actual.body?.omission, expected.body.content != .absent {
      return ["body: the content cannot be compared: \(omission.reason)"]
    }
    return MessageComparison(rules: rules).mismatches(expected, actual.compared).map { mismatch in
      let text = Format.oneLine(mismatch.message)
      return mismatch.path.isEmpty
        ? "\(mismatch.part.rawValue): \(text)" : "\(mismatch.part.rawValue) \(mismatch.path): \(text)"
    }
  }
}

extension Scenario.Outcome {
  fileprivate var text: String { detail.map { "\(kind.rawValue) (\($0))" } ?? kind.rawValue }
}

extension Scenario.Reply {
  fileprivate var compared: ComparedResponse {
    let content = body?.omission == nil ? ComparedBody.Content.bytes(body?.bytes ?? Bytes()) : .absent
    let fields = head?.response.headerFields ?? [:]
    return ComparedResponse(
      status: head?.response.status.code,
      fields: fields.map { FieldLine($0.name.rawName, $0.value) },
      body: ComparedBody(content, mediaType: fields.contentType)
    )
  }
}

extension MatchRule {
  /// Creates a rule from one for the reply of an exchange.
  ///
  /// - Throws: ``ScenarioError``.
  fileprivate init(_ rule: Scenario.Rule, of exchange: String) throws {
    let place = "expect of exchange \(exchange): \(rule.place)"
    do {
      let condition = rule.condition.stringValue.map { ["match": .string($0)] as JSONValue } ?? rule.condition
      try self.init(rule.place, PactMatcherReader().matcher(condition, at: place))
    } catch {
      throw ScenarioError(.invalid, file: "scenario.json", "\(place): \(error)")
    }
  }
}
