import StagecoachCore

extension JSONComparison {
  mutating func compareObjects(
    _ expected: JSONObject,
    _ actual: JSONObject,
    at path: ValuePath,
    _ hit: RuleTable.Hit?
  ) {
    let values: (JSONValue, JSONValue) = (.object(expected), .object(actual))
    let (expected, actual) = (JSONMembers(expected), JSONMembers(actual))
    let direct = hit.flatMap { $0.isCascaded ? nil : $0 }
    if let direct {
      for problem in direct.problems({ Self.problem($0, values.0, values.1, actual) }) {
        report(problem, at: path, values.0, values.1)
      }
      for case .eachKey(let matchers) in direct.matchers { checkKeys(of: actual, matchers, at: path) }
      if direct.matchers.contains(where: { if case .values = $0 { true } else { false } }) {
        return compareValues(of: expected, actual, at: path)
      }
      if case .eachValue(let matchers)? = direct.matchers.first(where: {
        if case .eachValue = $0 { true } else { false }
      }) {
        let each = rules.adding(matchers, at: path, .any)
        mismatches += trial(each) { $0.compareValues(of: expected, actual, at: path) }
        return
      }
    }
    let isStrict = isStrict && hit?.matchers.contains(.atLeast) != true
    if direct?.matchers.contains(where: \.ignoresKeys) != true,
      !checkKeys(expected, actual, values, at: path, isStrict: isStrict)
    {
      return
    }
    for key in expected.keys {
      guard let value = expected[key], let other = actual[key] else { continue }
      compare(value, other, at: path.key(key))
    }
  }

  private static func problem(
    _ matcher: Matcher,
    _ expected: JSONValue,
    _ actual: JSONValue,
    _ members: JSONMembers
  ) -> String? {
    switch matcher {
    case .type: matcher.sizeProblem(members.count, actual.description)
    case .notEmpty, .null, .integer, .decimal, .number, .boolean, .text:
      matcher.problem(expected: expected, actual: actual)
    default: nil
    }
  }

  /// Compares each actual value with the example of its key, or with the first example.
  private mutating func compareValues(of expected: JSONMembers, _ actual: JSONMembers, at path: ValuePath) {
    for key in actual.keys {
      guard let value = actual[key], let example = expected[key] ?? expected.first else { continue }
      compare(example, value, at: path.key(key))
    }
  }

  private mutating func checkKeys(of actual: JSONMembers, _ matchers: [Matcher], at path: ValuePath) {
    for key in actual.keys {
      for problem in matchers.compactMap({ $0.problem(expected: "", actual: key) }) {
        report(problem, at: path.key(key), nil, actual[key])
      }
    }
  }

  /// Checks for missing and unexpected keys.
  ///
  /// - Returns: Whether to compare the values.
  private mutating func checkKeys(
    _ expected: JSONMembers,
    _ actual: JSONMembers,
    _ values: (JSONValue, JSONValue),
    at path: ValuePath,
    isStrict: Bool
  ) -> Bool {
    let missing = expected.keys.filter { actual[$0] == nil }
    guard isStrict else {
      if !missing.isEmpty {
        let list = missing.sorted().joined(separator: ", ")
        report("Actual map is missing the following keys: \(list)", at: path, values.0, values.1)
      }
      return true
    }
    if expected.isEmpty, !actual.isEmpty {
      report("Expected an empty Map but received \(values.1)", at: path, values.0, values.1)
      return false
    }
    if !missing.isEmpty || actual.count != expected.count {
      let (wanted, received) = (expected.keys.sorted(), actual.keys.sorted())
      report(
        "Expected a Map with keys [\(wanted.joined(separator: ", "))] "
          + "but received one with keys [\(received.joined(separator: ", "))]",
        at: path,
        values.0,
        values.1
      )
    }
    return true
  }
}
