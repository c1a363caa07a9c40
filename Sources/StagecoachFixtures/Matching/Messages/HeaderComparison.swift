/// Compares header fields. Fields that are not expected are ignored.
struct HeaderComparison {
  let rules: RuleTable

  func mismatches(_ expected: [FieldLine], _ actual: [FieldLine]) -> [Mismatch] {
    var done: Set<String> = []
    return expected.filter { done.insert($0.name.lowercased()).inserted }.flatMap { line -> [Mismatch] in
      let values = expected.values(of: line.name)
      let others = actual.values(of: line.name)
      return problems(line.name, values, others).map {
        Mismatch(
          .header,
          path: line.name,
          expected: values.joined(separator: ", "),
          actual: others.isEmpty ? nil : others.joined(separator: ", "),
          message: $0
        )
      }
    }
  }

  private func problems(_ name: String, _ expected: [String], _ actual: [String]) -> [String] {
    if actual.isEmpty { return ["Expected a header '\(name)' but was missing"] }
    let path = ValuePath.root.key(name.lowercased())
    // Equality is what fields without a rule are compared by: media types and lists have their own.
    let hits = actual.indices.map { index in
      rules.best(for: path.index(index)).flatMap { $0.matchers == [.equality] ? nil : $0 }
    }
    if hits.contains(where: { $0 != nil }) {
      return problems(name, expected, actual, hits, rules.best(for: path))
    }
    return Self.areEqual(name, expected, actual) ? [] : [Self.problem(name, expected, actual)]
  }

  /// Compares the lines one by one, some of which have a rule.
  private func problems(
    _ name: String,
    _ expected: [String],
    _ actual: [String],
    _ hits: [RuleTable.Hit?],
    _ all: RuleTable.Hit?
  ) -> [String] {
    var problems: [String] = []
    if let all, !all.isCascaded {
      let text = "[" + actual.joined(separator: ", ") + "]"
      problems += all.matchers.compactMap { $0.sizeProblem(actual.count, text) }
    }
    for (index, value) in actual.enumerated() {
      let example = index < expected.count ? expected[index] : expected.first ?? ""
      if let hit = hits[index] {
        problems += hit.problems { $0.problem(expected: example.trimmed, actual: value.trimmed) }
      } else if index >= expected.count || !Self.areEqual(name, [example], [value]) {
        problems.append(Self.problem(name, index < expected.count ? [example] : [], [value]))
      }
    }
    if all == nil {
      problems += expected.dropFirst(actual.count).map {
        "Expected value '\($0)' of header '\(name)' but was missing (actual has \(actual.count) value(s))"
      }
    }
    return problems
  }

  /// Compares the values of all lines as one list, where white space around commas has no meaning.
  private static func areEqual(_ name: String, _ expected: [String], _ actual: [String]) -> Bool {
    let (expected, actual) = (list(expected), list(actual))
    guard expected.count == actual.count else { return false }
    guard isParameterized(name) else { return expected == actual }
    return zip(expected, actual).allSatisfy { ParameterizedValue($0).isMet(by: ParameterizedValue($1)) }
  }

  private static func list(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",", outsideQuotes: true) }.map(\.trimmed)
  }

  private static func isParameterized(_ name: String) -> Bool {
    ["content-type", "accept"].contains(name.lowercased())
  }

  private static func problem(_ name: String, _ expected: [String], _ actual: [String]) -> String {
    let (wanted, received) = (expected.joined(separator: ", "), actual.joined(separator: ", "))
    return isParameterized(name)
      ? "Expected header '\(name)' to have value '\(wanted)' but was '\(received)'"
      : "Expected '\(received)' to be equal to '\(wanted)'"
  }
}

extension FieldLine {
  /// The elements, if the field is one of lists (RFC 9110 5.6.1); otherwise the value.
  ///
  /// Other verifiers of Pact compare an element of a file with an element of a reply.
  var elements: [String] {
    guard Self.lists.contains(name.lowercased()) else { return [value] }
    let elements = value.split(separator: ",", outsideQuotes: true).map(\.trimmed).filter { !$0.isEmpty }
    return elements.isEmpty ? [value] : elements
  }

  /// The fields of lists of RFC 9110, RFC 9111 and the Fetch standard. The comma of another field may be content.
  private static let lists: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges",
    "access-control-allow-headers", "access-control-allow-methods", "access-control-expose-headers",
    "access-control-request-headers", "allow", "cache-control", "connection", "content-encoding",
    "content-language", "expect", "if-match", "if-none-match", "pragma", "te", "trailer", "transfer-encoding",
    "upgrade", "vary", "via",
  ]
}
