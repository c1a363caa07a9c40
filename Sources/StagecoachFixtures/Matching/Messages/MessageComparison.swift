import StagecoachCore

/// Compares actual messages with expected ones.
///
/// Requests are compared strictly: parameters, members of objects, attributes and elements that are not expected are
/// mismatches. In responses and messages without HTTP they are ignored. Further header fields are always ignored.
package struct MessageComparison: Sendable {
  /// The rules that replace equality.
  package var rules: MatchRules
  /// Whether queries are compared as text, with their order; otherwise the order of different parameters is ignored.
  package var comparesQueryText: Bool

  package init(rules: MatchRules = [], comparesQueryText: Bool = false) {
    self.rules = rules
    self.comparesQueryText = comparesQueryText
  }

  /// Compares requests.
  package func mismatches(_ expected: ComparedRequest, _ actual: ComparedRequest) -> [Mismatch] {
    method(expected.method, actual.method) + path(expected.path, actual.path)
      + query(expected.query, actual.query)
      + headers(expected.fields, actual.fields)
      + body(expected.body, expected.fields, actual.body, actual.fields, isStrict: true)
  }

  /// Compares responses.
  package func mismatches(_ expected: ComparedResponse, _ actual: ComparedResponse) -> [Mismatch] {
    status(expected.status, actual.status) + headers(expected.fields, actual.fields)
      + body(expected.body, expected.fields, actual.body, actual.fields, isStrict: false)
  }

  /// Compares messages without HTTP.
  package func mismatches(_ expected: ComparedMessage, _ actual: ComparedMessage) -> [Mismatch] {
    MetadataComparison(rules: table(.metadata)).mismatches(expected.metadata, actual.metadata)
      + body(expected.body, expected.metadata.fields, actual.body, actual.metadata.fields, isStrict: false)
  }

  private func table(_ part: MessagePart) -> RuleTable { RuleTable(rules, part: part) }

  private func method(_ expected: String, _ actual: String) -> [Mismatch] {
    let problems =
      if let hit = table(.method).best(for: .root) {
        hit.problems { $0.problem(expected: expected, actual: actual) }
      } else {
        expected.lowercased() == actual.lowercased() ? [] : ["expected \(expected) but was \(actual)"]
      }
    return problems.map { Mismatch(.method, path: "", expected: expected, actual: actual, message: $0) }
  }

  private func path(_ expected: String, _ actual: String) -> [Mismatch] {
    let problems =
      table(.path).best(for: .root)?.problems { $0.problem(expected: expected, actual: actual) }
      ?? [Matcher.equality.problem(expected: expected, actual: actual)].compactMap { $0 }
    return problems.map { Mismatch(.path, path: "", expected: expected, actual: actual, message: $0) }
  }

  private func query(_ expected: ComparedQuery, _ actual: ComparedQuery) -> [Mismatch] {
    let comparison = ParameterComparison(.query, rules: table(.query), isStrict: true)
    let mismatches = comparison.mismatches(expected.parameters, actual.parameters)
    let (wanted, received) = (expected.text ?? "", actual.text ?? "")
    guard comparesQueryText, mismatches.isEmpty, wanted != received else { return mismatches }
    let text = "Expected query '\(wanted)' but was '\(received)'"
    return [Mismatch(.query, path: "", expected: wanted, actual: received, message: text)]
  }

  private func headers(_ expected: [FieldLine], _ actual: [FieldLine]) -> [Mismatch] {
    HeaderComparison(rules: table(.header)).mismatches(expected, actual)
  }

  private func status(_ expected: Int?, _ actual: Int?) -> [Mismatch] {
    guard let expected else { return [] }
    let (wanted, received) = (String(expected), actual.map(String.init) ?? "")
    let problems =
      if let hit = table(.status).best(for: .root) {
        hit.problems { $0.problem(expected: wanted, actual: received) }
      } else {
        expected == actual ? [] : ["expected \(wanted) but was \(received.isEmpty ? "missing" : received)"]
      }
    return problems.map { Mismatch(.status, path: "", expected: wanted, actual: received, message: $0) }
  }

  private func body(
    _ expected: ComparedBody,
    _ expectedFields: [FieldLine],
    _ actual: ComparedBody,
    _ actualFields: [FieldLine],
    isStrict: Bool
  ) -> [Mismatch] {
    let comparison = BodyComparison(rules: table(.body), isStrict: isStrict)
    return comparison.mismatches(
      expected,
      expectedFields.mediaType ?? expected.mediaType,
      actual,
      actualFields.mediaType ?? actual.mediaType
    )
  }
}

extension JSONObject {
  /// The content type of the metadata as a header.
  fileprivate var fields: [FieldLine] {
    members.filter { ["contenttype", "content-type"].contains($0.key.lowercased()) }
      .compactMap { $0.value.stringValue.map { FieldLine("Content-Type", $0) } }
  }
}
