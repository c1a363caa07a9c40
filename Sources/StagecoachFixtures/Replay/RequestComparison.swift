import HTTPTypes
import StagecoachCore

/// Compares requests with a recorded one: method, URL and content are equal, or as the rules say.
/// A class, for it is asked for each request and large to copy.
final class RequestComparison: Sendable {
  let recorded: LiveRequest
  private let rules: MatchRules
  private let expected: ComparedRequest

  /// - Parameter hasContent: False if the content was not recorded: any is equal then.
  init(_ recorded: LiveRequest, _ rules: MatchRules, hasContent: Bool) {
    self.recorded = recorded
    self.rules = rules
    // Fields are compared where a rule names them.
    let names = Set(
      rules.rules.compactMap { rule -> String? in
        guard rule.part == .header, case .key(let name)? = rule.path.steps.first else { return nil }
        return name.lowercased()
      }
    )
    var expected = recorded.compared
    expected.fields.removeAll { !names.contains($0.name.lowercased()) }
    expected.body.mediaType = recorded.fields.contentType
    if !hasContent { expected.body = .absent }
    self.expected = expected
  }

  /// Whether requests with another method or path can be equal.
  var findsOtherPaths: Bool { rules.rules.contains { $0.part == .method || $0.part == .path } }

  /// Whether a request is as the recorded one.
  func accepts(_ live: LiveRequest) -> Bool {
    guard hasOrigin(of: live) else { return false }
    if rules.isEmpty, recorded.method == live.method, recorded.path == live.path,
      recorded.query == live.query,
      recorded.body == live.body
    {
      return true
    }
    return mismatches(live).isEmpty
  }

  /// Whether a request is as the recorded one with further rules.
  func accepts(_ live: LiveRequest, with others: [MatchRule]) -> Bool {
    RequestComparison(recorded, MatchRules(rules.rules + others), hasContent: expected.body != .absent)
      .accepts(live)
  }

  /// Whether a request goes to the same origin.
  func hasOrigin(of other: LiveRequest) -> Bool {
    recorded.scheme == other.scheme && recorded.authority == other.authority
  }

  private func mismatches(_ live: LiveRequest) -> [Mismatch] {
    MessageComparison(rules: rules).mismatches(expected, live.compared)
  }

  /// What differs, one line each.
  func differences(_ live: LiveRequest) -> [(part: MessagePart, text: String)] {
    let origin =
      hasOrigin(of: live)
      ? [] : [(MessagePart.path, "origin: expected \(recorded.origin) but was \(live.origin)")]
    return origin + mismatches(live).map { ($0.part, $0.line) }
  }

  /// How many fields of the recorded request the live one has too, less those it lacks.
  func score(_ live: HTTPFields) -> Int {
    var score = 0
    for field in recorded.fields { score += live[values: field.name].contains(field.value) ? 1 : -1 }
    for field in live where !recorded.fields.contains(field.name) { score -= 1 }
    return score
  }
}

extension LiveRequest {
  /// The request in the form of all comparisons.
  var compared: ComparedRequest {
    ComparedRequest(
      method: method,
      path: String(path),
      query: query.map { ComparedQuery(parsing: $0) } ?? .none,
      fields: fields.map { FieldLine($0.name.rawName, $0.value) },
      body: ComparedBody(.bytes(body))
    )
  }
}

extension Mismatch {
  /// The place and what differs, on one line.
  fileprivate var line: String {
    Format.oneLine(path.isEmpty ? "\(part.rawValue): \(message)" : "\(part.rawValue) \(path): \(message)")
  }
}
